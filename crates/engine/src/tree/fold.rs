//! From a vector to the root of its tree, and back.
//!
//! The tree over n leaves is split in the middle: the first half, rounded up, is the
//! left part. It is balanced because the parts of half the size are those that have
//! far fewer values than there are states. The id of a part says whether it is a
//! leaf or an inner node, so that a root can be unfolded without knowing n.
//!
//! A child state mostly has the cuts of its parent, and most of its bytes. Then only
//! the leaves that differ are looked up, and the inner nodes above them; the ids
//! of the other parts are known from unfolding the parent.

use super::hash;
use super::memo::Memo;
use super::pairs::Pairs;
use super::{Root, StateId, TreeStore};

/// Set in the id of a leaf.
const LEAF: u32 = 1 << 31;
/// The id of no part: in the root of a state with fewer than two leaves.
const NONE: u32 = u32::MAX;

/// The parts that an unfolded state is made of.
#[derive(Default)]
pub struct TreePath {
    cuts: Vec<u32>,
    leaves: Vec<u32>,
    /// The inner nodes, each before the parts it is made of, left before right. The
    /// first is the root, which is no node and has no id.
    inner: Vec<u32>,
    /// Room to work in: parts still to unfold.
    pending: Vec<u32>,
}

impl TreePath {
    /// The path of no state.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where the leaves of the state end.
    pub fn cuts(&self) -> &[u32] {
        &self.cuts
    }
}

impl TreeStore {
    /// Unfolds a state into its bytes and the parts it is made of.
    pub fn load(&self, id: StateId, vector: &mut Vec<u8>, path: &mut TreePath) {
        let TreePath { cuts, leaves, inner, pending } = path;
        vector.clear();
        cuts.clear();
        leaves.clear();
        inner.clear();
        inner.push(NONE);
        let (left, right) = unpack(self.root(id).0);
        pending.extend([right, left]);
        while let Some(part) = pending.pop() {
            if part & LEAF == 0 {
                inner.push(part);
                let (left, right) = unpack(self.nodes.log().get(part));
                pending.extend([right, left]);
            } else if part != NONE {
                leaves.push(part);
                vector.extend_from_slice(self.leaves.get(part & !LEAF));
                cuts.push(vector.len() as u32);
            }
        }
    }

    /// Folds a vector whose leaves end at `cuts`, given the state it came from: the
    /// bytes of this and its path, as [`load`](Self::load) left them.
    pub fn fold(&mut self, parent: &[u8], path: &TreePath, vector: &[u8], cuts: &[u32]) -> Root {
        if path.cuts != cuts {
            return self.fold_whole(vector, cuts);
        }
        let changed = self.changes(parent, vector, cuts);
        let root = self.folding(path, &changed).root(cuts.len());
        self.changed = changed;
        root
    }

    /// Folds a vector whose leaves end at `cuts`, given the one that was folded
    /// before: its bytes and its path, which become those of this one. At first both are
    /// empty.
    pub fn fold_next(
        &mut self,
        last: &mut Vec<u8>,
        path: &mut TreePath,
        vector: &[u8],
        cuts: &[u32],
    ) -> Root {
        let changed = if path.cuts == cuts {
            self.changes(last, vector, cuts)
        } else {
            path.cuts.clear();
            path.cuts.extend_from_slice(cuts);
            path.leaves.resize(cuts.len(), NONE);
            path.inner.resize(cuts.len().max(1), NONE);
            self.all_leaves(vector, cuts)
        };
        let root = self.folding(path, &changed).root(cuts.len());
        self.changed = changed;
        last.clear();
        last.extend_from_slice(vector);
        root
    }

    /// The leaves in which a vector differs from another with the same cuts.
    fn changes(&mut self, from: &[u8], vector: &[u8], cuts: &[u32]) -> Vec<(usize, u32)> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        let (mut leaf, mut start) = (0, 0);
        while let Some(at) = first_difference(from, vector, start) {
            while cuts[leaf] as usize <= at {
                start = cuts[leaf] as usize;
                leaf += 1;
            }
            let end = cuts[leaf] as usize;
            changed.push((leaf, self.leaves.insert(&vector[start..end]) | LEAF));
            (leaf, start) = (leaf + 1, end);
        }
        changed
    }

    /// All leaves of a vector.
    fn all_leaves(&mut self, vector: &[u8], cuts: &[u32]) -> Vec<(usize, u32)> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        let mut start = 0;
        for (leaf, &end) in cuts.iter().enumerate() {
            let id = self.leaves.insert(&vector[start..end as usize]) | LEAF;
            changed.push((leaf, id));
            start = end as usize;
        }
        debug_assert_eq!(start, vector.len(), "the last leaf ends with the vector");
        changed
    }

    /// Folds a vector whose leaves end at `cuts`, the last of which is its length.
    pub fn fold_whole(&mut self, vector: &[u8], cuts: &[u32]) -> Root {
        let changed = self.all_leaves(vector, cuts);
        let path = &TreePath::new();
        let root = self.folding(path, &changed).root(cuts.len());
        self.changed = changed;
        root
    }

    fn folding<'a, P: Parts>(&'a mut self, path: P, changed: &'a [(usize, u32)]) -> Fold<'a, P> {
        Fold { nodes: &mut self.nodes, recent: &mut self.recent_nodes, path, changed }
    }
}

/// The parts of the state along which another is folded.
trait Parts {
    fn path(&self) -> &TreePath;
    /// Told about a leaf that has changed.
    fn note_leaf(&mut self, _: usize, _: u32) {}
    /// Told about an inner node that has changed.
    fn note_inner(&mut self, _: usize, _: u32) {}
}

impl Parts for &TreePath {
    fn path(&self) -> &TreePath {
        self
    }
}

/// The path follows: it becomes that of the folded state.
impl Parts for &mut TreePath {
    fn path(&self) -> &TreePath {
        self
    }

    fn note_leaf(&mut self, number: usize, leaf: u32) {
        self.leaves[number] = leaf;
    }

    fn note_inner(&mut self, number: usize, node: u32) {
        self.inner[number] = node;
    }
}

/// What a fold works with.
struct Fold<'a, P> {
    nodes: &'a mut Pairs,
    recent: &'a mut Memo<u64>,
    /// The parent's parts. It is not asked where all leaves have changed.
    path: P,
    /// The leaves that are not the parent's, in order, and their ids.
    changed: &'a [(usize, u32)],
}

impl<P: Parts> Fold<'_, P> {
    fn root(&mut self, n_leaves: usize) -> Root {
        Root(match n_leaves {
            0 => pack(NONE, NONE),
            1 => pack(self.part(0, 1, 0, self.changed), NONE),
            _ => self.children(0, n_leaves, 0, self.changed),
        })
    }

    /// The id of the part with leaves `first..end`, of which `changed` have changed.
    /// It was the parent's inner node number `inner`, if it is one.
    #[inline]
    fn part(&mut self, first: usize, end: usize, inner: usize, changed: &[(usize, u32)]) -> u32 {
        match (changed, end - first) {
            ([], 1) => self.path.path().leaves[first],
            ([], _) => self.path.path().inner[inner],
            (&[(_, leaf), ..], 1) => {
                self.path.note_leaf(first, leaf);
                leaf
            }
            _ => {
                let children = self.children(first, end, inner, changed);
                let hash = hash::of_pair(children);
                let insert = || self.nodes.insert_hashed(children, hash).0;
                let node = self.recent.get_or(hash, children, insert);
                self.path.note_inner(inner, node);
                node
            }
        }
    }

    /// The two parts of a part, as a pair. The depth of the recursion is the height
    /// of the tree, at most 32.
    fn children(
        &mut self,
        first: usize,
        end: usize,
        inner: usize,
        changed: &[(usize, u32)],
    ) -> u64 {
        let middle = end - (end - first) / 2;
        let n_left = changed.iter().take_while(|&&(leaf, _)| leaf < middle).count();
        let (in_left, in_right) = changed.split_at(n_left);
        let left = self.part(first, middle, inner + 1, in_left);
        // Over m leaves are m - 1 inner nodes.
        let right = self.part(middle, end, inner + (middle - first), in_right);
        pack(left, right)
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
    pair == pack(NONE, NONE)
        || is_part(left, n_leaves, n_nodes) && (alone || is_part(right, n_leaves, n_nodes))
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
