//! From where a state was first reached, for next to no memory.
//!
//! Breadth-first, states are expanded in the order of their numbers and get their
//! numbers in the order of discovery: the parent of a later state is never an
//! earlier one. So it is enough to note the parent of every 256th state. The parent
//! of another is found by expanding the few states between two notes, in order, until
//! one leads to it.

use crate::tree::StoredId;

const DISTANCE: StoredId = 256;

/// The parents of every 256th state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parents(Vec<StoredId>);

impl Parents {
    /// Notes from where a new state was reached; called for each in order.
    pub fn add(&mut self, id: StoredId, parent: StoredId) {
        if id.is_multiple_of(DISTANCE) {
            self.0.push(parent);
        }
    }

    /// The states among which the first that leads to `id` is its parent.
    pub fn candidates(&self, id: StoredId) -> impl Iterator<Item = StoredId> + use<> {
        let note = (id / DISTANCE) as usize;
        let last = self.0.get(note + 1).copied().unwrap_or(id);
        self.0[note]..=last.min(id.saturating_sub(1))
    }

    /// What was noted.
    pub fn notes(&self) -> &[StoredId] {
        &self.0
    }

    /// From what was noted for so many states; `None` if it is too little or too much.
    pub fn from_notes(notes: Vec<StoredId>, n_states: u64) -> Option<Parents> {
        (notes.len() as u64 == n_states.div_ceil(u64::from(DISTANCE))).then_some(Parents(notes))
    }

    /// The memory taken.
    pub fn memory(&self) -> usize {
        self.0.capacity() * size_of::<StoredId>()
    }
}
