//! The partition of the module's states by labels.

use crate::bits::BitSet;
use resy_automata::partition::Partition;
use resy_index::Id;
use rustc_hash::FxHashSet;

/// States are equivalent if every label contains both or neither. Labels are processed 64 at a
/// time: one word per state holds its membership bits.
pub(crate) fn together<'a>(
    n_states: usize,
    labels: impl IntoIterator<Item = &'a BitSet>,
) -> Partition {
    let different: FxHashSet<&BitSet> = labels.into_iter().collect();
    let different: Vec<&BitSet> = different.into_iter().collect();
    let mut partition = Partition::single(n_states);
    for labels in different.chunks(64) {
        let mut words = vec![0u64; n_states];
        for (bit, label) in labels.iter().enumerate() {
            label.iter().for_each(|state| words[state] |= 1 << bit);
        }
        partition = partition.refined_by(|state| words[state.index()]);
    }
    partition
}
