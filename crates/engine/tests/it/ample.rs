//! The laws of partial order reduction, on the production search in every order and under both provisos: the same
//! violations as a naive search of everything, the same violated claims, and no state more.

use resy_engine::search::workers::{self, Workers};
use resy_engine::search::{
    Ample, Lossy, Order, Proviso, Search, Task, Threads, search, search_lossy,
};
use resy_passes::{Visible, merge, reset_dead};
use resy_system::{ClaimMonitor, Interpreter, Monitors, Options, Outcome, System};
use resy_testkit::each::{PerModel, Tally};
use resy_testkit::fixtures::Fixture;
use resy_testkit::naive::{Seen, explore};
use resy_testkit::systems::{random, system, system_of};
use std::collections::BTreeSet;

/// Beyond this many states a model is left out.
const LIMIT: usize = 20_000;
/// Beyond this many states it is not searched by a team, whose levels take longer.
const TEAM_LIMIT: u64 = 2000;

/// The searches that reduce.
#[derive(Copy, Clone, Debug)]
enum Kind {
    BreadthFirst,
    /// Breadth-first, by threads that share a store.
    Threads,
    DepthFirst,
    HashCompact,
    /// Workers with a store each, as hosts are.
    Team,
}

const KINDS: [Kind; 4] = [Kind::BreadthFirst, Kind::Threads, Kind::DepthFirst, Kind::HashCompact];
const PROVISOS: [Proviso; 2] = [Proviso::OneLater, Proviso::AllLater];

/// A search of everything, or a reduced one under a proviso.
fn run(system: &System, monitors: &Monitors, kind: Kind, proviso: Option<Proviso>) -> Search {
    let visible = Visible::new(monitors.conditions().to_vec());
    let ample = proviso.map(|p| {
        Ample::of(system, &visible, Options::default()).expect("it is small").with_proviso(p)
    });
    let task = Task::new(system).monitors(monitors.clone()).ample(ample).compiled(false);
    let found = match kind {
        Kind::BreadthFirst => search(&task).ok(),
        Kind::Threads => search(&task.threads(Threads { n: 3, alone: 0, narrow: 2 })).ok(),
        Kind::DepthFirst => search(&task.order(Order::DepthFirst)).ok(),
        Kind::HashCompact => search_lossy(&task, Lossy::HashCompact).ok(),
        Kind::Team => {
            let inside = Threads { n: 2, alone: 0, narrow: 2 };
            let team = Workers { threads: 3, inside, hosts: None, alone: 0 };
            workers::search(&task, &team, None, &|_| ()).ok()
        }
    };
    found.expect("there is a first state")
}

/// The violations in the form of the naive search: kind and source position.
fn violations(search: &Search) -> BTreeSet<String> {
    let name = |outcome: &Outcome| match outcome {
        Outcome::InvalidEnd => "invalid end".to_owned(),
        Outcome::Violation(v) => {
            let kind = format!("{:?}", v.kind);
            format!("{} at {:?}", kind.split('(').next().unwrap_or_default(), v.source)
        }
        other => format!("{other:?}"),
    };
    search.findings.iter().map(|f| name(&f.outcome)).collect()
}

fn together(system: &System, visible: &Visible) -> System {
    merge(&reset_dead(system, visible), visible)
}

fn plain(system: &System) -> Option<Seen> {
    explore(&Interpreter::new(system, Options::default()), LIMIT)
}

/// An error if a reduced search has lost or added violations or states; otherwise its number of states.
fn compare(expected: &BTreeSet<String>, n_states: u64, reduced: &Search) -> Result<u64, String> {
    let ours = violations(reduced);
    if ours != *expected {
        return Err(format!("{ours:?} instead of {expected:?}"));
    }
    if reduced.states > n_states {
        return Err(format!("{} states instead of {n_states}", reduced.states));
    }
    Ok(reduced.states)
}

/// Compares all reduced searches of a program with what a search of everything has found.
fn compare_all(
    systems: [(&str, &System); 2],
    monitors: &Monitors,
    expected: &BTreeSet<String>,
    n_states: u64,
) -> Tally {
    let mut tally = Tally::default();
    tally.count("searched", 1);
    for (what, system) in systems {
        for (kind, proviso) in KINDS.iter().flat_map(|&k| PROVISOS.map(|p| (k, p))) {
            let found = run(system, monitors, kind, Some(proviso));
            match compare(expected, n_states, &found) {
                Ok(states) => tally.count("shrunk", usize::from(states < n_states)),
                Err(why) => tally.wrong(format!("{what}, {kind:?}, {proviso:?}: {why}")),
            }
        }
        for proviso in PROVISOS.into_iter().filter(|_| n_states <= TEAM_LIMIT) {
            let found = run(system, monitors, Kind::Team, Some(proviso));
            match compare(expected, n_states, &found) {
                Ok(states) => tally.count("shrunk by a team", usize::from(states < n_states)),
                Err(why) => tally.wrong(format!("{what}, a team, {proviso:?}: {why}")),
            }
        }
    }
    tally
}

/// Nothing is counted if the program is too large.
fn answers(system: &System) -> Tally {
    let Some(all) = plain(system) else { return Tally::default() };
    let both = together(system, &Visible::nothing());
    let systems = [("alone", system), ("with passes", &both)];
    compare_all(systems, &Monitors::default(), &all.violations, all.states.len() as u64)
}

static ANSWERS: PerModel<Tally> = PerModel::new(|fixture| answers(&system_of(fixture)));
resy_testkit::each_model!(reduction_keeps_the_answers, crate::ample::keeps_the_answers);

fn keeps_the_answers(fixture: &Fixture) {
    ANSWERS.assert_right(fixture);
}

fn assert_enough(total: &Tally, at_least: usize) {
    let (n, shrunk) = (total.n("searched"), total.n("shrunk"));
    assert!(n >= at_least, "only {n} programs were searched");
    assert!(shrunk > 4 * n, "only {shrunk} of 16 times {n} shrink");
    let by_team = total.n("shrunk by a team");
    assert!(by_team > n / 2, "only {by_team} of 4 times {n} shrink by a team");
}

#[test]
fn enough_models_shrink() {
    assert_enough(&ANSWERS.total(), 200);
}

#[test]
fn reduction_keeps_the_answers_on_random_programs() {
    let total = Tally::sum(random(0..250), answers);
    total.assert_right();
    assert_enough(&total, 150);
}

/// All claims of a model that a reduction must preserve, beside its other properties.
fn claims(fixture: &Fixture) -> Tally {
    let system = system_of(fixture);
    let claims = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let monitors: Vec<ClaimMonitor> = claims.filter(|m| !m.counts_steps()).collect();
    if monitors.is_empty() {
        return Tally::default();
    }
    let monitors = Monitors::new(monitors);
    let all = run(&system, &monitors, Kind::BreadthFirst, None);
    let expected = violations(&all);
    let visible = Visible::new(monitors.conditions().to_vec());
    let both = together(&system, &visible);
    let systems = [("alone", &system), ("with passes", &both)];
    let mut tally = compare_all(systems, &monitors, &expected, all.states);
    tally.count("violated", usize::from(expected.iter().any(|v| v.starts_with("Claim"))));
    tally
}

static CLAIMS: PerModel<Tally> = PerModel::new(claims);
resy_testkit::each_model!(reduction_keeps_the_claims, crate::ample::keeps_the_claims);

fn keeps_the_claims(fixture: &Fixture) {
    CLAIMS.assert_right(fixture);
}

#[test]
fn enough_models_have_claims() {
    let total = CLAIMS.total();
    let [n, violated, shrunk] = ["searched", "violated", "shrunk"].map(|kind| total.n(kind));
    assert!(n >= 25 && violated >= 10, "{n} models with claims, {violated} violate one");
    assert!(shrunk > n, "only {shrunk} of 16 times {n} shrink");
}

#[test]
fn a_ring_needs_no_declaration_of_exclusive_channels() {
    let ring = system(
        "chan q[4] = [1] of {byte};
         proctype Node(chan from, to) { byte x; do :: from?x; to!x od }
         init { byte i; atomic {
             do :: i < 4 -> run Node(q[i], q[(i + 1) % 4]); i++ :: else -> break od };
             q[0]!1; q[2]!2 }",
    );
    let all = plain(&ring).expect("small").states.len() as u64;
    let few = run(&ring, &Monitors::default(), Kind::BreadthFirst, Some(Proviso::OneLater));
    assert!(few.states < all, "{} states of {all}", few.states);
}

#[test]
fn no_process_is_ignored() {
    // The cycle is private: without a proviso it alone would be explored.
    let cycle = system(
        "active proctype Q() { assert(false) }
         active proctype P() { bit a; do :: a = 1 - a od }",
    );
    for (kind, proviso) in KINDS.iter().chain(&[Kind::Team]).flat_map(|&k| PROVISOS.map(|p| (k, p)))
    {
        let found = run(&cycle, &Monitors::default(), kind, Some(proviso));
        assert!(!found.findings.is_empty(), "{kind:?}, {proviso:?}");
    }
}

#[test]
fn the_stronger_proviso_expands_more() {
    // The steps of P are private. At every count there is one that is later, and one that stays.
    let program = system(
        "active proctype Q() { byte b; b = 1; b = 2; b = 3 }
         active proctype P() { byte a; do :: atomic { a < 5 -> a++ } :: a < 5 :: a == 5 -> break od }",
    );
    let none = Monitors::default();
    let states = |proviso| run(&program, &none, Kind::BreadthFirst, proviso).states;
    let [all, one_later, all_later] =
        [None, Some(Proviso::OneLater), Some(Proviso::AllLater)].map(states);
    assert!(one_later < all_later && all_later <= all, "{one_later}, {all_later}, {all}");
}
