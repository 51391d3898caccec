//! The states that a search has stored, as states of the reference semantics.

use super::expander::Expander;
use super::{Search, Task};
use crate::tree::StoredId;
use resy_system::{State, ViolationKind};

/// The number of states between two questions whether to go on.
const ASK_EVERY: usize = 1 << 12;

/// The states that a search with one worker has stored.
pub fn stored_states(task: &Task<'_>, search: &Search) -> Result<Vec<State>, ViolationKind> {
    let mut states = Vec::new();
    visit_states(task, search, &mut || true, |state| states.push(state))?;
    Ok(states)
}

/// Visits the states that a search with one worker has stored, in their order; whether these are all, which they are
/// unless `go_on` cancels.
pub fn visit_states(
    task: &Task<'_>,
    search: &Search,
    go_on: &mut dyn FnMut() -> bool,
    mut visit: impl FnMut(State),
) -> Result<bool, ViolationKind> {
    // Nothing is executed, so that nothing needs to be compiled.
    let mut expander = Expander::new_while(task, &mut || false)?;
    if let Some(shapes) = &search.shapes {
        expander.stepper.shapes().clone_from(shapes);
    }
    let store = &search.stores[0];
    for first in (0..store.len()).step_by(ASK_EVERY) {
        if !go_on() {
            return Ok(false);
        }
        let ids = first as StoredId..(first + ASK_EVERY).min(store.len()) as StoredId;
        store.for_each(&mut expander, ids, |expander, vector| visit(expander.unpack(vector)));
    }
    Ok(true)
}
