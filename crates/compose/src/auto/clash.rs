//! Clashes: pairs of states of the module that no sound image joins.
//!
//! Two states clash if one is reached in a context from which the other can err: their common class
//! would be reached there, and err. Clashes answer most failing trials without a search, and states
//! that clash pairwise bound the size of every sound image from below.

use super::pairs::Pairs;
use crate::labels::{Labels, context};
use fixedbitset::FixedBitSet;
use resy_automata::lts::StateId;
use resy_automata::partition::Partition;
use resy_index::Id;

/// For each state, those that it clashes with; not all have to be known.
pub(super) struct Clashes(Vec<FixedBitSet>);

impl Clashes {
    /// No clash is known.
    pub(super) fn unknown(n_states: usize) -> Self {
        Self(vec![FixedBitSet::new(); n_states])
    }

    /// The clashes by the pairs that are reached and those from which an error can be.
    pub(super) fn of(n_states: usize, reached: &Pairs<'_>, can_err: &Labels) -> Self {
        let mut clashes = vec![FixedBitSet::with_capacity(n_states); n_states];
        for (state, clashing) in clashes.iter_mut().enumerate() {
            for &q in reached.row(state) {
                clashing.union_with(can_err.get(context(q as usize)));
            }
        }
        for state in 0..n_states {
            let others: Vec<usize> = clashes[state].ones().collect();
            others.into_iter().for_each(|other| clashes[other].insert(state));
        }
        Self(clashes)
    }

    /// Whether two states are known to clash.
    pub(super) fn are_clashing(&self, one: StateId, other: StateId) -> bool {
        self.0[one.index()].contains(other.index())
    }

    /// The clashes of classes: two classes clash if members do.
    pub(super) fn of_classes(&self, classes: &Partition) -> Self {
        let n = classes.n_blocks();
        let mut clashes = vec![FixedBitSet::with_capacity(n); n];
        for (state, others) in self.0.iter().enumerate() {
            let class = classes.block_of(Id::from_index(state)).index();
            for other in others.ones() {
                clashes[class].insert(classes.block_of(Id::from_index(other)).index());
            }
        }
        Self(clashes)
    }

    /// Whether a class is known to clash with a group.
    pub(super) fn clash(&self, class: usize, group: usize) -> bool {
        self.0[group].contains(class)
    }

    /// Adds the clashes of a class to those of a group that it has joined.
    pub(super) fn join(&mut self, class: usize, group: usize) {
        let others = std::mem::take(&mut self.0[class]);
        self.0[group].grow(others.len());
        self.0[group].union_with(&others);
    }
}
