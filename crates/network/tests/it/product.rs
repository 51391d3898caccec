//! The law of the cut (T1): the reachable product of the components is the state graph of the
//! program.

use crate::common::{Graph, product, state_graph};
use resy_network::{Budget, Cut, CutObstacle, Manner, bounds, close_within, occurring, slots};
use resy_system::{Cell, Interpreter, Options, State, System};
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

/// How a program is cut.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Way {
    /// As it is.
    Whole,
    /// With channels and counters in pieces.
    InPieces,
    /// With components that are bounded by what occurs.
    Bounded,
}

fn compare(system: &System, way: Way) -> Result<Answer, String> {
    let interpreter = Interpreter::new(system, Options::default());
    let (manner, states) = match manner(&interpreter, way) {
        Ok(found) => found,
        Err(why) => return Ok(Answer::Refused(why)),
    };
    compare_cut(&interpreter, &manner, states)
}

/// Compares a program that is cut in a manner and bounded by these states.
fn compare_cut(
    interpreter: &Interpreter<'_>,
    manner: &Manner,
    states: Option<Vec<State>>,
) -> Result<Answer, String> {
    let cut = match Cut::of(interpreter.clone(), Vec::new(), manner) {
        Ok(cut) => cut,
        Err(refusal) => return Ok(Answer::Refused(refusal.to_string())),
    };
    let Some(graph) = state_graph(interpreter, &cut, MOST) else {
        return Ok(Answer::TooLarge);
    };
    let budget = Budget { states: 20_000, labels: 50_000, attempts: 200_000 };
    let bounds = states.map(|states| bounds(&cut, &states));
    let (go_on, limits) = (&mut |_| true, Default::default());
    let (closure, overrun) =
        close_within(&cut, budget, &limits, bounds.as_ref(), &mut |_| true, go_on);
    if overrun.is_some() {
        return Ok(Answer::TooLarge);
    }
    let Some(product) = product(&closure, &cut, 4 * MOST) else {
        return Ok(Answer::TooLarge);
    };
    match difference(&graph, &product) {
        Some(difference) => Err(difference),
        None => Ok(Answer::Equal(graph.edges.len())),
    }
}

/// The options of a cut, and the states by which it is bounded. A program that creates processes late is always
/// bounded.
fn manner(interpreter: &Interpreter<'_>, way: Way) -> Result<(Manner, Option<Vec<State>>), String> {
    let mut manner = Manner { strict: true, ..Manner::default() };
    let states = |initial| occurring(interpreter, initial, MOST, &mut || true).ok_or("many states");
    let cut = match Cut::of(interpreter.clone(), Vec::new(), &manner) {
        Err(refusal) if refusal.why == CutObstacle::LateRun && way != Way::InPieces => {
            let states = states(interpreter.initial().map_err(|e| e.to_string())?)?;
            manner.slots = slots(interpreter, &states).ok_or("channels have no fixed number")?;
            manner.within = true;
            return Ok((manner, Some(states)));
        }
        cut => cut.map_err(|refusal| refusal.to_string())?,
    };
    match way {
        Way::Whole => Ok((manner, None)),
        Way::Bounded => {
            manner.within = true;
            Ok((manner, Some(states(cut.initial.clone())?)))
        }
        Way::InPieces => {
            (manner.rings, manner.sums) = (buffered(&cut), counters(&cut));
            match manner.rings.is_empty() && manner.sums.is_empty() {
                true => Err("nothing can be cut into pieces".to_owned()),
                false => Ok((manner, None)),
            }
        }
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

fn tally(system: &System, way: Way) -> Tally {
    let mut tally = Tally::default();
    match compare(system, way) {
        Ok(Answer::Equal(_)) => tally.count("equal", 1),
        Ok(other) => eprintln!("{other:?}"),
        Err(difference) => tally.wrong(difference),
    }
    tally
}

static WHOLE: PerModel<Tally> = PerModel::new(|fixture| tally(&system_of(fixture), Way::Whole));
static IN_PIECES: PerModel<Tally> =
    PerModel::new(|fixture| tally(&system_of(fixture), Way::InPieces));
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
    let total = Tally::sum(random(seeds), |system| tally(system, Way::Whole));
    total.assert_right();
    assert!(total.n("equal") >= programs / 2, "only {} could be compared", total.n("equal"));
}

#[test]
fn the_product_is_the_same_in_pieces_on_random_programs() {
    let total = Tally::sum(random(0..60), |system| tally(system, Way::InPieces));
    total.assert_right();
    assert!(total.n("equal") >= 10, "only {} could be compared", total.n("equal"));
}

/// A bounded component has no more local states than occur, and the product is the same.
#[test]
fn the_product_is_the_same_within_bounds_on_random_programs() {
    let total = Tally::sum(random(200..260), |system| tally(system, Way::Bounded));
    total.assert_right();
    assert!(total.n("equal") >= 30, "only {} could be compared", total.n("equal"));
}

/// Programs that create processes after their start: in a loop, by several processes, after the death of others.
#[test]
fn processes_that_are_created_late_are_components() {
    let worker = "proctype W(byte n) { byte x = n; sum = sum + x }";
    for (text, n_slots) in [
        (
            "init { byte i; do :: i < 3 && sum < 50 -> run W(i); i++ :: i == 3 -> break od; sum = 9 }",
            4,
        ),
        ("active [2] proctype P() { run W(_pid); sum = 7 }", 4),
        ("init { byte k; if :: k = 1 :: k = 2 fi; run W(k); _nr_pr == 1; run W(k + 1) }", 2),
        ("init { byte p; p = run W(1); p = run W(p); assert(p > 0) }", 3),
        (
            "proctype V() { chan c = [1] of { byte }; byte y; c!1; c?y; run W(y); sum > 99 } init { atomic { sum > 0 || true; run V(); run V() } }",
            5,
        ),
        (
            "active proctype P() { run Q() } proctype Q() { if :: run W(1) :: run R() fi } proctype R() { sum = 4 }",
            3,
        ),
    ] {
        let text = format!("byte sum; {worker} {text}");
        let system = resy_testkit::systems::system(&text);
        let interpreter = Interpreter::new(&system, Options::default());
        let (manner, _) =
            manner(&interpreter, Way::Whole).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(manner.slots.len(), n_slots, "{text}");
        let equal = compare(&system, Way::Whole);
        assert!(matches!(equal, Ok(Answer::Equal(n)) if n > 3), "{text}: {equal:?}");
        // Without bounds the closure sees errors for more processes; no run leads there.
        let open = compare_cut(&interpreter, &Manner { within: false, ..manner }, None);
        assert!(matches!(open, Ok(Answer::Equal(_))), "{text}: {open:?}");
    }
}

/// What `timeout` depends on: buffers, rendezvous with and without conditions, deaths, a second `timeout`.
#[test]
fn timeout_holds_where_no_process_can_move() {
    for text in [
        "chan q = [1] of { bit }; bit lost; active proctype S() { do :: q!1 :: timeout -> break od }
         active proctype R() { q?_; lost = 1; (lost == 0) }",
        "chan r = [0] of { byte }; byte x; active proctype S() { do :: r!x :: timeout -> x++; (x < 3) od }
         active proctype R() { do :: x > 1 -> r?eval(x) od }",
        "active proctype A() { timeout } active proctype B() { skip } active proctype C() { timeout; timeout }",
        "byte x; active [2] proctype A() { if :: timeout -> x++ :: x == 1 -> x = 5 fi }",
        "byte x; active proctype A() { do :: timeout -> x = 1 - x :: else -> (x == 1) od } active proctype B() { x == 1; x == 0 }",
    ] {
        let system = resy_testkit::systems::system(text);
        let equal = compare(&system, Way::Whole);
        assert!(matches!(equal, Ok(Answer::Equal(_))), "{text}: {equal:?}");
    }
}

/// A process asks those of higher priority whether they can move.
#[test]
fn priorities_that_stay_the_same_are_respected() {
    for text in [
        "byte x; active proctype A() priority 2 { x++; x++ } active proctype B() priority 5 { x == 1; x = 7 }
         active [2] proctype C() { x == 7; x++ }",
        "chan q = [1] of { byte }; byte v; active proctype A() priority 3 { do :: q!1 :: v == 2 -> break od }
         active proctype B() { do :: q?v -> v++ od }",
        "byte x; active proctype A() priority 9 provided (x < 2) { do :: x++ od } active proctype B() { x = 5; x = 0 }",
    ] {
        let system = resy_testkit::systems::system(text);
        let equal = compare(&system, Way::Whole);
        assert!(matches!(equal, Ok(Answer::Equal(n)) if n > 2), "{text}: {equal:?}");
    }
}
