//! From a vector to the root of its tree, and back.
//!
//! A child state mostly has the plan of its parent, and most of its bytes. Then only
//! the leaves that differ are looked up, and the inner nodes above them; the ids
//! of the other parts are known from unfolding the parent.

use super::hash;
use super::plan::Plan;
use super::{Root, StateId, TreeStore};

/// Set in the id of a leaf.
const LEAF: u32 = 1 << 31;
/// The id of no part: in the root of a state with one leaf.
const NONE: u32 = u32::MAX;

/// The parts that an unfolded state is made of.
#[derive(Default)]
pub struct TreePath {
    /// The number of the plan.
    plan: Option<u32>,
    /// The ids of the leaves and then of the inner nodes without the root.
    ids: Vec<u32>,
}

impl TreePath {
    /// The path of no state.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Room to work in while folding.
#[derive(Default)]
pub(super) struct Room {
    ids: Vec<u32>,
    /// The inner nodes to look up, as bits.
    dirty: Vec<u64>,
}

impl TreeStore {
    /// The bytes of the first leaf of a state; they tell the caller its plan.
    pub fn first_leaf(&self, id: StateId) -> &[u8] {
        let (mut part, _) = unpack(self.root(id).0);
        while part & LEAF == 0 {
            part = unpack(self.nodes.log().get(part)).0;
        }
        self.leaves.get(part & !LEAF)
    }

    /// Unfolds a state into its bytes and the parts it is made of.
    pub fn load(&self, id: StateId, plan: &Plan, vector: &mut Vec<u8>, path: &mut TreePath) {
        let n = plan.n_leaves();
        path.plan = Some(plan.number);
        path.ids.clear();
        path.ids.resize(n + plan.nodes.len(), 0);
        let ids = &mut path.ids[..];
        let (mut pair, mut rest) = (self.root(id).0, plan.nodes.len());
        ids[0] = unpack(pair).0;
        while rest > 0 {
            rest -= 1;
            let [left, right] = plan.nodes[rest];
            (ids[left as usize], ids[right as usize]) = unpack(pair);
            if rest > 0 {
                pair = self.nodes.log().get(ids[n + rest - 1]);
            }
        }
        vector.clear();
        for &leaf in &ids[..n] {
            vector.extend_from_slice(self.leaves.get(leaf & !LEAF));
        }
    }

    /// Folds a vector, given the state it came from: the bytes of this and its path, as
    /// [`load`](Self::load) left them.
    pub fn fold(&mut self, parent: &[u8], path: &TreePath, vector: &[u8], plan: &Plan) -> Root {
        if path.plan != Some(plan.number) {
            return self.fold_whole(vector, plan);
        }
        let mut room = std::mem::take(&mut self.room);
        room.start(plan);
        room.ids.clear();
        room.ids.extend_from_slice(&path.ids);
        let (mut leaf, mut start) = (0, 0);
        while let Some(at) = first_difference(parent, vector, start) {
            while plan.cuts[leaf] as usize <= at {
                leaf += 1;
            }
            room.ids[leaf] = self.leaves.insert(&vector[plan.span(leaf)]) | LEAF;
            room.mark_above(plan, leaf);
            start = plan.cuts[leaf] as usize;
            leaf += 1;
        }
        let root = self.fold_nodes(&mut room, plan);
        self.room = room;
        root
    }

    /// Folds a vector, given the one that was folded before: its bytes and its path,
    /// which become those of this one. At first both are empty.
    pub fn fold_next(
        &mut self,
        last: &mut Vec<u8>,
        path: &mut TreePath,
        vector: &[u8],
        plan: &Plan,
    ) -> Root {
        let root = self.fold(last, path, vector, plan);
        path.plan = Some(plan.number);
        path.ids.clone_from(&self.room.ids);
        last.clear();
        last.extend_from_slice(vector);
        root
    }

    /// Folds a vector of which nothing is known.
    pub fn fold_whole(&mut self, vector: &[u8], plan: &Plan) -> Root {
        let mut room = std::mem::take(&mut self.room);
        room.start(plan);
        room.ids.clear();
        room.ids.resize(plan.n_leaves() + plan.nodes.len(), NONE);
        for leaf in 0..plan.n_leaves() {
            room.ids[leaf] = self.leaves.insert(&vector[plan.span(leaf)]) | LEAF;
        }
        room.mark_all(plan);
        let root = self.fold_nodes(&mut room, plan);
        self.room = room;
        root
    }

    /// Looks up the nodes that are marked, from the bottom up.
    fn fold_nodes(&mut self, room: &mut Room, plan: &Plan) -> Root {
        let n = plan.n_leaves();
        let Some(&[left, right]) = plan.nodes.last() else {
            return Root(pack(room.ids[0], NONE));
        };
        for (word, bits) in room.dirty.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let [left, right] = plan.nodes[node];
                let pair = pack(room.ids[left as usize], room.ids[right as usize]);
                let hash = hash::of_pair(pair);
                let nodes = &mut self.nodes;
                room.ids[n + node] =
                    self.recent_nodes.get_or(hash, pair, || nodes.insert_hashed(pair, hash).0);
            }
        }
        Root(pack(room.ids[left as usize], room.ids[right as usize]))
    }
}

impl Room {
    fn start(&mut self, plan: &Plan) {
        self.dirty.clear();
        self.dirty.resize(plan.nodes.len().div_ceil(64), 0);
    }

    /// Marks the nodes above a leaf, without the root.
    #[inline]
    fn mark_above(&mut self, plan: &Plan, leaf: usize) {
        let (n, root) = (plan.n_leaves(), plan.nodes.len().saturating_sub(1));
        let mut node = plan.above[leaf] as usize;
        while node < root && self.dirty[node / 64] >> (node % 64) & 1 == 0 {
            self.dirty[node / 64] |= 1 << (node % 64);
            node = plan.above[n + node] as usize;
        }
    }

    fn mark_all(&mut self, plan: &Plan) {
        for node in 0..plan.nodes.len().saturating_sub(1) {
            self.dirty[node / 64] |= 1 << (node % 64);
        }
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
fn unpack(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// The first position from `start` on at which two vectors of one length differ.
#[inline]
fn first_difference(a: &[u8], b: &[u8], start: usize) -> Option<usize> {
    let (a_words, a_rest) = a[start..].as_chunks::<8>();
    let (b_words, b_rest) = b[start..].as_chunks::<8>();
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    for (i, (a, b)) in a_words.iter().zip(b_words).enumerate() {
        let difference = word(a) ^ word(b);
        if difference != 0 {
            return Some(start + 8 * i + difference.trailing_zeros() as usize / 8);
        }
    }
    let in_rest = a_rest.iter().zip(b_rest).position(|(a, b)| a != b)?;
    Some(start + 8 * a_words.len() + in_rest)
}
