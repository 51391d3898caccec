//! Directed search finds what a search by distance finds, with at most twice its states, and visits all states if
//! there is nothing to find.

use resy_engine::search::{Ample, Limits, Order, Search, Task, replay, search};
use resy_passes::Visible;
use resy_system::{ClaimMonitor, Interpreter, Monitors, Options, Outcome, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::{Fixture, models_dir};
use resy_testkit::systems::{random, system, system_of};

/// Beyond this many states a model is left out.
const LIMIT: usize = 400;

fn run(system: &System, order: Order, reduced: bool, first_violation: bool) -> Option<Search> {
    let claims = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let monitors = Monitors::new(claims.filter(|monitor| !monitor.counts_steps()).collect());
    let visible = Visible::new(monitors.conditions().to_vec());
    let ample = reduced.then(|| Ample::of(system, &visible, Options::default())).flatten();
    let limits =
        Limits { first_violation, transitions: Some(10 * LIMIT as u64), ..Limits::default() };
    let task = Task::new(system).monitors(monitors).ample(ample).compiled(false);
    let task = task.order(order).limits(limits);
    let found = search(&task).ok()?;
    for finding in found.findings.iter() {
        // It panics if the states on the way do not lead to one another.
        replay(&Interpreter::new(system, Options::default()), &task, &found, finding);
    }
    Some(found)
}

fn outcomes(search: &Search) -> Vec<String> {
    let name = |outcome: &Outcome| match outcome {
        Outcome::Violation(v) => format!("{:?} at {:?}", std::mem::discriminant(&v.kind), v.source),
        other => format!("{other:?}"),
    };
    let mut names: Vec<String> = search.findings.iter().map(|f| name(&f.outcome)).collect();
    names.sort();
    names
}

/// Nothing is counted if the program is too large.
fn compare(system: &System) -> Tally {
    let mut tally = Tally::default();
    let Some(all) = run(system, Order::BreadthFirst, false, false) else { return tally };
    if all.stopped.is_some() || all.states > LIMIT as u64 {
        return tally;
    }
    tally.count("searched", 1);
    for reduced in [false, true] {
        let Some(directed) = run(system, Order::Directed, reduced, false) else { return tally };
        if outcomes(&directed) != outcomes(&all) {
            tally.wrong(format!("{:?} for {:?}", outcomes(&directed), outcomes(&all)));
        }
        if !reduced && directed.states != all.states {
            tally.wrong(format!("{} states instead of {}", directed.states, all.states));
        }
    }
    if !all.findings.is_empty() {
        tally.count("violated", 1);
        let [shallow, directed] = [Order::BreadthFirst, Order::Directed]
            .map(|order| run(system, order, false, true).map_or(0, |found| found.states));
        // Each queue may find the successors of one state more than its share.
        if directed > 2 * shallow + 40 {
            tally.wrong(format!("{directed} states to the first violation, {shallow} by distance"));
        }
    }
    tally
}

static COMPARED: PerModel<Tally> = PerModel::new(|fixture| compare(&system_of(fixture)));
resy_testkit::each_model!(directed_search_finds_the_same, crate::directed::finds_the_same);

fn finds_the_same(fixture: &Fixture) {
    COMPARED.assert_right(fixture);
}

#[test]
fn enough_models_are_searched_in_both_orders() {
    let total = COMPARED.total();
    assert!(total.n("searched") >= 200, "only {}", total.n("searched"));
    assert!(total.n("violated") >= 40, "only {}", total.n("violated"));
}

#[test]
fn directed_search_finds_the_same_on_random_programs() {
    let total = Tally::sum(random(0..150), compare);
    total.assert_right();
    assert!(total.n("violated") >= 20, "only {}", total.n("violated"));
}

/// Searches for the first violation of an assertion.
fn first_violation(program: &str, order: Order) -> Search {
    let system = system(program);
    let limits = Limits { first_violation: true, ..Limits::default() };
    let task = Task::new(&system).order(order).end_states(false).limits(limits);
    let found = search(&task).expect("a first state");
    assert_eq!(found.findings.len(), 1);
    found
}

/// A search by distance needs 598,632 states for seven processes, and four times as many for one more.
#[test]
fn a_plan_leads_through_a_lock_with_many_processes() {
    let file = models_dir().join("../bench/models/fischer.pml");
    let text = std::fs::read_to_string(file).expect("the model");
    let found = first_violation(&format!("#define N 9\n#define HASTY\n{text}"), Order::Directed);
    assert!(found.states < 1_000, "{} states", found.states);
    assert!(found.depth < 30, "{} deep", found.depth);
}

/// In the first option a violation always seems near: `a` and `b` change together, which no plan sees.
#[test]
fn a_plan_that_leads_astray_costs_at_most_twice_the_states() {
    let program = "byte a, b, x, y;
        active proctype P() {
            if
            :: d_step { a = 1; b = 1 }
               do
               :: d_step { a = 1 - a; b = 1 - b }
               :: x < 100 -> x++
               :: y < 100 -> y++
               :: assert(!(a == 1 && b == 0))
               od
            :: skip; y = 1; y = 2; y = 3; y = 4; y = 5; y = 6; y = 7; y = 8; assert(false)
            fi
        }";
    let [shallow, directed] =
        [Order::BreadthFirst, Order::Directed].map(|order| first_violation(program, order).states);
    assert!(directed <= 2 * shallow + 10, "{directed} states, {shallow} by distance");
}

/// Plans lead astray all the time here: without an end to it, the search would visit half as many states again.
#[test]
fn plans_that_lead_no_nearer_are_followed_less_and_less() {
    let file = models_dir().join("../bench/models/sliding_window.pml");
    let text = std::fs::read_to_string(file).expect("the model");
    let program = format!("#define SHORT\n{text}");
    let [shallow, directed] =
        [Order::BreadthFirst, Order::Directed].map(|order| first_violation(&program, order).states);
    assert!(shallow > 7_000, "only {shallow} states");
    assert!(directed <= shallow + shallow / 4, "{directed} states, {shallow} by distance");
}

/// The states until the first violation of the claims of a family of models, and the steps of the run.
fn claim_of_family(name: &str, n: usize) -> (u64, usize) {
    let file = models_dir().join(format!("../bench/families/{name}.pml"));
    let text = std::fs::read_to_string(file).expect("the model");
    let system = system(&format!("#define N {n}\n#define BROKEN\n{text}"));
    let claims = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let limits =
        Limits { first_violation: true, transitions: Some(4_000_000), ..Limits::default() };
    let task = Task::new(&system).monitors(Monitors::new(claims.collect()));
    let task = task.order(Order::Directed).end_states(false).limits(limits);
    let found = search(&task).expect("a first state");
    let finding = found.findings.iter().next().unwrap_or_else(|| panic!("nothing in {name}"));
    let run = replay(&Interpreter::new(&system, Options::default()), &task, &found, finding);
    (found.states, run.len())
}

/// A plan has both in the critical section at once, and each alone seems near to it: states without a way out are
/// explored by the million, and a search by distance does not end either. A walk passes through.
#[test]
fn walks_pass_through_wide_plains() {
    for (name, n, most_states, most_steps) in [
        ("lock_server", 8, 50_000, 60),
        ("token_ring", 8, 300_000, 130),
        ("cache_coherence", 6, 400_000, 100),
    ] {
        let (states, steps) = claim_of_family(name, n);
        assert!(states <= most_states, "{name}: {states} states");
        assert!(steps <= most_steps, "{name}: {steps} steps");
        assert_eq!((states, steps), claim_of_family(name, n), "walks are the same each time");
    }
}
