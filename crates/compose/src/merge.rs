//! Which states of the module the labels tell apart.

use crate::bits::BitSet;
use resy_automata::partition::Partition;
use resy_index::Id;
use rustc_hash::FxHashSet;

/// States are together if every label has both or neither. Labels are looked at 64 at a
/// time: a word for each state says which of them it is in.
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
