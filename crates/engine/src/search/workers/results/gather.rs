//! The totals over all workers, after the last level.
//!
//! A violation is sent as the state from which it was found and its position among the violations found by
//! expanding that state. The receiver expands the state again, so that only vectors and numbers are sent.

use crate::search::coverage::Coverage;
use crate::search::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::search::findings::{Finding, same};
use crate::search::workers::messages::report::{Report, number, string};
use crate::search::workers::worker::{Lost, Worker};
use crate::vector::{HEADER, Shape};
use resy_system::Outcome;

/// A violation as all workers know it.
pub struct GlobalFinding {
    /// The finding of the search.
    pub found: Finding,
    /// The level of the state from which it was found.
    pub level: u64,
    /// This state; empty for a violation on entering the initial state.
    pub from: Vec<u8>,
    ordinal: u64,
}

/// The totals over all workers.
#[derive(Default)]
pub struct Totals {
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The different violations, by level, kind and state.
    pub findings: Vec<GlobalFinding>,
}

/// Adds up the results of the workers; the marks of all are added to `coverage`.
pub fn gather(worker: &mut Worker<'_>, coverage: &mut Coverage) -> Result<Totals, Lost> {
    let mut words = Report::default()
        .number(worker.partition.store.len() as u64)
        .number(worker.partition.transitions)
        .bytes(&worker.expander.coverage.to_bytes())
        .number(worker.partition.findings.len() as u64);
    for f in &worker.partition.findings {
        words = words.number(f.level).number(f.ordinal).number(f.times).bytes(&f.from);
    }
    let mut sum = Totals::default();
    for report in worker.agree(words)? {
        let mut words = report.as_slice();
        sum.states += number(&mut words);
        sum.transitions += number(&mut words);
        coverage.add_bytes(&string(&mut words));
        for _ in 0..number(&mut words) {
            let (level, ordinal) = (number(&mut words), number(&mut words));
            let (times, from) = (number(&mut words), string(&mut words));
            let seen =
                violations_from(&mut worker.expander, &from).into_iter().nth(ordinal as usize);
            let (outcome, moves) = seen.expect("an expander finds a violation again");
            let found = Finding { outcome, from: 0, moves, times };
            sum.findings.push(GlobalFinding { found, level, from, ordinal });
        }
    }
    sum.findings = distinct(sum.findings);
    Ok(sum)
}

/// The violations found by expanding a state, or on entering the initial one.
pub fn violations_from(expander: &mut Expander<'_>, from: &[u8]) -> Vec<(Outcome, Vec<Moves>)> {
    let mut seen = Violations(Vec::new());
    if from.is_empty() {
        expander.initial(&mut seen);
    } else {
        let mut from = from.to_vec();
        expander.adopt(&mut from);
        expander.expand(&from, &mut seen);
    }
    seen.0
}

struct Violations(Vec<(Outcome, Vec<Moves>)>);

impl Arrivals for Violations {
    fn arrive(&mut self, _: &[u8], _: &Shape, _: TransitionMoves<'_>) {}

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        self.0.push((outcome, moves.to_vec()));
    }
}

/// One violation of each kind: that of the least level, and there from the smallest state.
fn distinct(mut all: Vec<GlobalFinding>) -> Vec<GlobalFinding> {
    all.sort_by_cached_key(|f| {
        let text = format!("{:?}", f.found.outcome);
        let from = f.from.get(HEADER..).map(<[u8]>::to_vec);
        (f.level, from, f.ordinal, text)
    });
    let mut kept: Vec<GlobalFinding> = Vec::new();
    for finding in all {
        match kept.iter_mut().find(|k| same(&k.found.outcome, &finding.found.outcome)) {
            Some(known) => known.found.times += finding.found.times,
            None => kept.push(finding),
        }
    }
    kept
}
