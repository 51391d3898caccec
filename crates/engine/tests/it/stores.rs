//! The flat store against the tree, and against a search that converts one to the other: the same numbers of states,
//! the same violations and the same runs.

use crate::saved::Scratch;
use resy_engine::search::{
    self, Ample, Identity, Keeper, Limits, Search, Stopped, StorePolicy, Task, replay, search_kept,
};
use resy_engine::store::StoreKind;
use resy_passes::Visible;
use resy_system::{ClaimMonitor, Interpreter, Monitors, Options, System};
use resy_testkit::fixtures::{Fixture, fixture};
use resy_testkit::process;
use resy_testkit::systems::system_of;
use std::time::Duration;

pub const FLAT: StorePolicy = StorePolicy::FlatUpTo(usize::MAX);
pub const TREE: StorePolicy = StorePolicy::FlatUpTo(0);

/// Larger models would take too long here.
const MOST: u64 = 15_000;

pub fn task(system: &System, reduces: bool) -> Task<'_> {
    let monitors = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let monitors = Monitors::new(monitors.collect());
    let visible = Visible::new(monitors.conditions().to_vec());
    let ample = reduces.then(|| Ample::of(system, &visible, Options::default())).flatten();
    Task::new(system).monitors(monitors).ample(ample).compiled(false)
}

/// Everything that must not depend on the store, with the moves of each run.
pub fn result(task: &Task<'_>, search: &Search) -> String {
    let interpreter = Interpreter::new(task.system, task.options);
    let runs = search.findings.iter().map(|found| {
        let run = replay(&interpreter, task, search, found);
        let moves: Vec<_> = run.iter().map(|r| (r.step.actor, r.step.partner)).collect();
        format!("{:?} from {}, {} times: {moves:?}", found.outcome, found.from, found.times)
    });
    let runs: Vec<String> = runs.collect();
    let Search { states, transitions, depth, stopped, n_levels, .. } = search;
    let marks = search.coverage.to_bytes();
    format!("{states} {transitions} {depth} {n_levels:?} {stopped:?} {marks:?} {runs:#?}")
}

fn search_with(task: Task<'_>, policy: StorePolicy) -> (String, Search) {
    let task = task.store(policy);
    let search = search::search(&task).expect("it starts");
    (result(&task, &search), search)
}

/// A policy that converts the store of a finished search in the middle of it.
pub fn half_of(flat: &Search) -> StorePolicy {
    const EMPTY: usize = 1 << 15;
    StorePolicy::FlatUpTo(EMPTY + flat.stores[0].memory().saturating_sub(EMPTY) / 2)
}

resy_testkit::each_model!(all_stores_find_the_same, crate::stores::case);

fn case(fixture: &Fixture) {
    if fixture.spin.as_ref().is_some_and(|spin| spin.states >= MOST) {
        return;
    }
    let system = system_of(fixture);
    for reduces in [false, true] {
        let (by_tree, tree) = search_with(task(&system, reduces), TREE);
        let (by_flat, flat) = search_with(task(&system, reduces), FLAT);
        assert_eq!(tree.stores[0].kind(), StoreKind::Tree);
        assert_eq!(flat.stores[0].kind(), StoreKind::Flat);
        assert_eq!(by_flat, by_tree);
        let (by_both, _) = search_with(task(&system, reduces), half_of(&flat));
        assert_eq!(by_both, by_tree);
        let (at_once, _) = search_with(task(&system, reduces), StorePolicy::FlatUpTo(1));
        assert_eq!(at_once, by_tree);
    }
}

#[test]
fn a_large_store_is_converted_in_the_middle() {
    let system = system_of(&fixture("mutex/bakery"));
    let (by_flat, flat) = search_with(task(&system, false).compiled(true), FLAT);
    let (by_both, both) = search_with(task(&system, false).compiled(true), half_of(&flat));
    assert_eq!(by_both, by_flat);
    assert_eq!(both.stores[0].kind(), StoreKind::Tree);
}

/// A search is stopped twice and resumed with every combination of stores.
#[test]
fn a_saved_search_goes_on_with_any_store() {
    let _no_starts = process::no_starts();
    let system = system_of(&fixture("mutex/bakery"));
    let new = |policy, transitions| {
        let limits = Limits { transitions, ..Limits::default() };
        task(&system, false).compiled(true).store(policy).limits(limits)
    };
    let identity = || Identity::default().fact("model", "bakery");
    let (whole, flat) = search_with(new(FLAT, None), FLAT);
    let policies = [FLAT, TREE, half_of(&flat)];
    for first in policies {
        for second in policies {
            let scratch = Scratch::new("stores");
            let every = Duration::from_secs(600);
            let mut keeper = Keeper::create(&scratch.0, identity(), every).expect("a new folder");
            for (policy, limit) in [(first, 40_000), (second, 150_000)] {
                let part = search_kept(&new(policy, Some(limit)), &mut keeper).expect("it starts");
                assert_eq!(part.stopped, Some(Stopped::Transitions));
                assert!(keeper.failure().is_none());
                drop(keeper);
                keeper = Keeper::open(&scratch.0, identity(), every).expect("what was saved");
            }
            let last = new(second, None);
            let end = search_kept(&last, &mut keeper).expect("it starts");
            assert_eq!(result(&last, &end), whole, "{first:?}, then {second:?}");
            drop(keeper);
            let mut keeper = Keeper::open(&scratch.0, identity(), every).expect("what was saved");
            let again = search_kept(&last, &mut keeper).expect("it starts");
            assert!(again.was_over && again.states == end.states);
        }
    }
}

#[test]
fn a_limit_ends_a_conversion() {
    let system = system_of(&fixture("mutex/bakery"));
    let (_, flat) = search_with(task(&system, false).compiled(true), FLAT);
    let memory = flat.stores[0].memory();
    let limits = Limits { memory: Some(1), ..Limits::default() };
    let task =
        task(&system, false).compiled(true).store(StorePolicy::FlatUpTo(memory / 2)).limits(limits);
    let search = search::search(&task).expect("it starts");
    assert_eq!(search.stopped, Some(Stopped::Memory));
}
