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
    let Some((shape, joins)) = joins(expander, store) else { return };
    let old = expander.stepper.shapes().clone();
    expander.stepper.shapes().learn(shape, joins);
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

/// The joins for the most frequent shape of a sample.
fn joins(expander: &mut Expander<'_>, store: &TreeStore) -> Option<(ShapeId, Vec<[u32; 2]>)> {
    let mut by_shape: HashMap<ShapeId, Vec<Vec<u8>>> = HashMap::new();
    let mut path = TreePath::new();
    // Only the later half, which resembles the states still to come.
    let half = store.len() / 2;
    for id in (half..store.len()).step_by((half / SAMPLE).max(1)) {
        let mut vector = Vec::new();
        expander.load(store, id as StoredId, &mut vector, &mut path);
        by_shape.entry(expander.shape(&vector)).or_default().push(vector);
    }
    let (shape, vectors) = by_shape.into_iter().max_by_key(|(id, v)| (v.len(), *id))?;
    let cuts = expander.stepper.shapes()[shape].plan.cuts().to_vec();
    if !(3..=MOST_LEAVES).contains(&cuts.len()) {
        return None;
    }
    let leaf = |i: usize| {
        let start = if i == 0 { 0 } else { cuts[i - 1] as usize };
        vectors.iter().map(|v| &v[start..cuts[i] as usize]).collect()
    };
    let leaves: Vec<Vec<&[u8]>> = (0..cuts.len()).map(leaf).collect();
    Some((shape, learn::joins(&leaves)))
}
