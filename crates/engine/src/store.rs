//! The store of a search: flat while memory is plentiful, then a tree.
//!
//! The [flat store](crate::flat) is two to three times as fast as the [tree](crate::tree) and takes two to three times
//! its memory. A search begins with the flat one and converts it when it takes more than a part of the memory: states
//! keep their numbers, so that nothing else of the search changes.

use crate::flat::FlatStore;
use crate::tree::TreeStore;

/// The states of a search, by number in order of discovery.
pub enum StateStore {
    /// Whole vectors.
    Flat(FlatStore),
    /// Trees with common parts.
    Tree(TreeStore),
}

/// A kind of store; the numbers are those of saved searches.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreKind {
    /// A [`TreeStore`].
    #[default]
    Tree = 0,
    /// A [`FlatStore`].
    Flat = 1,
}

impl StoreKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Flat => "flat",
            StoreKind::Tree => "tree",
        }
    }
}

/// A store that is read.
#[derive(Copy, Clone)]
pub enum StoreRef<'a> {
    /// Whole vectors.
    Flat(&'a FlatStore),
    /// Trees with common parts.
    Tree(&'a TreeStore),
}

impl<'a> From<&'a TreeStore> for StoreRef<'a> {
    fn from(store: &'a TreeStore) -> Self {
        StoreRef::Tree(store)
    }
}

impl<'a> From<&'a StateStore> for StoreRef<'a> {
    fn from(store: &'a StateStore) -> Self {
        match store {
            StateStore::Flat(flat) => StoreRef::Flat(flat),
            StateStore::Tree(tree) => StoreRef::Tree(tree),
        }
    }
}

impl StateStore {
    /// Its kind.
    pub fn kind(&self) -> StoreKind {
        match self {
            StateStore::Flat(_) => StoreKind::Flat,
            StateStore::Tree(_) => StoreKind::Tree,
        }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        match self {
            StateStore::Flat(flat) => flat.len(),
            StateStore::Tree(tree) => tree.len(),
        }
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is room for many more states.
    pub fn has_room(&self) -> bool {
        match self {
            StateStore::Flat(flat) => flat.has_room(),
            StateStore::Tree(tree) => tree.has_room(),
        }
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        match self {
            StateStore::Flat(flat) => flat.memory(),
            StateStore::Tree(tree) => tree.memory(),
        }
    }

    /// The numbers of different leaves and inner nodes of a tree.
    pub fn parts(&self) -> (usize, usize) {
        match self {
            StateStore::Flat(_) => (0, 0),
            StateStore::Tree(tree) => tree.parts(),
        }
    }
}
