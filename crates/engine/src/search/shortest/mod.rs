//! A violation of least depth: A\*, where there is a [lower bound](distance) of the distance to a violation.
//!
//! The state with the least sum of its depth and its bound is next, of those with the same sum the deepest, then the
//! oldest. The bound is consistent, so that the first violation is one of least depth (Hart, Nilsson and
//! Raphael 1968). States whose sum is greater than the depth of the violation are never expanded. Without a violation
//! all states are visited.

mod distance;

use super::expander::{Arrivals, Expander};
use super::explored::{Explored, Nearer};
use super::limits::Clock;
use super::{Search, Task, breadth};
use crate::tree::StoredId;
use distance::Distances;
use resy_system::Property;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// The order of waiting states: the least sum, then the greatest depth.
type Rank = (u32, Reverse<u32>);

struct Shortest<'a> {
    explored: Explored<'a>,
    /// The bound of each state.
    bounds: Vec<u32>,
    waiting: BTreeMap<Rank, VecDeque<StoredId>>,
    n_waiting: usize,
}

impl Shortest<'_> {
    /// Stores what has arrived. A state that turns out to be nearer to the initial state waits again.
    fn keep_arrived(&mut self, expander: &mut Expander<'_>, distances: &Distances) {
        for Nearer { id, depth, is_new } in self.explored.keep_arrived() {
            if is_new {
                let vector = self.explored.load(id, expander);
                self.bounds.push(distances.of(&expander.unpack(&vector)));
            }
            let rank = (depth + self.bounds[id as usize], Reverse(depth));
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
            let reached = &self.explored.reached[id as usize];
            if reached.expanded_at.is_none() && depth == reached.depth {
                return Some(id);
            }
        }
    }

    fn memory(&self) -> usize {
        self.explored.memory()
            + self.bounds.capacity() * size_of::<u32>()
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
        explored: Explored::new(task.limits),
        bounds: Vec::new(),
        waiting: BTreeMap::new(),
        n_waiting: 0,
    };
    let mut clock = Clock::new(started);
    let (mut stopped, mut depth) = (None, 0);
    expander.initial(&mut search.explored);
    search.keep_arrived(&mut expander, &distances);
    while stopped.is_none() && search.explored.goes_on() {
        let Some(id) = search.next() else { break };
        depth = depth.max(u64::from(search.explored.reached[id as usize].depth));
        let vector = search.explored.enter(id, &mut expander);
        expander.expand(&vector, &mut search.explored);
        search.keep_arrived(&mut expander, &distances);
        stopped = search.explored.look(&mut clock, search.memory(), search.n_waiting, depth);
    }
    search.explored.end(expander, stopped, depth, started)
}
