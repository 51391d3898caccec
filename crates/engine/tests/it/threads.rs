//! Threads that share a store against one thread, on every model: not only the same counts and violations, but the same
//! states with the same numbers, hence the same runs; with partial order reduction and without.

use crate::saved::Scratch;
use crate::stores::{FLAT, TREE, half_of, result, task};
use resy_engine::search::{
    self, Identity, Keeper, Limits, Search, Stopped, StorePolicy, Task, Threads, search_kept,
};
use resy_engine::store::StoreKind;
use resy_system::System;
use resy_testkit::fixtures::{Fixture, fixture};
use resy_testkit::process;
use resy_testkit::systems::{system, system_of};
use std::cell::Cell;
use std::time::Duration;

/// Larger models would take too long here.
const MOST: u64 = 6_000;

/// Threads that do not leave small levels to one of them.
fn threads(n: usize) -> Threads {
    Threads { n, alone: 0, narrow: 2 }
}

fn search_by(n: usize, task: Task<'_>) -> (String, Search) {
    search_in(FLAT, n, task)
}

fn search_in(store: StorePolicy, n: usize, task: Task<'_>) -> (String, Search) {
    let task = task.threads(threads(n)).store(store);
    let search = search::search(&task).expect("it starts");
    (result(&task, &search), search)
}

resy_testkit::each_model!(threads_find_what_one_finds, crate::threads::case);

fn case(fixture: &Fixture) {
    if fixture.spin.as_ref().is_some_and(|spin| spin.states >= MOST) {
        return;
    }
    let system = system_of(fixture);
    for reduces in [false, true] {
        let (one, flat) = search_by(1, task(&system, reduces));
        for (store, n) in [2, 3, 8].iter().flat_map(|&n| [(FLAT, n), (TREE, n)]) {
            let (several, _) = search_in(store, n, task(&system, reduces));
            assert_eq!(several, one, "{n} threads, {store:?}, reduction: {reduces}");
        }
        let (converted, _) = search_in(half_of(&flat), 3, task(&system, reduces));
        assert_eq!(converted, one, "converted, reduction: {reduces}");
    }
}

#[test]
fn the_first_violation_is_that_of_one_thread() {
    let limits = Limits { first_violation: true, ..Limits::default() };
    for name in ["violated/both_kinds", "violated/lost_update", "violated/dining_deadlock"] {
        let system = system_of(&fixture(name));
        for reduces in [false, true] {
            let [one, two, eight] =
                [1, 2, 8].map(|n| search_by(n, task(&system, reduces).limits(limits)).0);
            assert_eq!((&two, &eight), (&one, &one), "{name}");
        }
    }
}

/// Large enough for many rounds a level, with compiled steps.
#[test]
fn large_levels_take_several_rounds() {
    let system = system_of(&fixture("mutex/bakery"));
    for reduces in [false, true] {
        let [one, two, eight] =
            [1, 2, 8].map(|n| search_by(n, task(&system, reduces).compiled(true)).0);
        assert_eq!((&two, &eight), (&one, &one));
    }
}

/// The tree is learned meanwhile, and parts have the same numbers.
#[test]
fn threads_share_a_tree_that_is_learned() {
    let system = system_of(&fixture("mutex/bakery"));
    let by = |n| search_in(TREE, n, task(&system, false).compiled(true));
    let [one, two, eight] = [1, 2, 8].map(by);
    assert!(one.1.states > 1 << 16);
    assert_eq!((&two.0, &eight.0), (&one.0, &one.0));
    let parts = |of: &Search| of.stores[0].parts();
    assert_eq!((parts(&two.1), parts(&eight.1)), (parts(&one.1), parts(&one.1)));
}

#[test]
fn a_store_that_is_shared_becomes_a_tree() {
    let system = system_of(&fixture("mutex/bakery"));
    let (one, flat) = search_by(1, task(&system, false).compiled(true));
    let task = task(&system, false).compiled(true).threads(threads(3)).store(half_of(&flat));
    let both = search::search(&task).expect("it starts");
    assert_eq!(both.stores[0].kind(), StoreKind::Tree);
    assert_eq!(result(&task, &both), one);
}

/// Processes are created all the time, and their vectors have other shapes.
#[test]
fn late_processes_have_the_shapes_of_one_thread() {
    let system = system(
        "byte x;
         proctype Short(byte a) { x = x ^ a }
         proctype Long(byte a, b) { byte c; c = a + b; x = x ^ c; if :: c < 3 -> run Short(c) :: else fi }
         active proctype Main() {
             byte i;
             do :: i < 3 -> i++; if :: run Short(i) :: run Long(i, x) fi :: else -> break od
         }",
    );
    for reduces in [false, true] {
        let [one, two, eight] = [1, 2, 8].map(|n| search_by(n, task(&system, reduces)));
        assert!(one.1.states > 1_000, "only {} states", one.1.states);
        assert_eq!((&two.0, &eight.0), (&one.0, &one.0));
        assert_eq!(search_in(TREE, 3, task(&system, reduces)).0, one.0);
    }
}

/// Two threads meet one new shape each in the same round, which has no result; the search meets one of them much later.
#[test]
fn shapes_of_a_round_without_result_are_forgotten() {
    let system = system(
        "byte x, y, z;
         proctype Short() { skip }
         proctype Long() { short q; q = 1; q = 2 }
         active proctype P() { do :: x < 24 -> x++ :: else -> break od; run Short() }
         active proctype Q() { do :: y < 24 -> y++ :: else -> break od; run Long() }
         active proctype R() { do :: z < 24 -> z++ :: else -> break od }",
    );
    let [one, two, three] = [1, 2, 3].map(|n| search_by(n, task(&system, false).compiled(true)).0);
    assert_eq!((&two, &three), (&one, &one));
    assert_eq!(search_in(TREE, 3, task(&system, false).compiled(true)).0, one);
}

#[test]
fn limits_stop_all_threads() {
    let system = system_of(&fixture("mutex/bakery"));
    let interrupt = std::sync::atomic::AtomicBool::new(true);
    let limits = [
        (Limits { timeout: Some(Duration::ZERO), ..Limits::default() }, Stopped::Timeout),
        (Limits { memory: Some(1), ..Limits::default() }, Stopped::Memory),
        (Limits { interrupt: Some(&interrupt), ..Limits::default() }, Stopped::Interrupt),
    ];
    for (limits, reason) in limits {
        let (_, found) = search_by(2, task(&system, false).limits(limits));
        assert_eq!(found.stopped, Some(reason));
        assert!(found.states < 107_430, "{} states in spite of {reason:?}", found.states);
    }
}

/// A search is interrupted again and again, and goes on with another number of threads each time.
#[test]
fn a_saved_search_goes_on_with_any_number_of_threads() {
    let _no_starts = process::no_starts();
    let system = system_of(&fixture("mutex/bakery"));
    let (whole, _) = search_by(1, task(&system, true).compiled(true));
    let identity = || Identity::default().fact("model", "bakery");
    let (scratch, every) = (Scratch::new("threads"), Duration::from_secs(600));
    let mut keeper = Keeper::create(&scratch.0, identity(), every).expect("a new folder");
    let mut n_parts = 0;
    loop {
        // Asked between rounds.
        let asked = Cell::new(0);
        let goes_on = || asked.replace(asked.get() + 1) < 20;
        let limits = Limits { goes_on: Some(&goes_on), ..Limits::default() };
        let (n, store) = ([3, 1, 2][n_parts % 3], [FLAT, TREE][n_parts / 3 % 2]);
        let task = with(&system, n, limits).store(store);
        let part = search_kept(&task, &mut keeper).expect("it starts");
        assert!(keeper.failure().is_none());
        n_parts += 1;
        if part.stopped.is_none() {
            assert_eq!(result(&task, &part), whole);
            break;
        }
        drop(keeper);
        keeper = Keeper::open(&scratch.0, identity(), every).expect("what was saved");
    }
    assert!(n_parts > 3, "only {n_parts} parts");
}

fn with<'a>(system: &'a System, n: usize, limits: Limits<'a>) -> Task<'a> {
    task(system, true).compiled(true).threads(threads(n)).store(FLAT).limits(limits)
}
