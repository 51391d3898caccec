//! Plans: the leaves that a vector is cut into, and the tree over them.
//!
//! Every tree is correct; a good one has few different parts. The inner nodes are listed from the bottom
//! up, the root last, so that folding traverses the list once. The first leaf is always the leftmost, so
//! that it can be read before the plan is known.

use std::sync::atomic::{AtomicU32, Ordering};

/// How vectors of one shape are folded.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Plans with the same number are equal.
    pub(super) number: u32,
    /// The end of each leaf, in the order of the vector.
    pub(super) cuts: Vec<u32>,
    /// For each byte the leaf that contains it.
    pub(super) leaf_at: Vec<u32>,
    /// The inner nodes. A part with a number below the number of leaves is a leaf, otherwise a node.
    pub(super) nodes: Vec<[u32; 2]>,
    /// For each part the node above it.
    pub(super) above: Vec<Up>,
}

/// The step from a part to the node above it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Up {
    /// The node.
    pub node: u32,
    /// The sibling of this part.
    pub beside: u32,
    /// By how many bits the id of this part is shifted in the node's pair.
    pub shift: u32,
}

/// Pairs of clusters that are joined one after the other: clusters are the leaves, followed by the results
/// of earlier joins.
pub type Joins = [[u32; 2]];

impl Plan {
    /// A tree whose halves have the same number of leaves.
    pub fn balanced(cuts: &[u32]) -> Plan {
        let mut joins = Vec::new();
        let mut row: Vec<u32> = (0..cuts.len() as u32).collect();
        let mut next = cuts.len() as u32;
        while row.len() > 1 {
            let mut above = Vec::with_capacity(row.len().div_ceil(2));
            for pair in row.chunks(2) {
                let &[a, b] = pair else {
                    above.push(pair[0]);
                    continue;
                };
                joins.push([a, b]);
                above.push(next);
                next += 1;
            }
            row = above;
        }
        Plan::joined(cuts, &joins)
    }

    /// The tree of these joins, which must join all leaves.
    pub fn joined(cuts: &[u32], joins: &Joins) -> Plan {
        static NUMBERS: AtomicU32 = AtomicU32::new(0);
        let n = cuts.len();
        let mut above = vec![Up::default(); n + joins.len()];
        let mut has_first = vec![false; n + joins.len()];
        has_first[0] = true;
        let mut nodes = Vec::with_capacity(joins.len());
        for (i, &[a, b]) in joins.iter().enumerate() {
            let [left, right] = if has_first[b as usize] { [b, a] } else { [a, b] };
            nodes.push([left, right]);
            above[left as usize] = Up { node: i as u32, beside: right, shift: 32 };
            above[right as usize] = Up { node: i as u32, beside: left, shift: 0 };
            has_first[n + i] = has_first[left as usize];
        }
        debug_assert_eq!(nodes.len() + 1, n.max(1), "the joins make one tree");
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let starts = [0].into_iter().chain(cuts.iter().copied());
        let lengths = starts.zip(cuts).map(|(start, &end)| (end - start) as usize);
        let leaf_at = lengths.zip(0..).flat_map(|(n, leaf)| std::iter::repeat_n(leaf, n));
        Plan { number, cuts: cuts.to_vec(), leaf_at: leaf_at.collect(), nodes, above }
    }

    /// Whether one of the two is a clone of the other.
    pub fn is_clone_of(&self, other: &Plan) -> bool {
        self.number == other.number
    }

    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.cuts.len()
    }

    /// The end of each leaf, in the order of the vector.
    pub fn cuts(&self) -> &[u32] {
        &self.cuts
    }

    /// The range of a leaf.
    #[inline]
    pub(super) fn span(&self, leaf: usize) -> std::ops::Range<usize> {
        let start = if leaf == 0 { 0 } else { self.cuts[leaf - 1] };
        start as usize..self.cuts[leaf] as usize
    }
}
