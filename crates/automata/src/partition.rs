//! Partitions of states into blocks.

use crate::lts::{Rows, StateId};
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::hash::Hash;

define_id!(
    /// A block of a partition.
    pub struct BlockId,
    "b"
);

/// A partition of the states of a system. Blocks are numbered by their first states, so
/// that every number is used, and equal partitions are equal values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    block_of: IndexVec<StateId, BlockId>,
    n_blocks: usize,
}

impl Partition {
    /// States are in one block if they have the same key; keys in the order of the states.
    pub fn by_keys<K: Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut blocks: FxHashMap<K, BlockId> = FxHashMap::default();
        let block_of = keys.into_iter().map(|key| {
            let next = Id::from_index(blocks.len());
            *blocks.entry(key).or_insert(next)
        });
        let block_of = block_of.collect();
        Self { block_of, n_blocks: blocks.len() }
    }

    /// All states in one block.
    pub fn single(n_states: usize) -> Self {
        Self::by_keys((0..n_states).map(|_| ()))
    }

    /// Each state in a block of its own.
    pub fn discrete(n_states: usize) -> Self {
        Self { block_of: (0..n_states).map(Id::from_index).collect(), n_blocks: n_states }
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.block_of.len()
    }

    /// The number of blocks.
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// The block of a state.
    pub fn block_of(&self, state: StateId) -> BlockId {
        self.block_of[state]
    }

    /// All states, by their blocks.
    pub fn members(&self) -> Rows<StateId> {
        let entries = || self.block_of.iter_enumerated().map(|(s, block)| (block.index(), s));
        Rows::collect(self.n_blocks, entries)
    }

    /// Whether each state is alone.
    pub fn is_discrete(&self) -> bool {
        self.n_blocks == self.n_states()
    }

    /// The partition that also separates states with different keys.
    #[must_use]
    pub fn refined_by<K: Hash + Eq>(&self, mut key: impl FnMut(StateId) -> K) -> Self {
        Self::by_keys(self.block_of.iter_enumerated().map(|(state, &block)| (block, key(state))))
    }

    /// Whether every block of this partition lies in a block of the other.
    pub fn refines(&self, other: &Self) -> bool {
        self.refined_by(|state| other.block_of(state)).n_blocks == self.n_blocks
    }

    /// The coarser partition that joins blocks: `outer` is a partition of the blocks of
    /// this one, that is, of the states of a quotient.
    #[must_use]
    pub fn then(&self, outer: &Self) -> Self {
        Self::by_keys(self.block_of.iter().map(|b| outer.block_of(Id::from_index(b.index()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_are_dense_and_in_order() {
        let partition = Partition::by_keys(["x", "y", "x", "z"]);
        assert_eq!(partition, Partition::by_keys([7, 3, 7, 1]));
        assert_eq!((partition.n_blocks(), partition.members().row(0).len()), (3, 2));
        assert!(Partition::discrete(3).is_discrete() && !Partition::single(3).is_discrete());
        assert_eq!(Partition::single(0).n_blocks(), 0);
    }

    proptest! {
        #[test]
        fn refinement_and_composition(keys in prop::collection::vec((0..4u8, 0..4u8), 0..12)) {
            let first = Partition::by_keys(keys.iter().map(|k| k.0));
            let both = first.refined_by(|s| keys[s.index()].1);
            prop_assert_eq!(&both, &Partition::by_keys(&keys));
            prop_assert!(both.refines(&first));
            prop_assert_eq!(first.refines(&both), first == both);
            // Which block of the coarser one a block of the finer one lies in.
            let members = both.members();
            let outer = (0..both.n_blocks()).map(|b| first.block_of(members.row(b)[0]));
            prop_assert_eq!(both.then(&Partition::by_keys(outer)), first);
        }
    }
}
