//! Whether a network can enter the monitor's error state: the product, breadth-first.

use super::{Explorer, Step, TooLarge, Tuples};
use crate::lts::StateId;
use crate::network::Network;
use resy_index::Id;

/// What the search for the error state found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// The error state is never entered; the size of the reachable product.
    Safe {
        /// States of the product, monitor included.
        n_states: usize,
        /// Its transitions; internal steps of different components count as different.
        n_transitions: usize,
    },
    /// A shortest way into the error state.
    Trace(Vec<Step>),
    /// Neither, within the limit.
    TooLarge(TooLarge),
}

/// Whether the error state is entered, on at most `limit` states of the product. A
/// network without a monitor is safe.
pub fn reaches_error(network: &Network, limit: usize) -> Safety {
    let found = reaches_error_while(network, |n_states| n_states <= limit);
    found.unwrap_or(Safety::TooLarge(TooLarge { limit }))
}

/// The same, unless `go_on` says no to the number of states that have been found; it is asked at each of them.
pub fn reaches_error_while(
    network: &Network,
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
    let mut next = 0;
    while next < tuples.len() {
        if !go_on(tuples.len()) {
            return None;
        }
        let state = tuples[Id::from_index(next)].to_vec();
        let mut last_step = None;
        explorer.successors(&state, |step, successor| {
            n_transitions += 1;
            if is_error(successor) {
                last_step.get_or_insert(step);
            } else if tuples.insert(successor).1 {
                parents.push(next);
            }
        });
        if let Some(step) = last_step {
            let mut trace = path_to(next, &parents, &tuples, &explorer);
            trace.push(step);
            return Some(Safety::Trace(trace));
        }
        next += 1;
    }
    Some(Safety::Safe { n_states: tuples.len(), n_transitions })
}

/// The steps from the initial state to the state numbered `to`. Steps are not stored:
/// each is found again from its source and its target.
fn path_to(
    mut to: usize,
    parents: &[usize],
    tuples: &Tuples,
    explorer: &Explorer<'_>,
) -> Vec<Step> {
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
