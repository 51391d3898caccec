//! What the searches that choose their next state have in common: the states found so far, how each was reached, and
//! the ways to violations.

use super::ample::{Attempt, Proviso};
use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Findings;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::{Search, Way};
use crate::store::StateStore;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use resy_system::Outcome;
use std::time::Instant;

/// How a stored state was reached.
pub(super) struct ReachedState {
    pub from: StoredId,
    /// The least distance from the initial state so far.
    pub depth: u32,
    /// The depth with which it was expanded, if it was.
    pub expanded_at: Option<u32>,
}

/// An arrival that is new, or nearer to the initial state than before.
pub(super) struct Nearer {
    pub id: StoredId,
    pub depth: u32,
    pub is_new: bool,
}

/// The states found so far.
pub(super) struct Explored<'a> {
    store: TreeStore,
    pub reached: Vec<ReachedState>,
    /// The successors of the state that is expanded.
    arrived: Vec<Root>,
    current: StoredId,
    pub transitions: u64,
    /// Transitions that are not part of the search, and count for its limit only.
    pub aside: u64,
    findings: Findings,
    ways: Vec<Vec<StoredId>>,
    limits: Limits<'a>,
    path: TreePath,
    before_attempt: usize,
}

impl Arrivals for Explored<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        let root = self.store.fold(&self.path, vector, &shape.plan);
        self.arrived.push(root);
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        if self.findings.add(outcome, self.current, || moves.to_vec()) {
            self.ways.push(self.way_to(self.current));
        }
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl Attempt for Explored<'_> {
    fn begin(&mut self) {
        self.before_attempt = self.arrived.len();
    }

    /// A state that is not stored yet is expanded later.
    fn satisfies(&mut self, proviso: Proviso) -> bool {
        let arrived = &self.arrived[self.before_attempt..];
        proviso.holds(arrived.iter().map(|&root| !self.store.contains(root)))
    }

    fn withdraw(&mut self) {
        self.arrived.truncate(self.before_attempt);
    }
}

impl<'a> Explored<'a> {
    pub fn new(limits: Limits<'a>) -> Self {
        Self {
            store: TreeStore::new(),
            reached: Vec::new(),
            arrived: Vec::new(),
            current: 0,
            transitions: 0,
            aside: 0,
            findings: Findings::default(),
            ways: Vec::new(),
            limits,
            path: TreePath::new(),
            before_attempt: 0,
        }
    }

    /// The states on the way to a state.
    pub fn way_to(&self, mut id: StoredId) -> Vec<StoredId> {
        let mut way = Vec::new();
        while let Some(reached) = self.reached.get(id as usize) {
            way.push(id);
            if id == 0 {
                break;
            }
            id = reached.from;
        }
        way.reverse();
        way
    }

    /// The vector of a state.
    pub fn load(&mut self, id: StoredId, expander: &mut Expander<'_>) -> Vec<u8> {
        let mut vector = Vec::new();
        expander.load(&self.store, id, &mut vector, &mut self.path);
        vector
    }

    /// The vector of a state that is expanded now.
    pub fn enter(&mut self, id: StoredId, expander: &mut Expander<'_>) -> Vec<u8> {
        self.current = id;
        let reached = &mut self.reached[id as usize];
        reached.expanded_at = Some(reached.depth);
        self.load(id, expander)
    }

    /// Stores what has arrived; what is new, or nearer to the initial state than before, in the order of arrival.
    pub fn keep_arrived(&mut self) -> Vec<Nearer> {
        let mut nearer = Vec::new();
        for root in std::mem::take(&mut self.arrived) {
            nearer.extend(self.keep(root).1);
        }
        nearer
    }

    /// Stores a successor of the present state.
    fn keep(&mut self, root: Root) -> (StoredId, Option<Nearer>) {
        let from = self.current;
        let depth = self.reached.get(from as usize).map_or(0, |reached| reached.depth + 1);
        self.transitions += 1;
        let inserted = self.store.insert(root);
        let (id, is_new) = (inserted.id, inserted.new);
        if is_new {
            self.reached.push(ReachedState { from, depth, expanded_at: None });
        } else if depth >= self.reached[id as usize].depth {
            return (id, None);
        }
        let reached = &mut self.reached[id as usize];
        (reached.from, reached.depth) = (from, depth);
        (id, Some(Nearer { id, depth, is_new }))
    }

    /// Stores the states of a run, each a successor of the one before, the first of the initial state; the last one.
    pub fn keep_run(&mut self, states: &[Vec<u8>], expander: &mut Expander<'_>) -> StoredId {
        self.current = 0;
        for vector in states {
            let shape = expander.shape(vector);
            let plan = &expander.stepper.shapes()[shape].plan;
            let root = self.store.fold_whole(vector, plan);
            self.current = self.keep(root).0;
        }
        self.current
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.store.memory() + self.reached.capacity() * size_of::<ReachedState>()
    }

    /// The limit that is reached, if one is, with so much memory and so many states waiting.
    pub fn look(
        &self,
        clock: &mut Clock,
        memory: usize,
        waiting: usize,
        depth: u64,
    ) -> Option<Stopped> {
        if self.limits.transitions.is_some_and(|most| self.transitions + self.aside >= most) {
            return Some(Stopped::Transitions);
        }
        if !clock.due() {
            return None;
        }
        if !self.store.has_room() {
            return Some(Stopped::Numbers);
        }
        clock.look(&self.limits, memory, |elapsed| Progress {
            states: self.store.len(),
            waiting,
            transitions: self.transitions,
            depth,
            memory,
            elapsed,
        })
    }

    /// The result of the search, which was stopped or not.
    pub fn end(
        self,
        expander: Expander<'_>,
        stopped: Option<Stopped>,
        depth: u64,
        started: Instant,
    ) -> Search {
        let mut expander = expander;
        let stopped = if self.goes_on() { stopped } else { Some(Stopped::Violation) };
        Search {
            covered: None,
            n_levels: None,
            transitions: self.transitions,
            depth,
            findings: self.findings,
            stopped,
            was_over: false,
            elapsed: started.elapsed(),
            shapes: Some(expander.stepper.shapes().clone()),
            coverage: expander.coverage,
            way: Way::Paths(self.ways),
            states: self.store.len() as u64,
            stores: vec![StateStore::Tree(self.store)],
        }
    }
}
