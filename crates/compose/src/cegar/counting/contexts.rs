//! What was counted, and the multisets that occur: what a proof needs.

use super::super::parts::Parts;
use super::Counted;
use super::outline::CountedOutline;
use crate::split::Split;
use resy_automata::partition::Partition;
use resy_automata::product::{Explorer, Tuples};
use resy_index::Id;
use rustc_hash::FxHashSet;

/// Groups and partitions with which a property was decided.
#[derive(Clone, Debug)]
pub struct CountedOutcome {
    /// The split; parts that belong together are one part.
    pub(crate) split: Split,
    /// The partition of each of its parts.
    pub(crate) partitions: Vec<Partition>,
    /// The groups; their members have the same classes.
    pub(crate) groups: Vec<Vec<usize>>,
}

/// A multiset of classes: how many members are in each.
pub(crate) type Multiset = Box<[u16]>;

impl CountedOutcome {
    /// The number of groups with several classes.
    pub fn n_counted(&self) -> usize {
        let first = self.groups.iter().filter_map(|group| group.first());
        first.filter(|&&member| self.partitions[member].n_blocks() > 1).count()
    }

    /// The multisets of each group that occur in some context; `None` if `go_on(n_contexts)`
    /// cancels. A group with a single class has none.
    pub(crate) fn multisets(
        &self,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Vec<FxHashSet<Multiset>>> {
        let mut parts = Parts::unsplit(&self.split);
        for (part, partition) in self.partitions.iter().enumerate() {
            parts.set(part, partition.clone());
        }
        let counted = Counted { parts, groups: self.groups.clone() };
        let CountedOutline { outline, counters, .. } = CountedOutline::of(&counted);
        let explorer = Explorer::new(outline.systems.iter().collect());
        let mut found = Tuples::new(outline.systems.len());
        found.insert(&explorer.initial());
        let mut next = 0;
        while next < found.len() {
            if !go_on(found.len()) {
                return None;
            }
            let context = found[Id::from_index(next)].to_vec();
            explorer.successors(&context, |_, to| {
                found.insert(to);
            });
            next += 1;
        }
        let mut multisets = vec![FxHashSet::default(); self.groups.len()];
        for context in (0..found.len()).map(|i| &found[Id::from_index(i)]) {
            for (group, set) in multisets.iter_mut().enumerate() {
                let n_classes = counted.n_classes(&counted.groups[group]);
                if n_classes > 1 {
                    let counts = &context[counters[group]..][..n_classes];
                    set.insert(
                        counts
                            .iter()
                            .map(|&n| u16::try_from(n.index()).unwrap_or(u16::MAX))
                            .collect(),
                    );
                }
            }
        }
        Some(multisets)
    }
}
