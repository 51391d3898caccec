//! The states that have been seen, each once, in the order of discovery.

use hashbrown::HashTable;
use std::hash::{BuildHasher, Hasher};

/// The position of a state in the order of discovery.
pub type StateId = u32;

/// An exact set of packed states. All bytes lie in one arena; a state is found
/// by its hash and identified by its bytes.
pub struct Store {
    bytes: Vec<u8>,
    /// Where each state ends.
    ends: Vec<u64>,
    /// The state from which each was first reached.
    parents: Vec<StateId>,
    table: HashTable<StateId>,
    hasher: rapidhash::fast::RandomState,
}

impl Store {
    /// An empty store.
    pub fn new() -> Self {
        Self {
            bytes: Vec::new(),
            ends: Vec::new(),
            parents: Vec::new(),
            table: HashTable::new(),
            hasher: rapidhash::fast::RandomState::default(),
        }
    }

    /// Adds a state reached from `parent`; says whether it is new.
    pub fn insert(&mut self, state: &[u8], parent: StateId) -> bool {
        let hash = self.hash(state);
        if self.table.find(hash, |&id| self.get(id) == state).is_some() {
            return false;
        }
        let id = self.ends.len() as StateId;
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len() as u64);
        self.parents.push(parent);
        let (bytes, ends, hasher) = (&self.bytes, &self.ends, &self.hasher);
        self.table.insert_unique(hash, id, |&id| hash_of(hasher, slice(bytes, ends, id)));
        true
    }

    /// The bytes of a state.
    pub fn get(&self, id: StateId) -> &[u8] {
        slice(&self.bytes, &self.ends, id)
    }

    /// The state from which `id` was first reached; the initial state is its own.
    pub fn parent(&self, id: StateId) -> StateId {
        self.parents[id as usize]
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The memory that the store has taken.
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.ends.capacity() * size_of::<u64>()
            + self.parents.capacity() * size_of::<StateId>()
            + self.table.capacity() * (size_of::<StateId>() + 1)
    }

    fn hash(&self, state: &[u8]) -> u64 {
        hash_of(&self.hasher, state)
    }
}

impl Default for Store {
    fn default() -> Self {
        Self::new()
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u64], id: StateId) -> &'a [u8] {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &bytes[start as usize..ends[id] as usize]
}

fn hash_of(hasher: &rapidhash::fast::RandomState, state: &[u8]) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write(state);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_stored_once() {
        let mut store = Store::new();
        assert!(store.insert(b"one", 0));
        assert!(store.insert(b"two", 0));
        assert!(!store.insert(b"one", 1));
        assert!(store.insert(b"", 1));
        assert_eq!((store.get(1), store.get(2), store.len()), (&b"two"[..], &b""[..], 3));
        assert_eq!(store.parent(2), 1);
    }
}
