//! Counters that are bounded by what their writers can add, and variables that one process reads together.

use resy_automata::product::{Explorer, Tuples};
use resy_index::Id;
use resy_network::{
    Budget, Cut, Manner, NetworkSpec, NoSource, WatchedProperty, components_with, occurring,
};
use resy_system::{Interpreter, Options, State};
use resy_testkit::systems::system;
use std::collections::BTreeSet;

/// Processes that count where they are: up and down, once only, by two, in one block with a test, around a rendezvous and
/// in one, with a message, and with a counter that a process compares. They are so many that the counter is not
/// split into shares.
const COUNTERS: [&str; 8] = [
    "int n; active [5] proctype P() { do :: n++; n-- od }",
    "int n = 5; mtype = { idle, busy, done }; mtype at[5] = idle;
     active [5] proctype P() {
        do
        :: atomic { at[_pid] == idle -> at[_pid] = busy }
        :: atomic { at[_pid] == busy -> at[_pid] = done; n-- }
        :: n == 0 -> break
        od;
        assert(n == 0)
     }",
    "short n = 5; active [5] proctype P() { bool up; do :: atomic { !up -> n = n + 2; up = true } :: d_step { up -> n = n - 2; up = false } od }",
    "int n; active [5] proctype P() { do :: atomic { n < 2 -> n++ }; n-- od }",
    "int n; chan c = [0] of { bit }; active [3] proctype S() { do :: n++; c ! 1; n-- od }
     active [2] proctype R() { do :: c ? 1; n++; n-- od }",
    "int n; chan c = [0] of { bit }; active [5] proctype S() { do :: atomic { n++; c ! 1 }; n-- od }
     active proctype R() { do :: c ? 1 od }",
    "int n; chan c = [1] of { bit }; active [5] proctype S() { do :: n++; atomic { c ! 1; n-- } od }
     active proctype R() { do :: c ? _ od }",
    "int n, m; active [5] proctype P() { do :: n++; m--; n--; m++ od } active proctype Q() { do :: n > 0 -> n--; n++ od }",
];

/// Counters for which some process could add without end, on its own or because another one resets what it sees.
const ENDLESS: [&str; 2] = [
    "int n; active [5] proctype P() { do :: n < 90 -> n++ :: n > 0 -> n-- od }",
    "int n; bool b; active [5] proctype P() { do :: atomic { !b -> b = true; n++ } :: atomic { b -> b = false; if :: n-- :: n < 90 -> skip fi } od }",
];

fn spec(budget: Budget) -> NetworkSpec {
    NetworkSpec {
        manner: Manner::default(),
        monitors: Vec::new(),
        properties: vec![WatchedProperty::Assertions],
        budget,
    }
}

/// A process of its own, so that there are more states than labels.
const CLOCK: &str = "active proctype Clock() { byte time; do :: time = (time + 1) % 8 od }";

/// Compares the reachable product of the network with the states of the program. The network, if there is one, must be
/// exact, and have no error but those of the program.
fn is_exact(text: &str, budget: Budget) -> Option<Manner> {
    let system = system(text);
    let interpreter = Interpreter::new(&system, Options::default());
    let asked = spec(budget);
    let found = components_with(&interpreter, &asked, &mut NoSource, &mut |_| true);
    let (cut, found) = found.ok()?;
    let plain = Cut::of(interpreter.clone(), Vec::new(), &Manner::default()).expect("it is cut");
    assert!(found.doubts.is_empty() && plain.permits(&cut.manner), "{text}");
    let monitor = found.network.monitor.as_ref().expect("assertions are watched");
    let components = found.network.components.iter().map(|c| &c.lts);
    let explorer = Explorer::new(components.chain([&monitor.lts]).collect());
    let mut product = Tuples::new(found.network.components.len() + 1);
    product.insert(&explorer.initial());
    let mut next = 0;
    while next < product.len() {
        let state = product[Id::from_index(next)].to_vec();
        assert_ne!(state.last(), Some(&monitor.error), "{text}");
        explorer.successors(&state, |_, to| _ = product.insert(to));
        next += 1;
    }
    let states = occurring(&interpreter, cut.initial.clone(), 100_000, &mut || true);
    let locals = |state: &State| -> Vec<Vec<i32>> {
        cut.parts.ids().map(|part| cut.local(part, state)).collect()
    };
    let states: BTreeSet<_> = states.expect("they are few").iter().map(locals).collect();
    assert_eq!(product.len(), states.len(), "{text}");
    Some(cut.manner.clone())
}

/// The options of a cut whose counters have so many values that the program has to be bounded. It has more states than
/// labels are permitted, so that the network is not told of them.
fn counted(text: &str) -> Option<Manner> {
    let budget = Budget { states: 300, labels: 150, attempts: 1_000_000 };
    is_exact(&format!("{text} {CLOCK}"), budget)
}

#[test]
fn a_counter_has_the_values_that_its_writers_can_add() {
    for text in COUNTERS {
        assert!(counted(text).is_some_and(|manner| manner.within), "{text}");
    }
}

#[test]
fn a_counter_without_a_bound_is_too_large() {
    for text in ENDLESS {
        assert!(counted(text).is_none(), "{text}");
    }
}

#[test]
fn a_process_owns_what_it_reads_together() {
    let text = "short x, y; active proctype X() { do :: atomic { x < 120 -> x++ } :: atomic { x == 120 -> x = 0 } od }
        active proctype Y() { do :: y = (y + 1) % 130 od }
        active proctype M() { do :: assert(x + y < 250) od }";
    let budget = Budget { states: 20_000, labels: 20_000, attempts: 1_000_000 };
    let given = is_exact(text, budget).expect("there is a network").given;
    assert!(given.len() == 2 && given.iter().all(|&(_, pid)| pid == 2), "{given:?}");
}
