//! Words straight from their definition, by sets of states.

use crate::lts::{ActionId, Label, Lts, StateId};
use std::collections::BTreeSet;

/// The states that one and the same word may lead to.
type Possible = BTreeSet<StateId>;

/// Whether two systems have the same words.
pub fn have_same_words(a: &Lts, b: &Lts) -> bool {
    let actions: Vec<ActionId> = a.alphabet().union(b.alphabet()).iter().collect();
    let start = (closed(a, [a.initial()]), closed(b, [b.initial()]));
    let mut known = BTreeSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some((in_a, in_b)) = open.pop() {
        for &action in &actions {
            let next = (after(a, &in_a, action), after(b, &in_b, action));
            if next.0.is_empty() != next.1.is_empty() {
                return false;
            }
            if !next.0.is_empty() && known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    true
}

/// The states after one more action.
fn after(lts: &Lts, states: &Possible, action: ActionId) -> Possible {
    let rows = states.iter().flat_map(|&state| lts.transitions_by(state, Label::Visible(action)));
    closed(lts, rows.map(|t| t.1))
}

/// The states after internal steps.
fn closed(lts: &Lts, states: impl IntoIterator<Item = StateId>) -> Possible {
    let mut found: Possible = states.into_iter().collect();
    let mut open: Vec<StateId> = found.iter().copied().collect();
    while let Some(state) = open.pop() {
        for &(_, target) in lts.transitions_by(state, Label::Tau) {
            if found.insert(target) {
                open.push(target);
            }
        }
    }
    found
}
