//! ProgressProperty under fair choice: in every terminal set of states some action of the property
//! occurs.
//!
//! If a choice that is met again and again takes each of its branches again and again, a run
//! ends in a strongly connected set of states that nothing leads out of, and takes all
//! transitions of that set for ever. The sets are found by Tarjan's algorithm, without
//! recursion.

use resy_automata::{Lts, StateId};
use resy_index::Id;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A progress property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressProperty {
    /// Its name.
    pub name: String,
    /// The actions of `if {…}`: where none of them occurs, the property holds.
    pub condition: Option<BTreeSet<Rc<str>>>,
    /// The actions of which one must occur.
    pub actions: BTreeSet<Rc<str>>,
}

impl ProgressProperty {
    /// Whether the property fails in a terminal set of a product, in which `names` gives the
    /// name of an action. A state without steps is a terminal set in which nothing occurs.
    pub fn fails_in<'n>(
        &self,
        lts: &Lts,
        set: &[StateId],
        names: impl Fn(resy_automata::ActionId) -> &'n str,
    ) -> bool {
        let occurs = |actions: &BTreeSet<Rc<str>>| {
            let steps = set.iter().flat_map(|&state| lts.transitions_from(state));
            steps.filter_map(|(label, _)| label.action()).any(|a| actions.contains(names(a)))
        };
        self.condition.as_ref().is_none_or(occurs) && !occurs(&self.actions)
    }
}

/// The terminal sets: strongly connected, reachable, and closed.
pub fn terminal_sets(lts: &Lts) -> Vec<Vec<StateId>> {
    const UNSEEN: usize = usize::MAX;
    let n = lts.n_states();
    let (mut index, mut low) = (vec![UNSEEN; n], vec![0; n]);
    let mut on_stack = vec![false; n];
    let mut in_terminal = vec![true; n];
    let (mut stack, mut sets) = (Vec::new(), Vec::new());
    let mut counter = 0;
    // The path of the search: a state, and how many of its transitions have been followed.
    let mut path: Vec<(usize, usize)> = vec![(lts.initial().index(), 0)];
    while let Some((state, next)) = path.pop() {
        if next == 0 {
            (index[state], low[state]) = (counter, counter);
            counter += 1;
            stack.push(state);
            on_stack[state] = true;
        }
        let row = lts.transitions_from(Id::from_index(state));
        if let Some(&(_, target)) = row.get(next) {
            let target = target.index();
            path.push((state, next + 1));
            if index[target] == UNSEEN {
                path.push((target, 0));
            } else if on_stack[target] {
                low[state] = low[state].min(index[target]);
            } else {
                in_terminal[state] = false;
            }
            continue;
        }
        if low[state] == index[state] {
            let start = stack.iter().rposition(|&s| s == state).unwrap_or(0);
            let set = stack.split_off(start);
            set.iter().for_each(|&s| on_stack[s] = false);
            if set.iter().all(|&s| in_terminal[s]) {
                sets.push(set.into_iter().map(Id::from_index).collect());
            }
        }
        if let Some(&(parent, _)) = path.last() {
            low[parent] = low[parent].min(low[state]);
            if !on_stack[state] {
                in_terminal[parent] = false;
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use resy_automata::{Alphabet, Label, LtsBuilder};

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
