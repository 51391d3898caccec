//! Making transition systems, a state and a transition at a time.

use super::{Alphabet, Label, Lts, Rows, StateId};
use resy_index::Id;

/// A transition system under construction.
#[derive(Clone, Debug, Default)]
pub struct LtsBuilder {
    n_states: usize,
    transitions: Vec<(StateId, Label, StateId)>,
}

impl LtsBuilder {
    /// No states yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// This many states, and no transitions yet.
    pub fn with_states(n_states: usize) -> Self {
        Self { n_states, transitions: Vec::new() }
    }

    /// Adds a state.
    pub fn add_state(&mut self) -> StateId {
        let state = Id::from_index(self.n_states);
        self.n_states += 1;
        state
    }

    /// The number of states so far.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Adds a transition, in any order; duplicates are ignored.
    pub fn add_transition(&mut self, source: StateId, label: Label, target: StateId) {
        debug_assert!(source.index().max(target.index()) < self.n_states, "no such state");
        self.transitions.push((source, label, target));
    }

    /// The transition system. The actions of its transitions belong to the alphabet in
    /// any case.
    pub fn finish(self, initial: StateId, alphabet: Alphabet) -> Lts {
        assert!(initial.index() < self.n_states, "the initial state is none of the states");
        let unlisted: Alphabet = self
            .transitions
            .iter()
            .filter_map(|&(_, label, _)| label.action())
            .filter(|&action| !alphabet.contains(action))
            .collect();
        let alphabet = if unlisted.is_empty() { alphabet } else { alphabet.union(&unlisted) };
        let entry = |&(source, label, target): &(StateId, _, _)| (source.index(), (label, target));
        let mut rows = Rows::collect(self.n_states, || self.transitions.iter().map(entry));
        rows.sort();
        Lts { initial, alphabet, rows }
    }
}
