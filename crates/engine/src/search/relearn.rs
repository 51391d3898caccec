//! Learning a better tree for the store, from the states in it.

use super::expander::Expander;
use crate::tree::{StoredId, TreePath, TreeStore, learn};
use crate::vector::ShapeId;
use hashbrown::HashMap;

/// A tree is learned when the store has this many states. It is learned a second time because later states
/// look different from those near the initial one.
pub(super) const MOMENTS: [usize; 2] = [1 << 15, 1 << 18];
/// The number of states in the sample.
const SAMPLE: usize = 1 << 12;
/// Trees over more leaves are not learned: the time is quadratic in their number.
const MOST_LEAVES: usize = 96;

/// Learns a tree from the states of a store and rebuilds the store; states keep their numbers.
pub(super) fn relearn(expander: &mut Expander<'_>, store: &mut TreeStore) {
    let (mut sample, mut path) = (Sample::default(), TreePath::new());
    for id in Sample::ids(store.len()) {
        let mut vector = Vec::new();
        expander.load(store, id, &mut vector, &mut path);
        sample.add(expander, &vector);
    }
    let old = expander.stepper.shapes().clone();
    if !learn_from(expander, sample) {
        return;
    }
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let (mut vector, mut path) = (Vec::new(), TreePath::new());
    let (mut new, mut new_path) = (TreeStore::new(), TreePath::new());
    for id in 0..store.len() as StoredId {
        let shape = old.of(layout, store.first_leaf(id));
        store.load(id, &old[shape].plan, &mut vector, &mut path);
        let root = new.fold_next(&mut new_path, &vector, &shapes[shape].plan);
        let inserted = new.insert(root);
        debug_assert_eq!((inserted.id, inserted.new), (id, true));
    }
    *store = new;
}

/// States of a store, by shape.
#[derive(Default)]
pub(super) struct Sample(HashMap<ShapeId, Vec<Vec<u8>>>);

impl Sample {
    /// The numbers of the states of a sample: only of the later half, which resembles the states still to come.
    pub fn ids(n_states: usize) -> impl Iterator<Item = StoredId> {
        let half = n_states / 2;
        (half..n_states).step_by((half / SAMPLE).max(1)).map(|id| id as StoredId)
    }

    /// Adds a state.
    pub fn add(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        self.0.entry(expander.shape(vector)).or_default().push(vector.to_vec());
    }
}

/// Folds all vectors from now on with a tree that is learned from the most frequent shape of a sample; returns whether
/// one was.
pub(super) fn learn_from(expander: &mut Expander<'_>, sample: Sample) -> bool {
    let frequent = sample.0.into_iter().max_by_key(|(id, v)| (v.len(), *id));
    let Some((shape, vectors)) = frequent else { return false };
    let cuts = expander.stepper.shapes()[shape].plan.cuts().to_vec();
    if !(3..=MOST_LEAVES).contains(&cuts.len()) {
        return false;
    }
    let leaf = |i: usize| {
        let start = if i == 0 { 0 } else { cuts[i - 1] as usize };
        vectors.iter().map(|v| &v[start..cuts[i] as usize]).collect()
    };
    let leaves: Vec<Vec<&[u8]>> = (0..cuts.len()).map(leaf).collect();
    expander.stepper.shapes().learn(shape, learn::joins(&leaves));
    true
}
