//! Quotients: a system with one state for each block of a partition.

use crate::lts::{Label, Lts, LtsBuilder, StateId};
use crate::partition::Partition;
use resy_index::Id;

/// A quotient with its map. Its alphabet is that of the original, including actions without
/// transitions.
#[derive(Clone, Debug)]
pub struct Quotient {
    lts: Lts,
    partition: Partition,
}

impl Quotient {
    /// The quotient with a transition for each transition of a member.
    pub fn of(lts: &Lts, partition: Partition) -> Self {
        Self::keeping(lts, partition, |_| true)
    }

    /// Like [`Quotient::of`], without internal steps inside a block: the quotient for an
    /// equivalence that abstracts from them.
    pub fn contracting(lts: &Lts, partition: Partition) -> Self {
        Self::keeping(lts, partition, |(source, label, target)| {
            label != Label::Tau || source != target
        })
    }

    /// The transitions between blocks that `keep` allows.
    fn keeping(
        lts: &Lts,
        partition: Partition,
        keep: impl Fn((StateId, Label, StateId)) -> bool,
    ) -> Self {
        let new = |state| Id::from_index(partition.block_of(state).index());
        let mut builder = LtsBuilder::with_states(partition.n_blocks());
        for (source, label, target) in lts.transitions() {
            let (source, target) = (new(source), new(target));
            if keep((source, label, target)) {
                builder.add_transition(source, label, target);
            }
        }
        let lts = builder.finish(new(lts.initial()), lts.alphabet().clone());
        Self { lts, partition }
    }

    /// The quotient as a system.
    pub fn lts(&self) -> &Lts {
        &self.lts
    }

    /// The quotient as a system, without the map.
    pub fn into_lts(self) -> Lts {
        self.lts
    }

    /// The partition of the original's states.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The state of the quotient that stands for a state of the original.
    pub fn state_of(&self, original: StateId) -> StateId {
        Id::from_index(self.partition.block_of(original).index())
    }
}
