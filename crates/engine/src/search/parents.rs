//! Parents of states in a breadth-first search, at almost no memory.
//!
//! States are expanded in the order of their numbers and are numbered in the order of discovery, so that
//! parents increase with their children. It is enough to note the parent of every 256th state; the parent
//! of another is found by expanding the few states between two notes in order, until one leads to it.

use crate::flat;
use crate::tree::StoredId;

/// Threads that share a store note the same states as the store itself.
const DISTANCE: StoredId = flat::DISTANCE as StoredId;

/// The parents of every 256th state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parents(Vec<StoredId>);

impl Parents {
    /// Notes the parent of a new state; called for every state in order.
    pub fn add(&mut self, id: StoredId, parent: StoredId) {
        if id.is_multiple_of(DISTANCE) {
            self.0.push(parent);
        }
    }

    /// The candidates for the parent of `id`: the first of them that leads to it.
    pub fn candidates(&self, id: StoredId) -> impl Iterator<Item = StoredId> + use<> {
        let note = (id / DISTANCE) as usize;
        let last = self.0.get(note + 1).copied().unwrap_or(id);
        self.0[note]..=last.min(id.saturating_sub(1))
    }

    /// The notes.
    pub fn notes(&self) -> &[StoredId] {
        &self.0
    }

    /// Restores the notes of this many states; `None` if their number does not fit.
    pub fn from_notes(notes: Vec<StoredId>, n_states: u64) -> Option<Parents> {
        (notes.len() as u64 == n_states.div_ceil(u64::from(DISTANCE))).then_some(Parents(notes))
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.0.capacity() * size_of::<StoredId>()
    }
}
