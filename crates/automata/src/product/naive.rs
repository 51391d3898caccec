//! The product straight from its definition.

use super::ProductStep;
use crate::lts::{Label, Lts, StateId};
use resy_index::Id;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A state of the product.
pub type Tuple = Vec<StateId>;

/// All steps out of a state, with their targets.
pub fn successors(systems: &[&Lts], state: &[StateId]) -> BTreeSet<(ProductStep, Tuple)> {
    let mut all = BTreeSet::new();
    for (i, lts) in systems.iter().enumerate() {
        for &(label, target) in lts.transitions_from(state[i]) {
            let Label::Visible(action) = label else {
                let mut next = state.to_vec();
                next[i] = target;
                all.insert((ProductStep::Tau(Id::from_index(i)), next));
                continue;
            };
            let mut tuples = vec![Vec::new()];
            for (lts, &here) in systems.iter().zip(state) {
                let targets: Vec<StateId> = if lts.alphabet().contains(action) {
                    lts.transitions_by(here, label).iter().map(|t| t.1).collect()
                } else {
                    vec![here]
                };
                let longer = |tuple: Tuple| {
                    targets.iter().map(move |&t| [&tuple[..], &[t]].concat()).collect::<Vec<_>>()
                };
                tuples = tuples.into_iter().flat_map(longer).collect();
            }
            all.extend(tuples.into_iter().map(|tuple| (ProductStep::Action(action), tuple)));
        }
    }
    all
}

/// The steps of every reachable state.
pub fn reachable(systems: &[&Lts]) -> BTreeMap<Tuple, BTreeSet<(ProductStep, Tuple)>> {
    let mut all = BTreeMap::new();
    let initial: Tuple = systems.iter().map(|lts| lts.initial()).collect();
    let mut queue = VecDeque::from([initial]);
    while let Some(state) = queue.pop_front() {
        if all.contains_key(&state) {
            continue;
        }
        let steps = successors(systems, &state);
        queue.extend(steps.iter().map(|step| step.1.clone()));
        all.insert(state, steps);
    }
    all
}
