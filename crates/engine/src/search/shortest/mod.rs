//! A violation of least depth: A\*, where there is a [lower bound](distance) of the distance to a violation.
//!
//! The state with the least sum of its depth and its bound is next, of those with the same sum the deepest, then the
//! oldest. The bound is consistent, so that the first violation is one of least depth (Hart, Nilsson and
//! Raphael 1968). States whose sum is greater than the depth of the violation are never expanded. Without a violation
//! all states are visited.

mod distance;

use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Findings;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::{Search, Task, Way, breadth};
use crate::store::StateStore;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use distance::Distances;
use resy_system::{Outcome, Property};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// How a stored state was reached.
struct Reached {
    from: StoredId,
    /// The least depth so far.
    depth: u32,
    bound: u32,
    is_expanded: bool,
}

/// The order of waiting states: the least sum, then the greatest depth.
type Rank = (u32, Reverse<u32>);

struct Shortest<'a> {
    store: TreeStore,
    reached: Vec<Reached>,
    arrived: Vec<Root>,
    waiting: BTreeMap<Rank, VecDeque<StoredId>>,
    n_waiting: usize,
    current: StoredId,
    transitions: u64,
    findings: Findings,
    ways: Vec<Vec<StoredId>>,
    limits: Limits<'a>,
    path: TreePath,
}

impl Arrivals for Shortest<'_> {
    fn arrive(&mut self, vector: &[u8], shape: &Shape, _: TransitionMoves<'_>) {
        let root = self.store.fold(&self.path, vector, &shape.plan);
        self.arrived.push(root);
    }

    fn violation(&mut self, outcome: Outcome, moves: &[Moves]) {
        if self.findings.add(outcome, self.current, || moves.to_vec()) {
            let way = self.way_to(self.current);
            self.ways.push(way);
        }
    }

    fn goes_on(&self) -> bool {
        !self.limits.first_violation || self.findings.is_empty()
    }
}

impl Shortest<'_> {
    /// The states on the way to a state.
    fn way_to(&self, mut id: StoredId) -> Vec<StoredId> {
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

    /// Stores what has arrived. A state that turns out to be nearer to the initial state waits again.
    fn keep_arrived(&mut self, expander: &mut Expander<'_>, distances: &Distances) {
        let from = self.current;
        let depth = self.reached.get(from as usize).map_or(0, |reached| reached.depth + 1);
        for root in std::mem::take(&mut self.arrived) {
            self.transitions += 1;
            let inserted = self.store.insert(root);
            let id = inserted.id;
            if inserted.new {
                let mut vector = Vec::new();
                expander.load(&self.store, id, &mut vector, &mut self.path);
                let bound = distances.of(&expander.unpack(&vector));
                self.reached.push(Reached { from, depth, bound, is_expanded: false });
            } else if depth >= self.reached[id as usize].depth {
                continue;
            }
            let reached = &mut self.reached[id as usize];
            (reached.from, reached.depth) = (from, depth);
            let rank = (depth + reached.bound, Reverse(depth));
            self.waiting.entry(rank).or_default().push_back(id);
            self.n_waiting += 1;
        }
    }

    /// The next state to expand.
    fn next(&mut self) -> Option<StoredId> {
        loop {
            let mut first = self.waiting.first_entry()?;
            let Reverse(depth) = first.key().1;
            let Some(id) = first.get_mut().pop_front() else {
                first.remove();
                continue;
            };
            self.n_waiting -= 1;
            let reached = &self.reached[id as usize];
            if !reached.is_expanded && depth == reached.depth {
                return Some(id);
            }
        }
    }

    fn expand(&mut self, id: StoredId, expander: &mut Expander<'_>, distances: &Distances) {
        let mut vector = Vec::new();
        self.current = id;
        self.reached[id as usize].is_expanded = true;
        expander.load(&self.store, id, &mut vector, &mut self.path);
        expander.expand(&vector, self);
        self.keep_arrived(expander, distances);
    }

    fn memory(&self) -> usize {
        self.store.memory()
            + self.reached.capacity() * size_of::<Reached>()
            + self.n_waiting * size_of::<StoredId>()
    }
}

/// Searches for a violation of least depth; by distance from the initial state if there is no bound to be used.
pub(super) fn search(task: &Task<'_>, mut expander: Expander<'_>, started: Instant) -> Search {
    // Other violations need no particular edge.
    if task.in_steps.as_deref() != Some(&[Property::Assertions]) || !task.limits.first_violation {
        return breadth::search(task, expander, started, None);
    }
    let distances = Distances::to_assertions(task.system);
    let mut search = Shortest {
        store: TreeStore::new(),
        reached: Vec::new(),
        arrived: Vec::new(),
        waiting: BTreeMap::new(),
        n_waiting: 0,
        current: 0,
        transitions: 0,
        findings: Findings::default(),
        ways: Vec::new(),
        limits: task.limits,
        path: TreePath::new(),
    };
    let mut clock = Clock::new(started);
    let (mut stopped, mut depth) = (None, 0);
    expander.initial(&mut search);
    search.keep_arrived(&mut expander, &distances);
    while stopped.is_none() && search.goes_on() {
        let Some(id) = search.next() else { break };
        depth = depth.max(u64::from(search.reached[id as usize].depth));
        search.expand(id, &mut expander, &distances);
        if task.limits.transitions.is_some_and(|most| search.transitions >= most) {
            stopped = Some(Stopped::Transitions);
        } else if clock.due() {
            stopped = look(&mut clock, &search, depth);
        }
    }
    if !search.goes_on() {
        stopped = Some(Stopped::Violation);
    }
    Search {
        covered: None,
        n_levels: None,
        transitions: search.transitions,
        depth,
        findings: search.findings,
        stopped,
        was_over: false,
        elapsed: started.elapsed(),
        shapes: Some(expander.stepper.shapes().clone()),
        coverage: expander.coverage,
        way: Way::Paths(search.ways),
        states: search.store.len() as u64,
        stores: vec![StateStore::Tree(search.store)],
    }
}

fn look(clock: &mut Clock, search: &Shortest<'_>, depth: u64) -> Option<Stopped> {
    if !search.store.has_room() {
        return Some(Stopped::Numbers);
    }
    let memory = search.memory();
    clock.look(&search.limits, memory, |elapsed| Progress {
        states: search.store.len(),
        waiting: search.n_waiting,
        transitions: search.transitions,
        depth,
        memory,
        elapsed,
    })
}
