//! The states in which a monitor can still err.

use resy_automata::lts::{Lts, StateId};
use resy_index::Id;

/// For each state of a monitor, whether the error is reachable from it. In the other states the
/// property is settled, and proofs need not cover them.
pub fn dangerous(monitor: &Lts, error: StateId) -> Vec<bool> {
    let mut before: Vec<Vec<StateId>> = vec![Vec::new(); monitor.n_states()];
    monitor.transitions().for_each(|(source, _, target)| before[target.index()].push(source));
    let mut dangerous = vec![false; monitor.n_states()];
    let mut todo = vec![error];
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut dangerous[state.index()], true) {
            todo.extend(&before[state.index()]);
        }
    }
    dangerous
}
