//! An assumption as an image of the module, which a certificate can contain.
//!
//! A state `m` of the module is mapped to the set of states that the assumption may be in when the
//! module is in `m`. Every run of the image can be followed in the assumption from any member of the
//! set that it starts in, because the assumption is deterministic and the module satisfies it; so the
//! environment is as safe with the image as with the assumption. To map `m` to *one* of these states
//! would be no homomorphism.

use super::automaton::WordAutomaton;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_index::Id;
use std::collections::BTreeSet;

/// The partition of a module that satisfies an assumption by what the assumption knows.
pub(crate) fn image(module: &Lts, assumption: &WordAutomaton) -> Partition {
    Partition::by_keys(states_along(module, assumption).into_iter().map(|(_, states)| states))
}

/// For each state of the module, in order, the states that an assumption may be in with it.
pub fn states_along(module: &Lts, assumption: &WordAutomaton) -> Vec<(StateId, BTreeSet<usize>)> {
    let mut sets: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); module.n_states()];
    let start = (module.initial(), assumption.initial());
    sets[start.0.index()].insert(start.1);
    let mut open: Vec<(StateId, usize)> = vec![start];
    while let Some((m, q)) = open.pop() {
        for &(label, to) in module.transitions_from(m) {
            let next = assumption.after_label(q, label);
            if sets[to.index()].insert(next) {
                open.push((to, next));
            }
        }
    }
    module.states().zip(sets).collect()
}
