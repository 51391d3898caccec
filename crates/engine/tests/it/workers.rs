//! Several workers against one, on every model: the same counts, the same violations, and runs that can be
//! executed.

use resy_engine::search::workers::{self, Workers};
use resy_engine::search::{
    self, Ample, Finding, Limits, Search, StorePolicy, Task, Threads, replay, replay_while,
};
use resy_passes::Visible;
use resy_system::{ClaimMonitor, Interpreter, Monitors, Move, Options, Outcome, System};
use resy_testkit::fixtures::{Fixture, fixture, fixtures};
use resy_testkit::systems::system_of;
use std::collections::BTreeSet;

/// Larger models would take too long here.
const MOST: u64 = 60_000;

fn task<'a>(system: &'a System, limits: Limits<'a>, all_paths: bool) -> Task<'a> {
    let monitors = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
    let monitors = Monitors::new(monitors.collect());
    Task::new(system).monitors(monitors).all_paths(all_paths).compiled(false).limits(limits)
}

fn team(threads: usize, alone: usize) -> Workers {
    team_of(threads, 1, alone)
}

/// Workers with this many threads inside each, which share even the smallest level.
fn team_of(threads: usize, n_inside: usize, alone: usize) -> Workers {
    let inside = Threads { narrow: 0, ..Threads::new(n_inside) };
    Workers { threads, inside, hosts: None, alone }
}

/// What must be equal for any number of workers.
fn counts(search: &Search) -> String {
    let mut found: Vec<String> =
        search.findings.iter().map(|f| format!("{} times {}", f.times, kind(&f.outcome))).collect();
    found.sort();
    let Search { states, transitions, depth, stopped, .. } = search;
    let marks = search.coverage.to_bytes();
    format!("{states} {transitions} {depth} {stopped:?} {found:?} {marks:?}")
}

/// An outcome without the values that may differ within one kind.
fn kind(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violation(v) => format!("{:?} {:?}", std::mem::discriminant(&v.kind), v.source),
        other => format!("{other:?}"),
    }
}

/// A run as its moves.
type Run = Vec<(Move, Option<Move>)>;

#[test]
fn a_replay_can_be_cancelled() {
    let text = "byte x; active proctype P() { do :: x < 50 -> x++ :: else -> assert(false) od }";
    let system = resy_testkit::systems::system(text);
    let task = Task::new(&system);
    let search = search::search(&task).expect("it starts");
    let found = search.findings.iter().next().expect("a violation");
    let interpreter = Interpreter::new(&system, task.options);
    let n_steps = replay(&interpreter, &task, &search, found).len();
    let after = |mut n: usize| {
        let go_on = &mut || {
            n = n.saturating_sub(1);
            n > 0
        };
        replay_while(&interpreter, &task, &search, found, go_on).map(|run| run.len())
    };
    assert_eq!([0, 10, n_steps, 2 * n_steps].map(after), [None; 4]);
    assert_eq!(after(10 * n_steps), Some(n_steps));
}

/// The run to a violation; an error if it does not end in it.
fn run(task: &Task<'_>, search: &Search, found: &Finding) -> Result<Run, String> {
    let interpreter = Interpreter::new(task.system, task.options);
    let run = replay(&interpreter, task, search, found);
    let last = run.last().map(|r| &r.step);
    let initial = interpreter.initial().map_err(|e| e.to_string())?;
    let after = last.map_or(Some(initial), |s| s.next.as_ref().map(|(state, _)| state.clone()));
    let reproduced = match &found.outcome {
        Outcome::InvalidEnd => after.is_some_and(|s| !interpreter.is_valid_end(&s)),
        Outcome::Violation(v) if !found.moves.is_empty() => {
            last.is_some_and(|s| s.violations.contains(v))
        }
        _ => true,
    };
    let moves = run.iter().map(|r| (r.step.actor, r.step.partner)).collect();
    reproduced.then_some(moves).ok_or(format!("{:?} is not reproduced", found.outcome))
}

fn compare(fixture: &Fixture) -> Result<(), String> {
    let system = system_of(fixture);
    let mut task = task(&system, Limits::default(), fixture.name.len().is_multiple_of(2));
    let one = search::search(&task).map_err(|e| e.to_string())?;
    let mut runs = None;
    // A flat store, which some have threads for, a tree, and one that becomes a tree on the way.
    let some = StorePolicy::FlatUpTo(fixture.name.len() << 12);
    let tree = StorePolicy::FlatUpTo(0);
    let inside = 1 + fixture.name.len() % 3;
    let teams = [(2, inside, 0, StorePolicy::default()), (3, 1, 0, tree), (2, 2, 30, some)];
    for (threads, inside, alone, store) in teams {
        task.store = store;
        let several = workers::search(&task, &team_of(threads, inside, alone), None, &|_| ());
        let several = several.map_err(|e| format!("{e:?}"))?;
        if counts(&several) != counts(&one) {
            return Err(format!("{threads}: {}, one: {}", counts(&several), counts(&one)));
        }
        let all: Result<Vec<Run>, String> =
            several.findings.iter().map(|f| run(&task, &several, f)).collect();
        let all = all?;
        if alone == 0 && *runs.get_or_insert_with(|| all.clone()) != all {
            return Err(format!("{threads} workers find other runs"));
        }
    }
    Ok(())
}

resy_testkit::each_model!(several_workers_count_and_find_what_one_does, crate::workers::case);

/// Larger models are compared below, by their counts only.
fn case(fixture: &Fixture) {
    if fixture.spin.as_ref().is_none_or(|spin| spin.states < MOST) {
        compare(fixture).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// Large enough that a key is chosen from a sample of the states.
#[test]
fn several_workers_go_on_where_one_has_come() {
    let all = fixtures();
    let large =
        |f: &&Fixture| f.spin.as_ref().is_some_and(|s| (20_000..150_000).contains(&s.states));
    let mut compared = 0;
    for fixture in all.iter().filter(large) {
        let system = system_of(fixture);
        let task = task(&system, Limits::default(), true).compiled(true);
        let one = search::search(&task).expect("it starts");
        for (threads, inside) in [(2, 3), (3, 1)] {
            let workers = team_of(threads, inside, 5000);
            let several = workers::search(&task, &workers, None, &|_| ()).expect("it starts");
            assert_eq!(counts(&several), counts(&one), "{}", fixture.name);
            assert_eq!(several.stores.len(), threads, "{} is too small", fixture.name);
        }
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} models are large");
}

#[test]
fn the_first_violation_is_the_same_for_any_number_of_workers() {
    let limits = Limits { first_violation: true, ..Limits::default() };
    let mut compared = 0;
    for fixture in fixtures().iter().filter(|f| f.name.starts_with("violated")) {
        let system = system_of(fixture);
        let task = task(&system, limits, false);
        let shown = |threads: usize, inside: usize| {
            let workers = team_of(threads, inside, 0);
            let search = workers::search(&task, &workers, None, &|_| ()).expect("it starts");
            let found: Vec<Finding> = search.findings.iter().cloned().collect();
            let runs: Vec<_> = search.findings.iter().map(|f| run(&task, &search, f)).collect();
            (search.states, search.depth, format!("{found:?} {runs:?}"))
        };
        let two = shown(2, 1);
        assert_eq!(two, shown(2, 3), "{} with threads inside", fixture.name);
        assert_eq!(two, shown(4, 1), "{} with four", fixture.name);
        compared += usize::from(two.2.contains("Finding"));
    }
    assert!(compared >= 5, "only {compared} models have a violation");
}

#[test]
fn limits_stop_all_workers() {
    let system = system_of(&fixture("mutex/bakery"));
    let interrupt = std::sync::atomic::AtomicBool::new(true);
    let limits = [
        Limits { timeout: Some(std::time::Duration::ZERO), ..Limits::default() },
        Limits { memory: Some(1), ..Limits::default() },
        Limits { interrupt: Some(&interrupt), ..Limits::default() },
    ];
    let reasons = [search::Stopped::Timeout, search::Stopped::Memory, search::Stopped::Interrupt];
    for (limits, reason) in limits.into_iter().zip(reasons) {
        let task = task(&system, limits, true);
        let found = workers::search(&task, &team(2, 0), None, &|_| ()).expect("it starts");
        assert_eq!(found.stopped, Some(reason));
        assert!(found.states < 107_430, "{} states in spite of {reason:?}", found.states);
    }
}

/// A reduced search has the same states for any number of workers, and hardly more than one thread has.
#[test]
fn several_workers_reduce_as_one_does() {
    let (mut by_one, mut by_team, mut of_all, mut n_fail) = (0, 0, 0, 0);
    let small = |f: &Fixture| f.spin.as_ref().is_some_and(|s| (50..3000).contains(&s.states));
    for fixture in fixtures().iter().filter(|fixture| small(fixture)) {
        let system = system_of(fixture);
        let claims = system.claims.iter().filter_map(|claim| ClaimMonitor::of(claim).ok());
        let monitors = Monitors::new(claims.filter(|claim| !claim.counts_steps()).collect());
        let visible = Visible::new(monitors.conditions().to_vec());
        let mut task = Task::new(&system).monitors(monitors).compiled(false);
        let all = search::search(&task).expect("it starts");
        task.ample = Ample::of(&system, &visible, Options::default());
        let one = search::search(&task).expect("it starts");
        let teams = [(1, 0), (2, 0), (5, 0), (3, 30)].map(|(threads, alone)| {
            // Every other one with a tree.
            let is_flat = threads % 2 == 0;
            task.store = if is_flat { StorePolicy::default() } else { StorePolicy::FlatUpTo(0) };
            let found = workers::search(
                &task,
                &team_of(threads, if is_flat { 3 } else { 1 }, alone),
                None,
                &|_| (),
            );
            found.expect("it starts")
        });
        for several in &teams[1..3] {
            assert_eq!(counts(several), counts(&teams[0]), "{}", fixture.name);
        }
        for several in &teams {
            let kinds = |search: &Search| {
                search.findings.iter().map(|f| kind(&f.outcome)).collect::<BTreeSet<_>>()
            };
            assert_eq!(kinds(several), kinds(&all), "{}", fixture.name);
            let runs: Result<Vec<Run>, String> =
                several.findings.iter().map(|f| run(&task, several, f)).collect();
            n_fail +=
                usize::from(!runs.unwrap_or_else(|e| panic!("{}: {e}", fixture.name)).is_empty());
        }
        by_one += one.states;
        by_team += teams[1].states.max(teams[3].states);
        of_all += all.states;
    }
    assert!(10 * by_team <= 11 * by_one, "{by_team} states, {by_one} by one thread");
    assert!(3 * by_one < 2 * of_all, "{by_one} of {of_all}: hardly a reduction");
    assert!(n_fail > 40, "only {n_fail} searches found violations");
}
