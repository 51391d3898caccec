//! A set of tuples of states, numbered in the order of discovery.

use crate::lts::StateId;
use hashbrown::HashTable;
use resy_index::Id;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::ops::Index;

/// Tuples of one width, stored flat, with a hash table.
#[derive(Clone, Debug)]
pub struct Tuples {
    width: usize,
    items: Vec<StateId>,
    ids: HashTable<StateId>,
}

impl Tuples {
    /// An empty set of tuples with `width` states each.
    pub fn new(width: usize) -> Self {
        Self { width, items: Vec::new(), ids: HashTable::new() }
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The number of the tuple, and whether it is new.
    pub fn insert(&mut self, tuple: &[StateId]) -> (StateId, bool) {
        debug_assert_eq!(tuple.len(), self.width);
        let (width, items) = (self.width, &self.items);
        let at = |id: &StateId| &items[id.index() * width..][..width];
        let hash = |tuple: &[StateId]| FxBuildHasher.hash_one(tuple);
        let next = Id::from_index(self.ids.len());
        let entry = self.ids.entry(hash(tuple), |id| at(id) == tuple, |id| hash(at(id)));
        let id = *entry.or_insert(next).get();
        if id == next {
            self.items.extend_from_slice(tuple);
        }
        (id, id == next)
    }

    /// The number of the tuple, if it is in the set.
    pub fn find(&self, tuple: &[StateId]) -> Option<StateId> {
        self.ids.find(FxBuildHasher.hash_one(tuple), |&id| &self[id] == tuple).copied()
    }
}

impl Index<StateId> for Tuples {
    type Output = [StateId];
    fn index(&self, id: StateId) -> &[StateId] {
        &self.items[id.index() * self.width..][..self.width]
    }
}
