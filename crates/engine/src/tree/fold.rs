//! From a vector to the root of its tree.
//!
//! A child state mostly has the plan of its parent, and most of its bytes. Then only
//! the leaves that differ are looked up, and the inner nodes above them; the ids
//! of the other parts are known from [unfolding](super::unfold) the parent.

use super::cpu::differences;
use super::marks::Marks;
use super::plan::Plan;
use super::unfold::TreePath;
use super::{Root, TreeStore};

/// Set in the id of a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// The id of no part: in the root of a state with one leaf.
pub(super) const NONE: u32 = u32::MAX;

/// Room to work in while folding.
#[derive(Default)]
pub(super) struct Room {
    /// The leaves that differ from the parent's.
    changed: Vec<u32>,
    ids: Vec<u32>,
    /// The inner nodes to look up.
    marks: Marks,
}

impl TreeStore {
    /// Folds a vector, given the state it came from, as [`load`](Self::load) left it.
    pub fn fold(&mut self, parent: &TreePath, vector: &[u8], plan: &Plan) -> Root {
        if parent.of != Some((self.number, plan.number)) {
            return self.fold_whole(vector, plan);
        }
        list_changes(&parent.bytes, vector, plan, &mut self.room.changed);
        match self.room.changed[..] {
            [leaf] if !plan.nodes.is_empty() => self.fold_one(parent, leaf as usize, vector, plan),
            _ => self.fold_changed(parent, vector, plan),
        }
    }

    /// Folds a vector that differs in one leaf: straight upwards.
    fn fold_one(&mut self, parent: &TreePath, leaf: usize, vector: &[u8], plan: &Plan) -> Root {
        let Self { leaves, nodes, recent_nodes, .. } = self;
        let mut part = leaf;
        let mut id = leaves.insert(vector, plan.span(leaf)) | LEAF;
        loop {
            let up = plan.above[part];
            let beside = parent.ids[up.beside as usize];
            let pair = u64::from(id) << up.shift | u64::from(beside) << (32 - up.shift);
            part = plan.n_leaves() + up.node as usize;
            if part + 1 == plan.above.len() {
                return Root(pair);
            }
            id = recent_nodes.get_or(pair, pair, || nodes.insert(pair).0);
        }
    }

    /// Folds a vector of which the leaves are known that have changed.
    fn fold_changed(&mut self, parent: &TreePath, vector: &[u8], plan: &Plan) -> Root {
        let Self { leaves, room: Room { changed, ids, marks }, .. } = self;
        ids.clone_from(&parent.ids);
        marks.fit(plan);
        for &leaf in &*changed {
            let leaf = leaf as usize;
            ids[leaf] = leaves.insert(vector, plan.span(leaf)) | LEAF;
            marks.add_above(leaf, plan);
        }
        self.fold_nodes(plan)
    }

    /// Folds a vector, given the one that was folded before, whose path becomes that of
    /// this one.
    pub fn fold_next(&mut self, path: &mut TreePath, vector: &[u8], plan: &Plan) -> Root {
        let of = (self.number, plan.number);
        let root = if path.of == Some(of) {
            list_changes(&path.bytes, vector, plan, &mut self.room.changed);
            self.fold_changed(path, vector, plan)
        } else {
            path.reset(of, plan);
            self.fold_whole(vector, plan)
        };
        std::mem::swap(&mut path.ids, &mut self.room.ids);
        path.bytes.copy_from_slice(vector);
        root
    }

    /// Folds a vector of which nothing is known.
    pub fn fold_whole(&mut self, vector: &[u8], plan: &Plan) -> Root {
        let Self { leaves, room: Room { ids, marks, .. }, .. } = self;
        ids.clear();
        ids.resize(plan.n_leaves() + plan.nodes.len(), NONE);
        marks.fit(plan);
        for (leaf, id) in ids[..plan.n_leaves()].iter_mut().enumerate() {
            *id = leaves.insert(vector, plan.span(leaf)) | LEAF;
            marks.add_above(leaf, plan);
        }
        self.fold_nodes(plan)
    }

    /// Looks up the nodes that are marked, from the bottom up.
    fn fold_nodes(&mut self, plan: &Plan) -> Root {
        let Self { nodes, recent_nodes, room: Room { ids, marks, .. }, .. } = self;
        let Some(&[left, right]) = plan.nodes.last() else {
            return Root(pack(ids[0], NONE));
        };
        for (word, bits) in marks.0.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let [left, right] = plan.nodes[node];
                let pair = pack(ids[left as usize], ids[right as usize]);
                let find = || nodes.insert(pair).0;
                ids[plan.n_leaves() + node] = recent_nodes.get_or(pair, pair, find);
            }
        }
        Root(pack(ids[left as usize], ids[right as usize]))
    }
}

/// Whether a pair can be the inner node number `id` of a store.
pub fn is_node(pair: u64, n_leaves: u64, id: u64) -> bool {
    let (left, right) = unpack(pair);
    is_part(left, n_leaves, id) && is_part(right, n_leaves, id)
}

/// Whether a pair can be a root of a store.
pub fn is_root(pair: u64, n_leaves: u64, n_nodes: u64) -> bool {
    let (left, right) = unpack(pair);
    let alone = left & LEAF != 0 && right == NONE;
    is_part(left, n_leaves, n_nodes) && (alone || is_part(right, n_leaves, n_nodes))
}

fn is_part(part: u32, n_leaves: u64, n_nodes: u64) -> bool {
    let bound = if part & LEAF == 0 { n_nodes } else { n_leaves };
    u64::from(part & !LEAF) < bound
}

#[inline]
fn pack(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

#[inline]
pub(super) fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// Lists the leaves in which two vectors of a plan differ.
#[inline]
fn list_changes(a: &[u8], b: &[u8], plan: &Plan, leaves: &mut Vec<u32>) {
    leaves.clear();
    let n = a.len();
    let b = &b[..n];
    // What lies before `end` has been dealt with.
    let (mut start, mut end) = (0, 0);
    while start < n {
        // The last piece may overlap the one before it.
        let piece = start.min(n.saturating_sub(16));
        let (Some(x), Some(y)) = (a[piece..].first_chunk(), b[piece..].first_chunk()) else {
            // There is not even one piece: all may have changed.
            return leaves.extend(0..plan.n_leaves() as u32);
        };
        let mut set = differences(x, y);
        while set != 0 {
            let at = piece + set.trailing_zeros() as usize;
            if at >= end {
                let leaf = plan.leaf_at[at];
                leaves.push(leaf);
                end = plan.cuts[leaf as usize] as usize;
            }
            set &= u32::MAX.checked_shl((end - piece) as u32).unwrap_or(0);
        }
        start += 16;
    }
}
