//! The law of the cut (T1): the reachable product of the components is the state graph of the
//! program.

use crate::common::{Graph, models, product, random, state_graph};
use resy_network::{Budget, Cut, Manner, close};
use resy_system::{Cell, Expr, Interpreter, Options, System};

/// Larger graphs take too long here.
const MOST: usize = 20_000;

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Equal(usize),
    Refused(String),
    TooLarge,
}

fn compare(system: &System, in_pieces: bool) -> Result<Answer, String> {
    let interpreter = Interpreter::new(system, Options::default());
    let mut manner = Manner { strict: true, ..Manner::default() };
    if in_pieces {
        if let Ok(cut) = Cut::of(interpreter.clone(), Vec::new(), &manner) {
            (manner.rings, manner.sums) = (buffered(&cut), counters(&cut));
        }
        if manner.rings.is_empty() && manner.sums.is_empty() {
            return Ok(Answer::Refused("nothing can be cut into pieces".to_owned()));
        }
    }
    let cut = match Cut::of(interpreter.clone(), Vec::new(), &manner) {
        Ok(cut) => cut,
        Err(refusal) => return Ok(Answer::Refused(refusal.to_string())),
    };
    let Some(graph) = state_graph(&interpreter, &cut, MOST) else {
        return Ok(Answer::TooLarge);
    };
    let budget = Budget { states: 20_000, labels: 50_000, attempts: 200_000 };
    let (closure, overrun) = close(&cut, budget, &Default::default(), &mut |_| true);
    if overrun.is_some() {
        return Ok(Answer::TooLarge);
    }
    let Some(product) = product(&closure, &cut, 4 * MOST) else {
        return Ok(Answer::TooLarge);
    };
    if asks_timeout(system) {
        return match graph.edges.keys().find(|s| !product.edges.contains_key(*s)) {
            Some(state) => Err(format!("{state:?} is missing")),
            None => Ok(Answer::Equal(graph.edges.len())),
        };
    }
    match difference(&graph, &product) {
        Some(difference) => Err(difference),
        None => Ok(Answer::Equal(graph.edges.len())),
    }
}

fn buffered(cut: &Cut<'_>) -> Vec<usize> {
    let capacity = |chan: usize| cut.system().channel_types[cut.channels[chan].ty].capacity;
    (0..cut.channels.len()).filter(|&chan| capacity(chan) > 0).collect()
}

fn counters(cut: &Cut<'_>) -> Vec<Cell> {
    let cells = (0..cut.globals.len()).map(|offset| Cell::Global(offset as u32));
    cells.filter(|&cell| cut.is_counter(cell)).collect()
}

fn asks_timeout(system: &System) -> bool {
    let mut found = false;
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        edge.command.walk(&mut |e| found |= matches!(e, Expr::Timeout));
    }
    found
}

fn difference(graph: &Graph, product: &Graph) -> Option<String> {
    if graph == product {
        return None;
    }
    for (state, next) in &graph.edges {
        match product.edges.get(state) {
            None => return Some(format!("state {state:?} is missing")),
            Some(other) if other != next => {
                return Some(format!("from {state:?}: {other:?}, should be {next:?}"));
            }
            Some(_) => {}
        }
    }
    let more = product.edges.keys().find(|s| !graph.edges.contains_key(*s));
    Some(format!("state {more:?} is too much"))
}

fn check(systems: impl Iterator<Item = (String, System)>, in_pieces: bool) -> (usize, Vec<String>) {
    let (mut equal, mut wrong) = (0, Vec::new());
    for (name, system) in systems {
        match compare(&system, in_pieces) {
            Ok(Answer::Equal(_)) => equal += 1,
            Ok(other) => eprintln!("{name}: {other:?}"),
            Err(difference) => wrong.push(format!("{name}: {difference}")),
        }
    }
    (equal, wrong)
}

#[test]
fn the_product_is_the_state_graph_of_every_model() {
    let (equal, wrong) = check(models(), false);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(equal >= 60, "only {equal} could be compared");
}

#[test]
fn the_product_is_the_state_graph_of_random_programs() {
    // A longer run: RESY_SEEDS=0..5000 cargo test -p resy-network --test it product::random
    let seeds = std::env::var("RESY_SEEDS").unwrap_or_else(|_| "0..120".to_owned());
    let (from, to) = seeds.split_once("..").expect("FROM..TO");
    let seeds: std::ops::Range<u64> =
        from.parse().expect("a number")..to.parse().expect("a number");
    let programs = seeds.end - seeds.start;
    let (equal, wrong) = check(random(seeds), false);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(equal as u64 >= programs / 2, "only {equal} could be compared");
    eprintln!("{equal} of {programs} compared");
}

#[test]
fn the_product_is_the_same_with_channels_and_counters_in_pieces() {
    let (equal, wrong) = check(models().chain(random(0..60)), true);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(equal >= 50, "only {equal} could be compared");
}
