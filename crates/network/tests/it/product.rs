//! The law of the cut (T1): the reachable product of the components is the state graph of the
//! program.

use crate::common::{Graph, product, state_graph};
use resy_network::{Budget, Cut, CutObstacle, Manner, close};
use resy_system::{Cell, Expr, Interpreter, Options, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::systems::{random, seeds, system_of};

/// Larger graphs take too long here.
const MOST: usize = 20_000;

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Equal(usize),
    Refused(String),
    TooLarge,
}

#[test]
fn a_cut_can_be_cancelled() {
    let steps = "x = 1; x = 2;".repeat(100);
    let system =
        resy_testkit::systems::system(&format!("byte x; active [2] proctype P() {{ {steps} }}"));
    let interpreter = Interpreter::new(&system, Options::default());
    let cut = |go_on: &mut dyn FnMut() -> bool| {
        Cut::of_while(interpreter.clone(), Vec::new(), &Manner::default(), go_on).map(drop)
    };
    assert!(cut(&mut || true).is_ok());
    let why = cut(&mut || false).expect_err("it is cancelled").why;
    assert_eq!(why, CutObstacle::Stopped);
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
    let (closure, overrun) = close(&cut, budget, &Default::default(), &mut |_| true, &mut |_| true);
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

fn tally(system: &System, in_pieces: bool) -> Tally {
    let mut tally = Tally::default();
    match compare(system, in_pieces) {
        Ok(Answer::Equal(_)) => tally.count("equal", 1),
        Ok(other) => eprintln!("{other:?}"),
        Err(difference) => tally.wrong(difference),
    }
    tally
}

static WHOLE: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture), false));
static IN_PIECES: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture), true));
resy_testkit::each_model!(the_product_is_the_state_graph, crate::product::is_the_state_graph);
resy_testkit::each_model!(channels_and_counters_in_pieces, crate::product::is_the_same_in_pieces);

fn is_the_state_graph(fixture: &Fixture) {
    WHOLE.assert_right(fixture);
}

/// With channels and counters in pieces.
fn is_the_same_in_pieces(fixture: &Fixture) {
    IN_PIECES.assert_right(fixture);
}

#[test]
fn enough_models_could_be_compared() {
    let (whole, in_pieces) = (WHOLE.total().n("equal"), IN_PIECES.total().n("equal"));
    assert!(whole >= 320 && in_pieces >= 98, "{whole} whole and {in_pieces} in pieces");
}

#[test]
fn the_product_is_the_state_graph_of_random_programs() {
    // A longer run: RESY_SEEDS=0..5000 cargo test -p resy-network --test it random_programs
    let seeds = seeds("RESY_SEEDS", 0..120);
    let programs = (seeds.end - seeds.start) as usize;
    let total = Tally::sum(random(seeds), |system| tally(system, false));
    total.assert_right();
    assert!(total.n("equal") >= programs / 2, "only {} could be compared", total.n("equal"));
}

#[test]
fn the_product_is_the_same_in_pieces_on_random_programs() {
    let total = Tally::sum(random(0..60), |system| tally(system, true));
    total.assert_right();
    assert!(total.n("equal") >= 10, "only {} could be compared", total.n("equal"));
}
