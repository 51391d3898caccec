//! A violated assertion of least depth: A\* finds runs of the same depth as a search by distance, with no more states.

use resy_engine::search::{Limits, Order, Search, Task, replay, search};
use resy_system::{Interpreter, Options, Property, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::systems::{random, system, system_of};

/// Beyond this many states a model is left out.
const LIMIT: u64 = 3_000;

/// A search for the first violation of an assertion, whose run is executed.
fn first(system: &System, order: Order) -> Option<Search> {
    let limits =
        Limits { first_violation: true, transitions: Some(10 * LIMIT), ..Limits::default() };
    let task = Task::new(system).asked(&[Property::Assertions]).compiled(false);
    let task = task.order(order).limits(limits);
    let found = search(&task).ok()?;
    for finding in found.findings.iter() {
        replay(&Interpreter::new(system, Options::default()), &task, &found, finding);
    }
    Some(found)
}

fn compare(system: &System) -> Tally {
    let mut tally = Tally::default();
    let Some(shallow) = first(system, Order::BreadthFirst) else { return tally };
    if shallow.states > LIMIT {
        return tally;
    }
    tally.count("searched", 1);
    let Some(shortest) = first(system, Order::Shortest) else { return tally };
    if shallow.findings.is_empty() {
        if shortest.states != shallow.states || !shortest.findings.is_empty() {
            tally.wrong(format!("{} states instead of {}", shortest.states, shallow.states));
        }
        return tally;
    }
    tally.count("violated", 1);
    if shortest.findings.is_empty() {
        tally.wrong("nothing is found".to_owned());
    } else if shortest.depth != shallow.depth {
        tally.wrong(format!("{} deep instead of {}", shortest.depth, shallow.depth));
    }
    // The last level may be expanded in another order.
    if shortest.states * 100 > shallow.states * 105 + 1_000 {
        tally.wrong(format!("{} states, {} by distance", shortest.states, shallow.states));
    }
    tally
}

static COMPARED: PerModel<Tally> = PerModel::new(|fixture| compare(&system_of(fixture)));
resy_testkit::each_model!(the_shortest_run_is_found, crate::shortest::is_found);

fn is_found(fixture: &Fixture) {
    COMPARED.assert_right(fixture);
}

#[test]
fn enough_models_violate_an_assertion() {
    let total = COMPARED.total();
    assert!(total.n("violated") >= 15, "only {}", total.n("violated"));
}

#[test]
fn the_shortest_run_is_found_in_random_programs() {
    let total = Tally::sum(random(0..300), compare);
    total.assert_right();
    assert!(total.n("violated") >= 10, "only {}", total.n("violated"));
}

#[test]
fn fewer_states_are_needed_for_a_lock() {
    let file = models_dir().join("../bench/models/fischer.pml");
    let text = std::fs::read_to_string(file).expect("the model");
    let system = system(&format!("#define N 5\n#define HASTY\n{text}"));
    let states = |order| {
        let limits = Limits { first_violation: true, ..Limits::default() };
        let task = Task::new(&system).asked(&[Property::Assertions]).order(order).limits(limits);
        let found = search(&task).expect("a first state");
        (found.states, found.depth)
    };
    let (shallow, shortest) = (states(Order::BreadthFirst), states(Order::Shortest));
    assert_eq!(shallow.1, shortest.1);
    assert!(shortest.0 < shallow.0, "{} states, {} by distance", shortest.0, shallow.0);
}
