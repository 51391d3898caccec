//! Depth-first search in one thread.
//!
//! The successors of the states on the path wait as folded roots of eight bytes each. A state is stored
//! when the path reaches it.

use super::ample::{self, Ample, Attempt, Proviso};
use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Findings;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use resy_system::Outcome;
use std::time::Instant;

/// A state on the path.
struct PathState {
    id: StoredId,
    /// The start of its successors among the waiting ones.
    waiting: usize,
}

struct DepthFirst<'a> {
    store: TreeStore,
    steps: Vec<PathState>,
    waiting: Vec<Root>,
    transitions: u64,
    findings: Findings,
    /// The path to each violation.
    ways: Vec<Vec<StoredId>>,
    limits: Limits<'a>,
    spare: Vec<u8>,
    path: TreePath,
    /// The number of waiting successors before the present attempt.
    before_attempt: usize,
}

impl Arrivals for DepthFirst<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        let root = self.store.fold(&self.path, vector, &shape.plan);
        self.waiting.push(root);
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        let current = self.steps.last().map_or(0, |s| s.id);
        if self.findings.add(outcome, current, || moves.to_vec()) {
            self.ways.push(self.steps.iter().map(|s| s.id).collect());
        }
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl DepthFirst<'_> {
    /// Takes the next waiting state and extends the path by it if it is new.
    fn advance(&mut self, expander: &mut Expander<'_>, ample: Option<&Ample>) {
        let Some(root) = self.waiting.pop() else { return };
        self.transitions += 1;
        let inserted = self.store.insert(root);
        if !inserted.new {
            return;
        }
        self.steps.push(PathState { id: inserted.id, waiting: self.waiting.len() });
        let mut vector = std::mem::take(&mut self.spare);
        expander.load(&self.store, inserted.id, &mut vector, &mut self.path);
        ample::expand(expander, ample, &vector, self);
        self.spare = vector;
        // The first successor is visited first.
        let start = self.steps.last().map_or(0, |s| s.waiting);
        self.waiting[start..].reverse();
    }

    fn memory(&self) -> usize {
        self.store.memory()
            + self.waiting.capacity() * size_of::<Root>()
            + self.steps.capacity() * size_of::<PathState>()
    }
}

impl Attempt for DepthFirst<'_> {
    fn begin(&mut self) {
        self.before_attempt = self.waiting.len();
    }

    /// A state that is not stored yet is expanded when it is.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        let arrived = &self.waiting[self.before_attempt..];
        proviso.holds(arrived.iter().map(|&root| !self.store.contains(root)))
    }

    fn withdraw(&mut self) {
        self.waiting.truncate(self.before_attempt);
    }
}

pub(super) fn search(task: &Task<'_>, mut expander: Expander<'_>, started: Instant) -> Search {
    let mut path = DepthFirst {
        store: TreeStore::new(),
        steps: Vec::new(),
        waiting: Vec::new(),
        transitions: 0,
        findings: Findings::default(),
        ways: Vec::new(),
        limits: task.limits,
        spare: Vec::new(),
        path: TreePath::new(),
        before_attempt: 0,
    };
    let mut clock = Clock::new(started);
    let (mut depth, mut stopped) = (0, None);
    expander.initial(&mut path);
    while stopped.is_none() && path.goes_on() && !path.waiting.is_empty() {
        path.advance(&mut expander, task.ample.as_ref());
        depth = depth.max(path.steps.len() as u64);
        while path.steps.last().is_some_and(|s| s.waiting == path.waiting.len()) {
            path.steps.pop();
        }
        if clock.due() {
            stopped = look(&mut clock, &path);
        }
    }
    if !path.goes_on() {
        stopped = Some(Stopped::Violation);
    }
    Search {
        covered: None,
        n_levels: None,
        transitions: path.transitions,
        depth: depth.saturating_sub(1),
        findings: path.findings,
        stopped,
        was_over: false,
        elapsed: started.elapsed(),
        shapes: Some(expander.stepper.shapes().clone()),
        coverage: expander.coverage,
        way: Way::Paths(path.ways),
        states: path.store.len() as u64,
        stores: vec![StateStore::Tree(path.store)],
    }
}

fn look(clock: &mut Clock, path: &DepthFirst<'_>) -> Option<Stopped> {
    if !path.store.has_room() {
        return Some(Stopped::Numbers);
    }
    let memory = path.memory();
    clock.look(&path.limits, memory, |elapsed| Progress {
        states: path.store.len(),
        waiting: path.waiting.len(),
        transitions: path.transitions,
        depth: path.steps.len() as u64,
        memory,
        elapsed,
    })
}
