//! The partition of the module's states by labels.

use fixedbitset::FixedBitSet;
use resy_automata::partition::Partition;
use resy_index::Id;
use rustc_hash::FxHashSet;

/// States are equivalent if every label contains both or neither. Labels are processed 64 at a
/// time: one word per state holds its membership bits.
pub(crate) fn together<'a>(
    n_states: usize,
    labels: impl IntoIterator<Item = &'a FixedBitSet>,
) -> Partition {
    let different: FxHashSet<&FixedBitSet> = labels.into_iter().collect();
    let different: Vec<&FixedBitSet> = different.into_iter().collect();
    let mut partition = Partition::single(n_states);
    for labels in different.chunks(64) {
        let mut words = vec![0u64; n_states];
        for (bit, label) in labels.iter().enumerate() {
            label.ones().for_each(|state| words[state] |= 1 << bit);
        }
        partition = partition.refined_by(|state| words[state.index()]);
    }
    partition
}
