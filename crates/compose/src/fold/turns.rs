//! Two orders of composition in turns, because neither is good for all networks.
//!
//! ```text
//! everywhere        compose the pair by which the network grows least
//! around a hub      the same, but one of the two is a cluster that grows from the component
//!                   with the most neighbours
//! ```
//!
//! The first order is good for pipelines, rings, and readers at a counter. A queue should absorb its
//! workers one at a time: workers that are composed with each other count how many of them have
//! which job, and most of these combinations exist only without the queue. For 100 workers the
//! first order needs clusters with thousands of states, the second one with 400.
//!
//! Turns end by work, not by time, so that a network is folded in the same way everywhere. A third
//! order, around a component with siblings, was tried for workers at a barrier: their combinations
//! are cubic in their number in any order, because without the counter they are in all phases.

use super::cluster::Forest;
use super::{FoldLimits, FoldProgress, Folded, Folding};
use resy_automata::network::Network;
use resy_certificate::NodeId;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// The work of the first turns, in states and transitions of products.
const FIRST_TURN: usize = 2_000_000;
/// The factor by which turns become longer.
const LONGER: usize = 2;

/// Folds a network until no product of two clusters fits the limit, or `go_on` cancels.
pub fn fold(
    network: &Network,
    limits: FoldLimits,
    go_on: impl FnMut(&FoldProgress) -> bool,
) -> Folded<'_> {
    fold_in_turns(network, limits, FIRST_TURN, go_on)
}

/// Like [`fold`], with a budget for the first turns.
fn fold_in_turns(
    network: &Network,
    limits: FoldLimits,
    first_turn: usize,
    mut go_on: impl FnMut(&FoldProgress) -> bool,
) -> Folded<'_> {
    let mut goes_on = true;
    let mut go_on = |progress: &FoldProgress| {
        goes_on = goes_on && go_on(progress);
        goes_on
    };
    let mut everywhere = Turns::of(Folding::start(network, None, limits, &mut go_on));
    everywhere.take(first_turn, &mut go_on);
    if everywhere.is_over() || !go_on(&everywhere.folding.progress) {
        return everywhere.folding.folded();
    }
    let fresh = Folding::start(network, None, limits, &mut go_on);
    let Some(hub) = hub(&fresh.forest) else { return everywhere.folding.folded() };
    let mut around = Turns::of(fresh.around(hub, limits));
    let mut budget = first_turn;
    loop {
        around.take(budget, &mut go_on);
        budget = budget.saturating_mul(LONGER);
        // If composing everywhere is done, the other order has had as much work as that took.
        if around.is_over() || everywhere.is_done || !go_on(&everywhere.folding.progress) {
            break;
        }
        everywhere.take(budget, &mut go_on);
        if everywhere.is_over() {
            break;
        }
    }
    match around.folding.n_living() < everywhere.folding.n_living() {
        true => around.folding.folded(),
        false => everywhere.folding.folded(),
    }
}

/// A folding in turns.
struct Turns<'n> {
    folding: Folding<'n>,
    /// Whether no pair is left.
    is_done: bool,
}

impl<'n> Turns<'n> {
    fn of(folding: Folding<'n>) -> Self {
        Self { folding, is_done: false }
    }

    fn take(&mut self, budget: usize, go_on: impl FnMut(&FoldProgress) -> bool) {
        self.is_done = self.is_done || self.folding.run(budget, go_on);
    }

    /// Whether a single cluster is left.
    fn is_over(&self) -> bool {
        self.is_done && self.folding.n_living() <= 1
    }
}

/// The component with the most neighbours, and the first of several.
fn hub(forest: &Forest<'_>) -> Option<NodeId> {
    let n_neighbours = |&id: &NodeId| {
        let alphabet = forest.clusters[id].lts.alphabet();
        let neighbours = alphabet.iter().flat_map(|action| forest.actions.owners(action));
        Reverse(neighbours.collect::<FxHashSet<_>>().len())
    };
    forest.living().min_by_key(n_neighbours)
}

#[cfg(test)]
mod tests;
