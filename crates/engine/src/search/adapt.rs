//! Which store a search uses, and the conversion from one to the other.

use super::expander::Expander;
use super::limits::Limits;
use super::relearn::{Sample, learn_from};
use super::resident::{available, resident};
use crate::flat::FlatStore;
use crate::store::StateStore;
use crate::tree::{StoredId, TreePath, TreeStore};
use std::ops::Range;

/// Which store a search uses.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum StorePolicy {
    /// The flat store up to two thirds of the memory limit, or of the memory that the machine has available. The rest
    /// is needed while the store is converted.
    #[default]
    Adaptive,
    /// The flat store up to this many bytes, with 0 only the tree.
    FlatUpTo(usize),
}

/// The memory that a search may take for a flat store if nothing is known about the machine.
const UNKNOWN: usize = 1 << if usize::BITS > 32 { 32 } else { 29 };

impl StorePolicy {
    /// An empty store.
    pub(super) fn store(self) -> StateStore {
        let flat = if self == StorePolicy::FlatUpTo(0) { None } else { FlatStore::new() };
        flat.map_or_else(|| StateStore::Tree(TreeStore::new()), StateStore::Flat)
    }

    /// The most bytes of a flat store.
    pub(super) fn most(self, limits: &Limits<'_>) -> usize {
        match (self, limits.memory) {
            (StorePolicy::FlatUpTo(most), _) => most,
            // The limit is one on the whole process.
            (StorePolicy::Adaptive, Some(limit)) => {
                (limit / 3 * 2).saturating_sub(resident().unwrap_or(0))
            }
            (StorePolicy::Adaptive, None) => available().unwrap_or(UNKNOWN) / 3 * 2,
        }
    }
}

impl StateStore {
    /// Calls `visit` with the vector of each state in a range.
    pub(super) fn for_each(
        &self,
        expander: &mut Expander<'_>,
        ids: Range<StoredId>,
        mut visit: impl FnMut(&mut Expander<'_>, &[u8]),
    ) {
        match self {
            StateStore::Flat(flat) => {
                flat.states_from(ids.start)
                    .take(ids.len())
                    .for_each(|state| visit(expander, state));
            }
            StateStore::Tree(tree) => {
                let (mut vector, mut path) = (Vec::new(), TreePath::new());
                for id in ids {
                    expander.load(tree, id, &mut vector, &mut path);
                    visit(expander, &vector);
                }
            }
        }
    }

    /// The vector of a state.
    pub(super) fn vector(&self, expander: &mut Expander<'_>, id: StoredId) -> Vec<u8> {
        let mut found = Vec::new();
        self.for_each(expander, id..id + 1, |_, vector| found.extend_from_slice(vector));
        found
    }
}

/// The number of states that are converted before the memory of their vectors is given back.
const TURN: StoredId = 1 << 15;

/// The tree with the states of a flat store, which is freed on the way. `go_on` is told the memory of both; `None` if
/// it ends the conversion.
pub(super) fn convert(
    expander: &mut Expander<'_>,
    mut flat: FlatStore,
    mut go_on: impl FnMut(usize) -> bool,
) -> Option<TreeStore> {
    let (n, mut sample) = (flat.len() as StoredId, Sample::default());
    for id in Sample::ids(flat.len()) {
        sample.add(expander, flat.get(flat.locate(id)));
    }
    learn_from(expander, sample);
    flat.drop_index();
    let (layout, shapes) = expander.stepper.layout_and_shapes();
    let (mut tree, mut path) = (TreeStore::new(), TreePath::new());
    let mut offset = flat.first();
    for id in 0..n {
        let state = flat.get(offset);
        let shape = shapes.of(layout, state);
        let root = tree.fold_next(&mut path, state, &shapes[shape].plan);
        let inserted = tree.insert(root);
        debug_assert_eq!((inserted.id, inserted.new), (id, true));
        offset += state.len().div_ceil(8) as u32;
        if id % TURN == TURN - 1 {
            flat.release_before(offset);
            if !go_on(flat.memory() + tree.memory()) {
                return None;
            }
        }
    }
    Some(tree)
}
