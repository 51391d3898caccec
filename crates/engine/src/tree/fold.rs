//! From a vector to the root of its tree, and back.
//!
//! A child state mostly has the plan of its parent, and most of its bytes. Then only
//! the leaves that differ are looked up, and the inner nodes above them; the ids
//! of the other parts are known from unfolding the parent. Likewise a state shares
//! most parts with the one that was unfolded before it, its neighbour in the queue.

use super::cpu::differences;
use super::plan::Plan;
use super::{Root, StateId, TreeStore};

/// Set in the id of a leaf.
const LEAF: u32 = 1 << 31;
/// The id of no part: in the root of a state with one leaf.
const NONE: u32 = u32::MAX;

/// When a state is unfolded, what the one so far behind it needs is fetched.
const AHEAD: StateId = 4;

/// An unfolded state: its bytes, and the parts it is made of.
#[derive(Default)]
pub struct TreePath {
    /// The numbers of the store and of the plan.
    of: Option<(u32, u32)>,
    bytes: Vec<u8>,
    /// The ids of the leaves and then of the inner nodes; that of the root is not used.
    ids: Vec<u32>,
    marks: Marks,
}

impl TreePath {
    /// The path of no state.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes of the state.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets the state, to become one of this plan.
    fn reset(&mut self, of: (u32, u32), plan: &Plan) {
        self.of = Some(of);
        self.bytes.clear();
        self.bytes.resize(plan.cuts.last().map_or(0, |&end| end as usize), 0);
        self.ids.clear();
        self.ids.resize(plan.n_leaves() + plan.nodes.len(), NONE);
        self.marks.fit(plan);
    }
}

/// A set of inner nodes, empty between two uses.
#[derive(Default)]
struct Marks(Vec<u64>);

impl Marks {
    fn fit(&mut self, plan: &Plan) {
        let n = plan.nodes.len().div_ceil(64);
        if self.0.len() != n {
            self.0.resize(n, 0);
        }
    }

    /// Adds a node; says whether it is new.
    #[inline]
    fn add(&mut self, node: usize) -> bool {
        let (word, bit) = (&mut self.0[node / 64], 1 << (node % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Adds the nodes above a leaf, without the root.
    #[inline]
    fn add_above(&mut self, leaf: usize, plan: &Plan) {
        let (n, root) = (plan.n_leaves(), plan.nodes.len().saturating_sub(1));
        let mut node = plan.above[leaf].node as usize;
        while node < root && self.add(node) {
            node = plan.above[n + node].node as usize;
        }
    }
}

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
    /// The bytes of the first leaf of a state; they tell the caller its plan.
    pub fn first_leaf(&self, id: StateId) -> &[u8] {
        let (mut part, _) = unpack(self.root(id).0);
        while part & LEAF == 0 {
            part = unpack(self.nodes.log().get(part)).0;
        }
        self.leaves.get(part & !LEAF)
    }

    /// Unfolds a state into its bytes and the parts it is made of. Parts that it shares
    /// with the state that the path had are there already.
    pub fn load(&self, id: StateId, plan: &Plan, vector: &mut Vec<u8>, path: &mut TreePath) {
        self.unfold(id, plan, path);
        vector.clone_from(&path.bytes);
    }

    /// Begins to fetch what is below the root of a state.
    #[inline]
    fn prefetch(&self, id: StateId) {
        if (id as usize) < self.len() {
            let (left, right) = unpack(self.root(id).0);
            for part in [left, right] {
                if part & LEAF == 0 {
                    self.nodes.log().prefetch(part);
                }
            }
        }
    }

    fn unfold(&self, id: StateId, plan: &Plan, path: &mut TreePath) {
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
            // What is found below a node has a smaller number.
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
fn unpack(pair: u64) -> (u32, u32) {
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
