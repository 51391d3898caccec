//! Tracing violations backwards, level by level.
//!
//! No worker stores the parents of its states. But a state of level k was reached from one of level k - 1,
//! and a level is a range of each worker's log: each worker expands the states of its range again, and the
//! smallest one that leads to the goal is taken. All violations are traced at once, so that tracing costs
//! at most one further expansion of every state. It costs no memory during the search, and the result does
//! not depend on the number of workers.

use crate::search::expander::{Arrivals, Moves, TransitionMoves};
use crate::search::workers::messages::report::{Report, number, string};
use crate::search::workers::results::gather::GlobalFinding;
use crate::search::workers::worker::{Lost, Worker};
use crate::tree::StoredId;
use crate::vector::{Shape, body};
use resy_system::Outcome;

/// For each violation the stored states on the path to it, from the initial one on.
pub fn trace(
    worker: &mut Worker<'_>,
    findings: &[GlobalFinding],
) -> Result<Vec<Vec<Vec<u8>>>, Lost> {
    let start = |f: &GlobalFinding| Vec::from_iter((!f.from.is_empty()).then(|| f.from.clone()));
    let mut ways: Vec<Vec<Vec<u8>>> = findings.iter().map(start).collect();
    let deepest = findings.iter().map(|f| f.level).max().unwrap_or(0);
    for level in (1..=deepest).rev() {
        let reached = findings.iter().zip(&mut ways).filter(|(f, _)| f.level >= level);
        let mut ways: Vec<&mut Vec<Vec<u8>>> = reached.map(|(_, way)| way).collect();
        let goals: Vec<Vec<u8>> = ways.iter().filter_map(|w| w.last().cloned()).collect();
        for (way, parent) in ways.iter_mut().zip(parents(worker, level - 1, goals)?) {
            way.push(parent.expect("a state of a level was reached from the level before"));
        }
    }
    ways.iter_mut().for_each(|way| way.reverse());
    Ok(ways)
}

/// The smallest state of a level that leads to each goal.
fn parents(
    worker: &mut Worker<'_>,
    level: u64,
    goals: Vec<Vec<u8>>,
) -> Result<Vec<Option<Vec<u8>>>, Lost> {
    let mut search = ParentSearch { parents: vec![None; goals.len()], goals, from: Vec::new() };
    let (start, end) = (worker.levels[level as usize], worker.levels[level as usize + 1]);
    for id in (start..end).step_by(TURN as usize) {
        let Worker { expander, partition, .. } = &mut *worker;
        partition.store.for_each(expander, id..end.min(id + TURN), |expander, vector| {
            if search.could_be_parent(vector) {
                search.from.clear();
                search.from.extend_from_slice(vector);
                expander.expand(vector, &mut search);
            }
        });
        worker.step()?;
    }
    let known: Vec<(usize, &Vec<u8>)> =
        search.parents.iter().enumerate().filter_map(|(i, p)| Some((i, p.as_ref()?))).collect();
    let words = Report::default().number(known.len() as u64);
    let words = known.iter().fold(words, |w, &(i, parent)| w.number(i as u64).bytes(parent));
    let mut best: Vec<Option<Vec<u8>>> = vec![None; search.goals.len()];
    for report in worker.agree(words)? {
        let mut words = report.as_slice();
        for _ in 0..number(&mut words) {
            let (i, parent) = (number(&mut words) as usize, string(&mut words));
            if best[i].as_ref().is_none_or(|b| body(&parent) < body(b)) {
                best[i] = Some(parent);
            }
        }
    }
    Ok(best)
}

/// The number of states that are expanded before messages are received.
const TURN: StoredId = 1024;

/// Looks for the parents of goals.
struct ParentSearch {
    goals: Vec<Vec<u8>>,
    /// The smallest state found that leads to each goal.
    parents: Vec<Option<Vec<u8>>>,
    from: Vec<u8>,
}

impl ParentSearch {
    /// Whether a state would be a smaller parent of some goal.
    fn could_be_parent(&self, vector: &[u8]) -> bool {
        self.parents.iter().any(|p| p.as_ref().is_none_or(|p| body(vector) < body(p)))
    }
}

impl Arrivals for ParentSearch {
    fn arrive(&mut self, vector: &[u8], _: &Shape, _: TransitionMoves<'_>) {
        for (goal, parent) in self.goals.iter().zip(&mut self.parents) {
            if body(goal) == body(vector)
                && parent.as_ref().is_none_or(|p| body(&self.from) < body(p))
            {
                *parent = Some(self.from.clone());
            }
        }
    }

    fn violation(&mut self, _: Outcome, _: &[Moves]) {}
}
