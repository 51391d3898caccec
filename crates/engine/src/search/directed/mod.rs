//! Directed search: the state that seems nearest to a violation first.
//!
//! Two queues take turns: one by the [estimated](estimate) distance to a violation, one by the distance from the initial
//! state. Whoever has found fewer states is next, and a state that turns out to be nearer to the initial state than it was
//! thought to be waits again: so the second queue does what a breadth-first search does, and together they find at most
//! about twice as many states. If there is no violation, all states are visited.
//!
//! A state waits with the estimate of the state that it was reached from. Its own is computed when its turn comes, and if
//! that is greater it waits again.

mod estimate;
mod facts;
mod relaxed;

use super::ample::{self, Ample, Attempt, Proviso};
use super::expander::{Arrivals, Expander, Moves, TransitionMoves};
use super::findings::Findings;
use super::limits::{Clock, Limits, Progress, Stopped};
use super::{Search, Task, Way};
use crate::store::StateStore;
use crate::tree::{Root, StoredId, TreePath, TreeStore};
use crate::vector::Shape;
use estimate::Estimator;
use resy_system::{Interpreter, Outcome};
use std::collections::VecDeque;
use std::time::Instant;

/// The distance of a state from which no violation is in sight.
const FAR: usize = 255;

/// After so many estimates the guide has not led to a violation, and the search goes on without it.
const MOST_ESTIMATES: usize = 20_000;

/// How a stored state was reached.
struct Reached {
    from: StoredId,
    /// The least distance from the initial state so far.
    depth: u32,
    /// The depth with which it was expanded, if it was.
    expanded_at: Option<u32>,
}

/// States that wait, by a distance; among equals the oldest is first.
struct Buckets<T> {
    buckets: Vec<VecDeque<T>>,
    /// Nothing waits with a smaller distance.
    least: usize,
    n_waiting: usize,
}

impl<T> Buckets<T> {
    fn new() -> Self {
        Self { buckets: Vec::new(), least: 0, n_waiting: 0 }
    }

    fn push(&mut self, distance: usize, state: T) {
        if self.buckets.len() <= distance {
            self.buckets.resize_with(distance + 1, VecDeque::new);
        }
        self.buckets[distance].push_back(state);
        self.least = self.least.min(distance);
        self.n_waiting += 1;
    }

    /// The nearest state, with its distance.
    fn pop(&mut self) -> Option<(usize, T)> {
        while self.buckets.get(self.least)?.is_empty() {
            self.least += 1;
        }
        self.n_waiting -= 1;
        self.buckets[self.least].pop_front().map(|state| (self.least, state))
    }
}

/// A queue of the search.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Queue {
    /// By the estimated distance to a violation.
    Near,
    /// By the distance from the initial state.
    Shallow,
}

struct Directed<'a> {
    store: TreeStore,
    reached: Vec<Reached>,
    /// The successors of the state that is expanded.
    arrived: Vec<Root>,
    /// By estimate; whether it was computed for the state itself.
    near: Buckets<(StoredId, bool)>,
    shallow: Buckets<StoredId>,
    /// The number of states that each queue has found.
    found: [usize; 2],
    current: StoredId,
    transitions: u64,
    findings: Findings,
    ways: Vec<Vec<StoredId>>,
    limits: Limits<'a>,
    path: TreePath,
    before_attempt: usize,
    n_estimates: usize,
}

impl Arrivals for Directed<'_> {
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

impl Attempt for Directed<'_> {
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

impl Directed<'_> {
    /// The states on the way to a state.
    fn way_to(&self, mut id: StoredId) -> Vec<StoredId> {
        let mut way = Vec::new();
        if self.reached.is_empty() {
            return way;
        }
        loop {
            way.push(id);
            if id == 0 {
                way.reverse();
                return way;
            }
            id = self.reached[id as usize].from;
        }
    }

    /// Stores what has arrived; it waits with this estimate.
    fn keep_arrived(&mut self, estimate: usize, queue: Queue) {
        let from = self.current;
        let depth = self.reached.get(from as usize).map_or(0, |reached| reached.depth + 1);
        for root in std::mem::take(&mut self.arrived) {
            self.transitions += 1;
            let inserted = self.store.insert(root);
            if inserted.new {
                self.reached.push(Reached { from, depth, expanded_at: None });
                self.found[queue as usize] += 1;
                self.near.push(estimate, (inserted.id, false));
            } else if depth >= self.reached[inserted.id as usize].depth {
                continue;
            }
            let reached = &mut self.reached[inserted.id as usize];
            (reached.from, reached.depth) = (from, depth);
            self.shallow.push(depth as usize, inserted.id);
        }
    }

    /// The state that is nearest to the initial one, of those that wait.
    fn next_by_depth(&mut self) -> Option<StoredId> {
        loop {
            let (depth, id) = self.shallow.pop()?;
            let Reached { depth: least, expanded_at, .. } = self.reached[id as usize];
            if depth == least as usize && expanded_at.is_none_or(|at| least < at) {
                return Some(id);
            }
        }
    }

    /// The state that seems nearest to a violation, with its distance.
    fn next_by_estimate(
        &mut self,
        expander: &mut Expander<'_>,
        estimator: &Estimator<'_>,
    ) -> Option<(StoredId, usize)> {
        while self.n_estimates < MOST_ESTIMATES {
            let (distance, (id, is_certain)) = self.near.pop()?;
            if self.reached[id as usize].expanded_at.is_some() {
                continue;
            }
            if is_certain {
                return Some((id, distance));
            }
            let own = self.estimate(id, expander, estimator);
            if own <= distance {
                return Some((id, own));
            }
            self.near.push(own, (id, true));
        }
        None
    }

    fn estimate(
        &mut self,
        id: StoredId,
        expander: &mut Expander<'_>,
        estimator: &Estimator<'_>,
    ) -> usize {
        self.n_estimates += 1;
        let mut vector = Vec::new();
        expander.load(&self.store, id, &mut vector, &mut self.path);
        let state = expander.unpack(&vector);
        let layout = expander.stepper.layout();
        let sets: Vec<u64> =
            (0..estimator.n_monitors()).map(|i| layout.monitor(&vector, i)).collect();
        let distance = estimator.distance(&state, &sets);
        distance.map_or_else(|| FAR + estimator.n_movers(&state), |d| d.min(FAR))
    }

    fn expand(
        &mut self,
        (id, estimate): (StoredId, usize),
        queue: Queue,
        expander: &mut Expander<'_>,
        ample: Option<&Ample>,
    ) {
        let mut vector = Vec::new();
        self.current = id;
        let reached = &mut self.reached[id as usize];
        reached.expanded_at = Some(reached.depth);
        expander.load(&self.store, id, &mut vector, &mut self.path);
        ample::expand(expander, ample, &vector, self);
        self.keep_arrived(estimate, queue);
    }

    fn memory(&self) -> usize {
        self.store.memory()
            + self.reached.capacity() * size_of::<Reached>()
            + self.near.n_waiting * size_of::<(StoredId, bool)>()
            + self.shallow.n_waiting * size_of::<StoredId>()
    }
}

pub(super) fn search(task: &Task<'_>, mut expander: Expander<'_>, started: Instant) -> Search {
    let interpreter = Interpreter::new(task.system, task.options);
    let estimator = Estimator::new(interpreter, task.monitors.clone(), task.in_steps.as_deref());
    let mut search = Directed {
        store: TreeStore::new(),
        reached: Vec::new(),
        arrived: Vec::new(),
        near: Buckets::new(),
        shallow: Buckets::new(),
        found: [0; 2],
        current: 0,
        transitions: 0,
        findings: Findings::default(),
        ways: Vec::new(),
        limits: task.limits,
        path: TreePath::new(),
        before_attempt: 0,
        n_estimates: 0,
    };
    let mut clock = Clock::new(started);
    let mut stopped = None;
    expander.initial(&mut search);
    search.keep_arrived(FAR, Queue::Shallow);
    while stopped.is_none() && search.goes_on() {
        let ample = task.ample.as_ref();
        let near = match search.found[0] <= search.found[1] {
            true => search.next_by_estimate(&mut expander, &estimator),
            false => None,
        };
        if let Some(next) = near {
            search.expand(next, Queue::Near, &mut expander, ample);
        } else if let Some(id) = search.next_by_depth() {
            search.expand((id, FAR), Queue::Shallow, &mut expander, ample);
        } else {
            break;
        }
        if task.limits.transitions.is_some_and(|most| search.transitions >= most) {
            stopped = Some(Stopped::Transitions);
        } else if clock.due() {
            stopped = look(&mut clock, &search);
        }
    }
    if !search.goes_on() {
        stopped = Some(Stopped::Violation);
    }
    let depth = search.reached.iter().map(|reached| u64::from(reached.depth)).max();
    Search {
        covered: None,
        n_levels: None,
        transitions: search.transitions,
        depth: depth.unwrap_or(0),
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

fn look(clock: &mut Clock, search: &Directed<'_>) -> Option<Stopped> {
    if !search.store.has_room() {
        return Some(Stopped::Numbers);
    }
    let memory = search.memory();
    clock.look(&search.limits, memory, |elapsed| Progress {
        states: search.store.len(),
        waiting: search.shallow.n_waiting,
        transitions: search.transitions,
        depth: search.reached.last().map_or(0, |reached| u64::from(reached.depth)),
        memory,
        elapsed,
    })
}
