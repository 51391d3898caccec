//! Unfolding: from the root of a tree to its vector.
//!
//! A state shares most parts with the one that was unfolded before it, its neighbour in the queue: only the
//! parts that differ are looked up.

use super::fold::{LEAF, NONE, unpack};
use super::marks::Marks;
use super::plan::Plan;
use super::{StoredId, TreeStore};

/// The data of the state this far behind the present one is prefetched.
const AHEAD: StoredId = 4;

/// An unfolded state: its bytes, and the parts that it consists of.
#[derive(Default)]
pub struct TreePath {
    /// The numbers of the store and of the plan.
    pub(super) of: Option<(u32, u32)>,
    pub(super) bytes: Vec<u8>,
    /// The ids of the leaves and then of the inner nodes; that of the root is not used.
    pub(super) ids: Vec<u32>,
    /// The parts from the root to the first leaf.
    spine: Vec<u32>,
    marks: Marks,
}

impl TreePath {
    /// A path without a state.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes of the state.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Removes the state, and prepares for one with this plan.
    pub(super) fn reset(&mut self, of: (u32, u32), plan: &Plan) {
        self.of = Some(of);
        self.bytes.clear();
        self.bytes.resize(plan.cuts.last().map_or(0, |&end| end as usize), 0);
        self.ids.clear();
        self.ids.resize(plan.n_leaves() + plan.nodes.len(), NONE);
        self.marks.fit(plan);
        self.spine.clear();
        let mut part = plan.nodes.len().checked_sub(1).map(|top| plan.n_leaves() + top);
        while let Some(&[left, _]) = part.and_then(|p| plan.nodes.get(p - plan.n_leaves())) {
            self.spine.push(left);
            part = Some(left as usize).filter(|&left| left >= plan.n_leaves());
        }
    }
}

impl TreeStore {
    /// The first bytes of a state, from which the caller determines its plan. `path` may be of any state;
    /// if it has the same first leaf, no lookup is needed.
    #[inline]
    pub fn first_bytes<'a>(&'a self, id: StoredId, path: &'a TreePath) -> &'a [u8] {
        let (mut part, _) = unpack(self.root(id).0);
        if path.of.is_none_or(|(store, _)| store != self.number) {
            return self.first_leaf(id);
        }
        for &known in &path.spine {
            // Whatever their plans, two states with this part have the same first leaf.
            if part == path.ids[known as usize] {
                return &path.bytes;
            }
            if part & LEAF != 0 {
                break;
            }
            part = unpack(self.nodes.log().get(part)).0;
        }
        self.first_leaf(id)
    }

    /// The bytes of the first leaf of a state.
    pub fn first_leaf(&self, id: StoredId) -> &[u8] {
        let (mut part, _) = unpack(self.root(id).0);
        while part & LEAF == 0 {
            part = unpack(self.nodes.log().get(part)).0;
        }
        self.leaves.get(part & !LEAF)
    }

    /// Unfolds a state into its bytes and its parts. Parts shared with the previous state of the path are
    /// reused.
    pub fn load(&self, id: StoredId, plan: &Plan, vector: &mut Vec<u8>, path: &mut TreePath) {
        self.unfold(id, plan, path);
        vector.clone_from(&path.bytes);
    }

    /// Starts to fetch what is below the root of a state.
    #[inline]
    fn prefetch(&self, id: StoredId) {
        if (id as usize) < self.len() {
            let (left, right) = unpack(self.root(id).0);
            for part in [left, right] {
                if part & LEAF == 0 {
                    self.nodes.log().prefetch(part);
                }
            }
        }
    }

    fn unfold(&self, id: StoredId, plan: &Plan, path: &mut TreePath) {
        let of = (self.number, plan.number);
        if path.of != Some(of) {
            path.reset(of, plan);
        }
        self.prefetch(id + AHEAD);
        let root = self.root(id).0;
        let Some(top) = plan.nodes.len().checked_sub(1) else {
            return self.unfold_part(0, unpack(root).0, plan, path);
        };
        self.unfold_node(top, root, plan, path);
        for word in (0..path.marks.0.len()).rev() {
            // The parts of a node have smaller numbers.
            while let Some(bit) = path.marks.0[word].checked_ilog2() {
                path.marks.0[word] ^= 1 << bit;
                let node = word * 64 + bit as usize;
                let pair = self.nodes.log().get(path.ids[plan.n_leaves() + node]);
                self.unfold_node(node, pair, plan, path);
            }
        }
    }

    #[inline]
    fn unfold_node(&self, node: usize, pair: u64, plan: &Plan, path: &mut TreePath) {
        let ([left, right], (left_id, right_id)) = (plan.nodes[node], unpack(pair));
        self.unfold_part(left as usize, left_id, plan, path);
        self.unfold_part(right as usize, right_id, plan, path);
    }

    #[inline]
    fn unfold_part(&self, part: usize, id: u32, plan: &Plan, path: &mut TreePath) {
        if std::mem::replace(&mut path.ids[part], id) == id {
            return;
        }
        match part.checked_sub(plan.n_leaves()) {
            Some(node) => _ = path.marks.add(node),
            None => path.bytes[plan.span(part)].copy_from_slice(self.leaves.get(id & !LEAF)),
        }
    }
}
