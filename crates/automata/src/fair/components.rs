//! Strongly connected components by Tarjan's algorithm, without recursion.

use crate::lts::{Lts, StateId};
use resy_index::Id;

const UNSEEN: usize = usize::MAX;

/// The component of each state that is reachable from the roots, numbered from 0 in reverse
/// topological order; `usize::MAX` for other states. `row(state, k)` is the target of the `k`th
/// edge of a state.
pub(super) fn components(
    n_states: usize,
    roots: &[usize],
    row: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    let (mut index, mut low) = (vec![UNSEEN; n_states], vec![0; n_states]);
    let mut component = vec![UNSEEN; n_states];
    let (mut stack, mut counter, mut n_components) = (Vec::new(), 0, 0);
    for &root in roots {
        // The path of the search: a state, and how many of its edges have been followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        if index[root] == UNSEEN {
            path.push((root, 0));
        }
        while let Some((state, next)) = path.pop() {
            if next == 0 {
                (index[state], low[state]) = (counter, counter);
                counter += 1;
                stack.push(state);
            }
            if let Some(target) = row(state, next) {
                path.push((state, next + 1));
                if index[target] == UNSEEN {
                    path.push((target, 0));
                } else if component[target] == UNSEEN {
                    low[state] = low[state].min(index[target]);
                }
                continue;
            }
            if low[state] == index[state] {
                while let Some(member) = stack.pop() {
                    component[member] = n_components;
                    if member == state {
                        break;
                    }
                }
                n_components += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[state]);
            }
        }
    }
    component
}

/// The terminal sets: strongly connected, reachable, and closed.
pub fn terminal_sets(lts: &Lts) -> Vec<Vec<StateId>> {
    let row = |state: usize, next: usize| {
        let row = lts.transitions_from(Id::from_index(state));
        row.get(next).map(|(_, target)| target.index())
    };
    let component = components(lts.n_states(), &[lts.initial().index()], row);
    let n_components = component.iter().filter(|&&c| c != UNSEEN).max().map_or(0, |c| c + 1);
    let mut sets: Vec<Option<Vec<StateId>>> = vec![Some(Vec::new()); n_components];
    for state in lts.states().filter(|state| component[state.index()] != UNSEEN) {
        let own = component[state.index()];
        let stays = |&(_, to): &(_, StateId)| component[to.index()] == own;
        match lts.transitions_from(state).iter().all(stays) {
            true => sets[own].iter_mut().for_each(|set| set.push(state)),
            false => sets[own] = None,
        }
    }
    sets.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lts::{Alphabet, Label, LtsBuilder};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn lts(edges: &[(usize, usize)]) -> Lts {
        let mut builder = LtsBuilder::with_states(6);
        for &(source, target) in edges {
            builder.add_transition(Id::from_index(source), Label::Tau, Id::from_index(target));
        }
        builder.finish(Id::from_index(0), Alphabet::default())
    }

    fn reachable(lts: &Lts, from: StateId) -> BTreeSet<StateId> {
        let mut set: BTreeSet<StateId> = [from].into();
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for &(_, target) in lts.transitions_from(state) {
                if set.insert(target) {
                    open.push(target);
                }
            }
        }
        set
    }

    proptest! {
        /// A set is terminal iff all that each of its states reaches is the set.
        #[test]
        fn the_sets_are_those_of_the_definition(
            edges in prop::collection::vec((0..6usize, 0..6usize), 0..14),
        ) {
            let lts = lts(&edges);
            let is_terminal = |set: &BTreeSet<StateId>| set.iter().all(|&s| reachable(&lts, s) == *set);
            let candidates = reachable(&lts, lts.initial()).into_iter().map(|s| reachable(&lts, s));
            let expected: BTreeSet<BTreeSet<StateId>> = candidates.filter(is_terminal).collect();
            let found: BTreeSet<BTreeSet<StateId>> =
                terminal_sets(&lts).into_iter().map(|set| set.into_iter().collect()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
