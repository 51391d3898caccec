//! Folding: from a vector to the root of its tree.
//!
//! A successor mostly has the plan of its parent and most of its bytes. Then only the leaves that differ
//! are looked up, and the inner nodes above them; the ids of the other parts are known from
//! [unfolding](super::unfold) the parent.
//!
//! Where the ids come from is a parameter ([`Parts`]): a part that is not in the store is entered, or there is no root.

use super::cpu::differences;
use super::leaves::Leaves;
use super::marks::Marks;
use super::memo::Memo;
use super::pairs::Pairs;
use super::plan::Plan;
use super::unfold::TreePath;
use super::{Root, TreeStore};
use std::ops::Range;

/// Set in the id of a leaf.
pub(super) const LEAF: u32 = 1 << 31;
/// The id of no part, used in the root of a state with one leaf.
pub(super) const NONE: u32 = u32::MAX;

/// Buffers for folding.
#[derive(Default)]
pub(super) struct Room {
    /// The leaves that differ from the parent's.
    changed: Vec<u32>,
    ids: Vec<u32>,
    /// The inner nodes to look up.
    marks: Marks,
}

/// The ids of parts; `None` for a part that has none.
pub(super) trait Parts {
    /// The id of a leaf: a part of a vector.
    fn leaf(&mut self, vector: &[u8], span: Range<usize>) -> Option<u32>;
    /// The id of an inner node.
    fn node(&mut self, pair: u64) -> Option<u32>;
}

/// Enters the parts that are not in the store.
struct Entering<'s> {
    leaves: &'s mut Leaves,
    nodes: &'s mut Pairs,
    recent_nodes: &'s mut Memo<u64>,
}

impl Parts for Entering<'_> {
    #[inline]
    fn leaf(&mut self, vector: &[u8], span: Range<usize>) -> Option<u32> {
        Some(self.leaves.insert(vector, span))
    }

    #[inline]
    fn node(&mut self, pair: u64) -> Option<u32> {
        Some(self.recent_nodes.get_or(pair, pair, || self.nodes.insert(pair).0))
    }
}

impl TreeStore {
    fn entering(&mut self) -> (Entering<'_>, &mut Room) {
        let Self { leaves, nodes, recent_nodes, room, .. } = self;
        (Entering { leaves, nodes, recent_nodes }, room)
    }

    /// Folds a successor along its parent, as [`load`](Self::load) left it.
    pub fn fold(&mut self, parent: &TreePath, vector: &[u8], plan: &Plan) -> Root {
        let of = (self.number, plan.number);
        let (mut parts, room) = self.entering();
        fold(&mut parts, room, parent, (vector, plan), of).unwrap_or_else(entered)
    }

    /// Folds a vector along the one that was folded before; the path is updated to this one.
    pub fn fold_next(&mut self, path: &mut TreePath, vector: &[u8], plan: &Plan) -> Root {
        let of = (self.number, plan.number);
        let (mut parts, room) = self.entering();
        let root = if path.of == Some(of) {
            list_changes(&path.bytes, vector, plan, &mut room.changed);
            fold_changed(&mut parts, room, path, vector, plan)
        } else {
            path.reset(of, plan);
            fold_whole(&mut parts, room, vector, plan)
        };
        std::mem::swap(&mut path.ids, &mut room.ids);
        path.bytes.copy_from_slice(vector);
        root.unwrap_or_else(entered)
    }

    /// Folds a vector from scratch.
    pub fn fold_whole(&mut self, vector: &[u8], plan: &Plan) -> Root {
        let (mut parts, room) = self.entering();
        fold_whole(&mut parts, room, vector, plan).unwrap_or_else(entered)
    }
}

#[cold]
fn entered() -> Root {
    unreachable!("a part that is entered has an id")
}

/// Folds a successor along its parent; `of` are the numbers of the store and of the plan.
#[inline]
pub(super) fn fold(
    parts: &mut impl Parts,
    room: &mut Room,
    parent: &TreePath,
    (vector, plan): (&[u8], &Plan),
    of: (u32, u32),
) -> Option<Root> {
    if parent.of != Some(of) {
        return fold_whole(parts, room, vector, plan);
    }
    if let Some(leaf) = only_change(&parent.bytes, vector, plan) {
        return fold_one(parts, parent, leaf, vector, plan);
    }
    list_changes(&parent.bytes, vector, plan, &mut room.changed);
    fold_changed(parts, room, parent, vector, plan)
}

/// Folds a vector that differs in exactly one of several leaves: one path upwards.
#[inline]
fn fold_one(
    parts: &mut impl Parts,
    parent: &TreePath,
    leaf: usize,
    vector: &[u8],
    plan: &Plan,
) -> Option<Root> {
    let mut part = leaf;
    let mut id = parts.leaf(vector, plan.span(leaf))? | LEAF;
    loop {
        let up = plan.above[part];
        let beside = parent.ids[up.beside as usize];
        let pair = u64::from(id) << up.shift | u64::from(beside) << (32 - up.shift);
        part = plan.n_leaves() + up.node as usize;
        if part + 1 == plan.above.len() {
            return Some(Root(pair));
        }
        id = parts.node(pair)?;
    }
}

/// Folds a vector whose changed leaves are known.
fn fold_changed(
    parts: &mut impl Parts,
    room: &mut Room,
    parent: &TreePath,
    vector: &[u8],
    plan: &Plan,
) -> Option<Root> {
    let Room { changed, ids, marks } = room;
    ids.clone_from(&parent.ids);
    marks.fit(plan);
    marks.clear();
    for &leaf in &*changed {
        let leaf = leaf as usize;
        ids[leaf] = parts.leaf(vector, plan.span(leaf))? | LEAF;
        marks.add_above(leaf, plan);
    }
    fold_nodes(parts, room, plan)
}

fn fold_whole(parts: &mut impl Parts, room: &mut Room, vector: &[u8], plan: &Plan) -> Option<Root> {
    let Room { ids, marks, .. } = room;
    ids.clear();
    ids.resize(plan.n_leaves() + plan.nodes.len(), NONE);
    marks.fit(plan);
    marks.clear();
    for (leaf, id) in ids[..plan.n_leaves()].iter_mut().enumerate() {
        *id = parts.leaf(vector, plan.span(leaf))? | LEAF;
        marks.add_above(leaf, plan);
    }
    fold_nodes(parts, room, plan)
}

/// Looks up the marked nodes, from the bottom up.
fn fold_nodes(parts: &mut impl Parts, room: &mut Room, plan: &Plan) -> Option<Root> {
    let Room { ids, marks, .. } = room;
    let Some(&[left, right]) = plan.nodes.last() else {
        return Some(Root(pack(ids[0], NONE)));
    };
    for (word, bits) in marks.0.iter_mut().enumerate() {
        let mut bits = std::mem::take(bits);
        while bits != 0 {
            let node = word * 64 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let [left, right] = plan.nodes[node];
            let pair = pack(ids[left as usize], ids[right as usize]);
            ids[plan.n_leaves() + node] = parts.node(pair)?;
        }
    }
    Some(Root(pack(ids[left as usize], ids[right as usize])))
}

/// Whether a pair can be the inner node with number `id` of a store.
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

/// The leaf in which two vectors differ, if there are several leaves and it is the only one: the usual
/// case.
#[inline]
fn only_change(a: &[u8], b: &[u8], plan: &Plan) -> Option<usize> {
    let n = a.len();
    if n < 16 || b.len() != n || plan.nodes.is_empty() {
        return None;
    }
    let mut from = 0;
    let mut set = block_of_differences(a, b, from);
    while set == 0 {
        from += 64;
        set = if from < n { block_of_differences(a, b, from) } else { return None };
    }
    let leaf = plan.leaf_at[from + set.trailing_zeros() as usize] as usize;
    let end = plan.cuts[leaf] as usize;
    while set & bits_from(end.saturating_sub(from)) == 0 {
        from += 64;
        set = if from < n { block_of_differences(a, b, from) } else { return Some(leaf) };
    }
    None
}

/// Lists the leaves in which two vectors of a plan differ.
fn list_changes(a: &[u8], b: &[u8], plan: &Plan, leaves: &mut Vec<u32>) {
    leaves.clear();
    let n = a.len();
    if n < 16 || b.len() != n {
        return leaves.extend(0..plan.n_leaves() as u32);
    }
    // Everything before `end` is done.
    let (mut from, mut end) = (0, 0);
    while from < n {
        let mut set = block_of_differences(a, b, from) & bits_from(end - from);
        while set != 0 {
            let leaf = plan.leaf_at[from + set.trailing_zeros() as usize];
            leaves.push(leaf);
            end = plan.cuts[leaf as usize] as usize;
            set &= bits_from(end - from);
        }
        from += 64;
        end = end.max(from);
    }
}

/// All bits of a word from a position on.
#[inline]
fn bits_from(bit: usize) -> u64 {
    if bit < 64 { u64::MAX << bit } else { 0 }
}

/// The positions from `from` on, up to 64 of them, at which two strings of the same length, at least
/// sixteen, differ.
#[inline]
fn block_of_differences(a: &[u8], b: &[u8], from: usize) -> u64 {
    let n = a.len();
    let mut set = 0;
    let mut start = from;
    while start < n.min(from + 64) {
        // The last piece may overlap the one before it.
        let piece = start.min(n - 16);
        if let (Some(x), Some(y)) = (a[piece..].first_chunk(), b[piece..].first_chunk()) {
            set |= u64::from(differences(x, y) >> (start - piece)) << (start - from);
        }
        start += 16;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The leaves that differ, by definition.
    fn changes_one_by_one(a: &[u8], b: &[u8], plan: &Plan) -> Vec<u32> {
        let differs = |&leaf: &u32| a[plan.span(leaf as usize)] != b[plan.span(leaf as usize)];
        (0..plan.n_leaves() as u32).filter(differs).collect()
    }

    proptest! {
        #[test]
        fn leaves_that_differ_are_found(
            lengths in proptest::collection::vec(1..20_u32, 1..20),
            places in proptest::collection::vec(0..400_usize, 0..5),
        ) {
            let sum = |end: &mut u32, &n: &u32| { *end += n; Some(*end) };
            let cuts: Vec<u32> = lengths.iter().scan(0, sum).collect();
            let plan = Plan::balanced(&cuts);
            let a = vec![7; cuts[cuts.len() - 1] as usize];
            let mut b = a.clone();
            places.iter().filter(|&&at| at < a.len()).for_each(|&at| b[at] = 8);
            let naive = changes_one_by_one(&a, &b, &plan);
            if a.len() >= 16 {
                let mut listed = Vec::new();
                list_changes(&a, &b, &plan, &mut listed);
                prop_assert_eq!(&listed, &naive);
            }
            if let Some(leaf) = only_change(&a, &b, &plan) {
                prop_assert_eq!(naive, [leaf as u32]);
            } else {
                prop_assert!(a.len() < 16 || lengths.len() < 2 || naive.len() != 1);
            }
        }
    }
}
