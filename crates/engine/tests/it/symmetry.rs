//! The laws of symmetry, on the production search: every orbit of reachable states has a representative, no other orbit
//! has one, and the violations are those of a search of everything, by runs that the interpreter executes.

use resy_engine::search::{
    Ample, KnownSymmetry, Order, Search, Task, replay_while, search, stored_states,
    symmetric_images,
};
use resy_passes::{Visible, find_symmetry, merge, reset_dead};
use resy_system::{ClaimMonitor, Interpreter, Monitors, Options, Outcome, State, System};
use resy_testkit::naive::explore;
use resy_testkit::symmetric::symmetric_program;
use resy_testkit::systems::{seeds, system};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Beyond this many states a program is left out.
const LIMIT: usize = 4_000;

/// A program with its claims, and its symmetry if it has one.
struct Subject {
    original: System,
    reduced: System,
    monitors: Monitors,
    visible: Visible,
    symmetry: Option<Arc<KnownSymmetry>>,
}

fn claims(system: &System) -> Monitors {
    let monitors = system.claims.iter().filter_map(|c| ClaimMonitor::of(c).ok());
    Monitors::new(monitors.collect())
}

/// Prepares a system, with the other passes or without them.
fn subject(original: System, passes: bool) -> Subject {
    let monitors = claims(&original);
    let visible = Visible::new(monitors.conditions().to_vec());
    let mut reduced = original.clone();
    if passes {
        reduced = reset_dead(&merge(&reduced, &visible), &visible);
    }
    let symmetry = find_symmetry(&mut reduced, &visible)
        .symmetry
        .map(|found| Arc::new(KnownSymmetry::new(found)));
    Subject { original, reduced, monitors, visible, symmetry }
}

impl Subject {
    fn task(&self, with_symmetry: bool) -> Task<'_> {
        let symmetry = self.symmetry.clone().filter(|_| with_symmetry);
        Task::new(&self.reduced).monitors(self.monitors.clone()).symmetry(symmetry).compiled(false)
    }

    /// Whether exchanged processes may end.
    fn may_end(&self) -> bool {
        let Some(symmetry) = &self.symmetry else { return false };
        symmetry.owners().any(|id| {
            let proctype = &self.reduced.proctypes[id];
            let targets = proctype.edges.iter().flatten().filter_map(|e| e.target);
            targets.into_iter().any(|at| symmetry.processes[id].ends[at])
        })
    }
}

fn violations(search: &Search) -> BTreeSet<String> {
    let name = |outcome: &Outcome| match outcome {
        Outcome::Violation(v) => {
            let kind = format!("{:?}", v.kind);
            format!("{} at {:?}", kind.split('(').next().unwrap_or_default(), v.source)
        }
        other => format!("{other:?}"),
    };
    search.findings.iter().map(|f| name(&f.outcome)).collect()
}

/// Compares verdicts and replays every violation; returns the numbers of states.
fn compare(subject: &Subject, what: &str) -> Option<(u64, u64)> {
    explore(&Interpreter::new(&subject.reduced, Options::default()), LIMIT)?;
    let plain = search(&subject.task(false)).ok()?;
    let expected = violations(&plain);
    let mut n_states = 0;
    for order in [Order::BreadthFirst, Order::DepthFirst, Order::Directed] {
        for reduces in [false, true] {
            let ample = reduces
                .then(|| Ample::of(&subject.reduced, &subject.visible, Options::default()))
                .flatten();
            let task = subject.task(true).order(order).ample(ample);
            let found = search(&task).ok()?;
            assert_eq!(violations(&found), expected, "{what}, {order:?}, reduced: {reduces}");
            // Where processes end, orbits may have several representatives.
            let is_fewer = found.states <= plain.states || subject.may_end();
            assert!(is_fewer, "{what}: {} states instead of {}", found.states, plain.states);
            let interpreter = Interpreter::new(&subject.original, Options::default());
            for finding in found.findings.iter() {
                let run = replay_while(&interpreter, &task, &found, finding, &mut || true);
                let run = run.unwrap_or_else(|| {
                    panic!("{what}, {order:?}, {reduces}: no run to {:?}", finding.outcome)
                });
                let last = run.last().map(|r| r.step.violations.clone()).unwrap_or_default();
                if let Outcome::Violation(v) = &finding.outcome {
                    let is_it = last.iter().any(|l| l.source == v.source);
                    assert!(
                        is_it || run.is_empty(),
                        "{what}: the run violates {last:?}, not {v:?}"
                    );
                }
            }
            if order == Order::BreadthFirst && !reduces {
                n_states = found.states;
            }
        }
    }
    Some((n_states, plain.states))
}

/// Every orbit of the plain graph has a representative, none else.
fn check_orbits(subject: &Subject, what: &str) {
    let (with, without) = (subject.task(true), subject.task(false));
    let (Ok(found), Ok(plain)) = (search(&with), search(&without)) else { return };
    let stored = |task: &Task<'_>, search: &Search| -> HashSet<State> {
        stored_states(task, search).expect("it has a first state").into_iter().collect()
    };
    let (representatives, all) = (stored(&with, &found), stored(&without, &plain));
    for (states, others) in [(&all, &representatives), (&representatives, &all)] {
        for state in states {
            let Some(images) = symmetric_images(&with, state) else { return };
            assert!(images.iter().any(|i| others.contains(i)), "{what}: no image of {state:?}");
        }
    }
}

/// Tries the programs of some seeds; returns how many had a symmetry that saved states.
fn try_programs(seeds: std::ops::Range<u64>) -> usize {
    let mut n_smaller = 0;
    for seed in seeds {
        let text = symmetric_program(seed);
        for passes in [false, true] {
            let subject = subject(system(&text), passes);
            if subject.symmetry.is_none() {
                continue;
            }
            let what = format!("seed {seed}, passes: {passes}\n{text}");
            let Some((n_found, n_plain)) = compare(&subject, &what) else { continue };
            n_smaller += usize::from(n_found < n_plain);
            if !subject.may_end() && subject.monitors.conditions().is_empty() {
                check_orbits(&subject, &what);
            }
        }
    }
    n_smaller
}

#[test]
fn random_programs_have_the_same_violations() {
    let seeds = seeds("RESY_SYMMETRY_SEEDS", 0..40);
    let least = seeds.clone().count() / 4;
    let n_smaller = try_programs(seeds);
    assert!(n_smaller >= least, "only {n_smaller} programs have a symmetry");
}
