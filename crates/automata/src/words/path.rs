//! Paths along a word. Here the internal action is a letter like every other.

use crate::lts::{Label, Lts, StateId};

/// The states after each letter of some path along a word, into `end` if it is given; `None` if
/// there is no such path.
pub fn path(
    lts: &Lts,
    word: impl IntoIterator<Item = Label>,
    end: Option<StateId>,
) -> Option<Vec<StateId>> {
    let mut possible = vec![(Label::Tau, vec![lts.initial()])];
    for label in word {
        let now = after(lts, &possible.last()?.1, label);
        possible.push((label, now));
    }
    let is_end = |state: &&StateId| end.is_none_or(|end| end == **state);
    let mut path: Vec<StateId> = vec![*possible.last()?.1.iter().find(is_end)?];
    for pair in possible.windows(2).rev() {
        let ((_, before), (label, _), end) = (&pair[0], &pair[1], *path.last()?);
        let leads_on =
            |s: &&StateId| lts.transitions_by(**s, *label).binary_search(&(*label, end)).is_ok();
        path.push(*before.iter().find(leads_on)?);
    }
    path.pop();
    path.reverse();
    Some(path)
}

/// The successors of these states by a label, sorted.
pub fn after(lts: &Lts, states: &[StateId], label: Label) -> Vec<StateId> {
    let rows = states.iter().flat_map(|&state| lts.transitions_by(state, label));
    let mut next: Vec<StateId> = rows.map(|t| t.1).collect();
    next.sort_unstable();
    next.dedup();
    next
}
