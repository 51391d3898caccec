//! Directed search: the state that seems nearest to a violation first.
//!
//! Two queues take turns: one by the [estimated](estimate) distance to a violation, one by the distance from the initial
//! state. Whoever has found fewer states is next, and a state that turns out to be nearer to the initial state than it was
//! thought to be waits again: so the second queue does what a breadth-first search does, and together they find at most
//! about twice as many states. While estimates lead no nearer, the first queue's part of the search is halved again and
//! again ([`guide`]). If there is no violation, all states are visited.
//!
//! A state waits with the estimate of the state that it was reached from. Its own is computed when its turn comes, and if
//! that is greater it waits again.

mod estimate;
mod facts;
mod guide;
mod relaxed;

use super::ample::{self, Ample};
use super::expander::{Arrivals, Expander};
use super::explored::{Explored, Nearer, ReachedState};
use super::limits::Clock;
use super::{Search, Task};
use crate::tree::StoredId;
use estimate::Estimator;
use guide::Guide;
use resy_system::Interpreter;
use std::collections::VecDeque;
use std::time::Instant;

/// The distance of a state from which no violation is in sight.
const FAR: usize = 255;

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
    explored: Explored<'a>,
    /// By estimate; whether it was computed for the state itself.
    near: Buckets<(StoredId, bool)>,
    shallow: Buckets<StoredId>,
    /// The number of states that each queue has found.
    found: [usize; 2],
    guide: Guide,
}

impl Directed<'_> {
    /// Stores what has arrived; it waits with this estimate.
    fn keep_arrived(&mut self, estimate: usize, queue: Queue) {
        for Nearer { id, depth, is_new } in self.explored.keep_arrived() {
            if is_new {
                self.found[queue as usize] += 1;
                self.near.push(estimate, (id, false));
            }
            self.shallow.push(depth as usize, id);
        }
    }

    /// The state that is nearest to the initial one, of those that wait.
    fn next_by_depth(&mut self) -> Option<StoredId> {
        loop {
            let (depth, id) = self.shallow.pop()?;
            let ReachedState { depth: least, expanded_at, .. } = self.explored.reached[id as usize];
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
        while !self.guide.is_spent() {
            let (distance, (id, is_certain)) = self.near.pop()?;
            if self.explored.reached[id as usize].expanded_at.is_some() {
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
        let vector = self.explored.load(id, expander);
        let state = expander.unpack(&vector);
        let layout = expander.stepper.layout();
        let sets: Vec<u64> =
            (0..estimator.n_monitors()).map(|i| layout.monitor(&vector, i)).collect();
        let distance = estimator.distance(&state, &sets);
        let own = distance.map_or_else(|| FAR + estimator.n_movers(&state), |d| d.min(FAR));
        self.guide.note(own, estimator.take_work());
        own
    }

    fn expand(
        &mut self,
        (id, estimate): (StoredId, usize),
        queue: Queue,
        expander: &mut Expander<'_>,
        ample: Option<&Ample>,
    ) {
        let vector = self.explored.enter(id, expander);
        ample::expand(expander, ample, &vector, &mut self.explored);
        self.keep_arrived(estimate, queue);
    }

    fn memory(&self) -> usize {
        self.explored.memory()
            + self.near.n_waiting * size_of::<(StoredId, bool)>()
            + self.shallow.n_waiting * size_of::<StoredId>()
    }
}

pub(super) fn search(task: &Task<'_>, mut expander: Expander<'_>, started: Instant) -> Search {
    let interpreter = Interpreter::new(task.system, task.options);
    let estimator = Estimator::new(interpreter, task.monitors.clone(), task.in_steps.as_deref());
    let mut search = Directed {
        explored: Explored::new(task.limits),
        near: Buckets::new(),
        shallow: Buckets::new(),
        found: [0; 2],
        guide: Guide::default(),
    };
    let mut clock = Clock::new(started);
    let mut stopped = None;
    expander.initial(&mut search.explored);
    search.keep_arrived(FAR, Queue::Shallow);
    while stopped.is_none() && search.explored.goes_on() {
        let ample = task.ample.as_ref();
        let near = match search.guide.permits(search.found[0], search.found[1]) {
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
        let last = search.explored.reached.last();
        let depth = last.map_or(0, |reached| u64::from(reached.depth));
        let (memory, waiting) = (search.memory(), search.shallow.n_waiting);
        stopped = search.explored.look(&mut clock, memory, waiting, depth);
    }
    let depth = search.explored.reached.iter().map(|reached| u64::from(reached.depth)).max();
    search.explored.end(expander, stopped, depth.unwrap_or(0), started)
}
