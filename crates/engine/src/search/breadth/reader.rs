//! What one thread of a round reads: a store of either kind, which nobody changes meanwhile.

use super::super::expander::Expander;
use crate::flat::{Candidates, Offset, Sieve};
use crate::store::StoreRef;
use crate::tree::{StoredId, TreeCandidates, TreePath, TreeSieve, TreeStore};
use crate::vector::Shape;

/// Looks up the successors of states, in batches.
#[derive(Default)]
pub(super) struct Reader {
    flat: Sieve,
    tree: TreeSieve,
    /// The state that is expanded, if it comes from a tree.
    path: TreePath,
    vector: Vec<u8>,
}

/// The successors that were not in the store.
#[derive(Default)]
pub(super) struct Fresh {
    pub flat: Candidates,
    pub tree: TreeCandidates,
}

impl Fresh {
    /// The number of words of all.
    pub fn n_words(&self) -> usize {
        self.flat.n_words() + self.tree.n_words()
    }

    /// Forgets the successors, but not their memory.
    pub fn clear(&mut self) {
        self.flat.clear();
        self.tree.clear();
    }
}

/// The number of a state, and its offset in a flat store.
#[derive(Copy, Clone)]
pub(super) struct At {
    pub id: StoredId,
    pub offset: Offset,
}

impl At {
    /// The place of a state.
    pub fn of(store: StoreRef<'_>, id: StoredId) -> Self {
        let offset = match store {
            StoreRef::Flat(flat) => flat.locate(id),
            StoreRef::Tree(_) => 0,
        };
        Self { id, offset }
    }

    /// The place after this state.
    pub fn after(self, state: &[u8]) -> Self {
        Self { id: self.id + 1, offset: self.offset + state.len().div_ceil(8) as Offset }
    }
}

impl Reader {
    /// Unfolds a state of a tree; the vector is to be [given back](Self::give_back).
    pub fn unfold(
        &mut self,
        tree: &TreeStore,
        expander: &mut Expander<'_>,
        id: StoredId,
    ) -> Vec<u8> {
        let mut vector = std::mem::take(&mut self.vector);
        expander.load(tree, id, &mut vector, &mut self.path);
        vector
    }

    /// Gives the memory of a vector back.
    pub fn give_back(&mut self, vector: Vec<u8>) {
        self.vector = vector;
    }

    /// Puts a successor of the state that was read last into the batch.
    #[inline]
    pub fn stage(
        &mut self,
        store: StoreRef<'_>,
        vector: &[u8],
        shape: &Shape,
        from: StoredId,
        fresh: &mut Fresh,
    ) {
        match store {
            StoreRef::Flat(flat) => self.flat.stage(flat, vector, from),
            StoreRef::Tree(tree) => {
                let successor = (vector, &shape.plan);
                self.tree.stage(tree, (&self.path, from), successor, &mut fresh.tree);
            }
        }
    }

    /// The number of states in the batch.
    #[inline]
    pub fn n_staged(&self) -> usize {
        self.flat.n_staged() + self.tree.n_staged()
    }

    /// Looks up the states of the batch in their order, and passes for each whether it is expanded later than this one.
    pub fn sift(
        &mut self,
        store: StoreRef<'_>,
        here: At,
        fresh: &mut Fresh,
        mut later: impl FnMut(bool),
    ) {
        // What is not in the store is expanded after all that is.
        match store {
            StoreRef::Flat(flat) => {
                let is_later = |at: Option<Offset>| at.is_none_or(|at| at > here.offset);
                self.flat.sift(flat, &mut fresh.flat, |at| later(is_later(at)));
            }
            StoreRef::Tree(tree) => {
                let is_later = |id: Option<StoredId>| id.is_none_or(|id| id > here.id);
                self.tree.sift(tree, &mut fresh.tree, |id| later(is_later(id)));
            }
        }
    }
}
