//! A set of inner nodes of a plan, as bits: those to be looked up next.

use super::plan::Plan;

/// A set of inner nodes, empty after each use that is not ended early.
#[derive(Default)]
pub struct Marks(pub Vec<u64>);

impl Marks {
    /// Makes room for the nodes of a plan.
    pub fn fit(&mut self, plan: &Plan) {
        let n = plan.nodes.len().div_ceil(64);
        if self.0.len() != n {
            self.0.resize(n, 0);
        }
    }

    /// Removes what is left of a use that ended early.
    #[inline]
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a node; returns whether it is new.
    #[inline]
    pub fn add(&mut self, node: usize) -> bool {
        let (word, bit) = (&mut self.0[node / 64], 1 << (node % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Adds the nodes above a leaf, except the root.
    #[inline]
    pub fn add_above(&mut self, leaf: usize, plan: &Plan) {
        let (n, root) = (plan.n_leaves(), plan.nodes.len().saturating_sub(1));
        let mut node = plan.above[leaf].node as usize;
        while node < root && self.add(node) {
            node = plan.above[n + node].node as usize;
        }
    }
}
