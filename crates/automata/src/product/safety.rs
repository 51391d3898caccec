//! Whether a network can enter the monitor's error state: the product, state by state.
//!
//! Breadth-first search finds a shortest path to the error. If that is long, there may be millions
//! of states nearer to the start, and a depth-first search often reaches the error sooner.

use super::{Explorer, ProductStep, ProductTooLarge, Tuples};
use crate::lts::StateId;
use crate::network::Network;
use resy_index::Id;
use std::collections::VecDeque;

/// Removes the next state from the queue, given the number of states expanded so far.
pub type ExplorationOrder = fn(&mut VecDeque<usize>, usize) -> Option<usize>;

/// The oldest state: breadth-first.
pub fn oldest_first(found: &mut VecDeque<usize>, _: usize) -> Option<usize> {
    found.pop_front()
}

/// The oldest and the youngest in turn: breadth-first and depth-first at once, over the same queue.
pub fn from_both_ends(found: &mut VecDeque<usize>, n_seen: usize) -> Option<usize> {
    if n_seen.is_multiple_of(2) { found.pop_front() } else { found.pop_back() }
}

/// The result of a search for the error state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// The error state is unreachable; the size of the reachable product.
    Safe {
        /// States of the product, monitor included.
        n_states: usize,
        /// Its transitions; internal steps of different components count as different.
        n_transitions: usize,
    },
    /// A path into the error state; a shortest one if the order is breadth-first.
    Trace(Vec<ProductStep>),
    /// Undecided within the limit.
    TooLarge(ProductTooLarge),
}

/// Whether the error state is reachable, breadth-first, on at most `limit` states of the product. A
/// network without a monitor is safe.
pub fn reaches_error(network: &Network, limit: usize) -> Safety {
    let found = reaches_error_while(network, oldest_first, |n_states| n_states <= limit);
    found.unwrap_or(Safety::TooLarge(ProductTooLarge { limit }))
}

/// Like [`reaches_error`] in any order; `None` if `go_on(n_states)`, which is called for each
/// state, cancels.
pub fn reaches_error_while(
    network: &Network,
    order: ExplorationOrder,
    mut go_on: impl FnMut(usize) -> bool,
) -> Option<Safety> {
    let explorer = Explorer::new(network.systems());
    let error = network.monitor.as_ref().map(|monitor| monitor.error);
    let is_error = |state: &[StateId]| error.is_some() && state.last().copied() == error;
    let initial = explorer.initial();
    if is_error(&initial) {
        return Some(Safety::Trace(Vec::new()));
    }
    let mut tuples = Tuples::new(initial.len());
    tuples.insert(&initial);
    let mut parents = vec![0];
    let mut n_transitions = 0;
    let mut found = VecDeque::from([0]);
    let mut n_seen = 0;
    while let Some(next) = order(&mut found, n_seen) {
        if !go_on(tuples.len()) {
            return None;
        }
        let state = tuples[Id::from_index(next)].to_vec();
        let mut last_step = None;
        explorer.successors(&state, |step, successor| {
            n_transitions += 1;
            if is_error(successor) {
                last_step.get_or_insert(step);
            } else if let (target, true) = tuples.insert(successor) {
                parents.push(next);
                found.push_back(target.index());
            }
        });
        if let Some(step) = last_step {
            let mut trace = path_to(next, &parents, &tuples, &explorer);
            trace.push(step);
            return Some(Safety::Trace(trace));
        }
        n_seen += 1;
    }
    Some(Safety::Safe { n_states: tuples.len(), n_transitions })
}

/// The steps from the initial state to the state numbered `to`. Steps are not stored: each is
/// recomputed from its source and target.
fn path_to(
    mut to: usize,
    parents: &[usize],
    tuples: &Tuples,
    explorer: &Explorer<'_>,
) -> Vec<ProductStep> {
    let mut steps = Vec::new();
    while to != 0 {
        let target = &tuples[Id::from_index(to)];
        let mut found = None;
        explorer.successors(&tuples[Id::from_index(parents[to])], |step, successor| {
            if successor == target {
                found.get_or_insert(step);
            }
        });
        steps.extend(found);
        to = parents[to];
    }
    steps.reverse();
    steps
}
