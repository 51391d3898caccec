//! Deterministic automata of good words: hypotheses of a learner, and assumptions.
//!
//! Most letters lead nowhere in most states, because the environment cannot follow them; so a state
//! lists some letters, and all others lead to one state.

use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// A complete deterministic automaton over an alphabet, whose accepted words are closed under
/// prefixes: at most one state rejects, and it absorbs. State 0 is the initial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordAutomaton {
    alphabet: Alphabet,
    states: Vec<WordState>,
    rejecting: Option<usize>,
}

/// Where the letters lead from a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct WordState {
    /// The targets of some letters.
    pub next: BTreeMap<ActionId, usize>,
    /// The target of all other letters; none if there is no other letter.
    pub others: Option<usize>,
}

impl WordAutomaton {
    /// An automaton; `rejecting` is the state that rejects, if there is one.
    pub fn new(alphabet: Alphabet, states: Vec<WordState>, rejecting: Option<usize>) -> Self {
        debug_assert!(
            states
                .iter()
                .all(|state| { state.others.is_some() || state.next.len() == alphabet.len() })
        );
        Self { alphabet, states, rejecting }
    }

    /// The letters.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The initial state.
    pub fn initial(&self) -> usize {
        0
    }

    /// The number of states that accept.
    pub fn n_accepting(&self) -> usize {
        self.states.len() - usize::from(self.rejecting.is_some())
    }

    /// The states, the rejecting one included.
    pub fn states(&self) -> &[WordState] {
        &self.states
    }

    /// Whether a state rejects.
    pub fn rejects_at(&self, state: usize) -> bool {
        self.rejecting == Some(state)
    }

    /// The state after one more action; actions that are no letters change nothing.
    pub fn after(&self, state: usize, action: ActionId) -> usize {
        if !self.alphabet.contains(action) {
            return state;
        }
        let WordState { next, others } = &self.states[state];
        next.get(&action).copied().or(*others).expect("each letter leads somewhere")
    }

    /// The state after a label; internal steps change nothing.
    pub fn after_label(&self, state: usize, label: Label) -> usize {
        label.action().map_or(state, |action| self.after(state, action))
    }

    /// The state after a word.
    pub fn after_word(&self, word: &[ActionId]) -> usize {
        word.iter().fold(self.initial(), |state, &action| self.after(state, action))
    }

    /// Whether a word is accepted.
    pub fn accepts(&self, word: &[ActionId]) -> bool {
        !self.rejects_at(self.after_word(word))
    }

    /// The targets of all letters of a state.
    pub fn row(&self, state: usize) -> impl Iterator<Item = (ActionId, usize)> + '_ {
        self.alphabet.iter().map(move |action| (action, self.after(state, action)))
    }

    /// The letters that some state does not simply accept without moving: the others could be left out.
    pub fn needed_letters(&self) -> Alphabet {
        let accepting = (0..self.states.len()).filter(|&state| !self.rejects_at(state));
        let moving =
            accepting.flat_map(|state| self.row(state).filter(move |&(_, to)| to != state));
        moving.map(|(action, _)| action).collect()
    }

    /// The same over fewer letters, all that are needed.
    #[must_use]
    pub fn over_needed_letters(&self) -> Self {
        let alphabet = self.needed_letters();
        let kept = |state: usize| {
            let row = alphabet.iter().map(|action| (action, self.after(state, action)));
            WordState { next: row.collect(), others: None }
        };
        let states = (0..self.states.len()).map(kept).collect();
        Self::new(alphabet.clone(), states, self.rejecting)
    }

    /// The automaton as a monitor: it errs where a word is rejected.
    pub fn to_monitor(&self) -> Monitor {
        let error = self.rejecting.unwrap_or(self.states.len());
        let mut builder = LtsBuilder::with_states(self.states.len().max(error + 1));
        for state in (0..self.states.len()).filter(|&state| state != error) {
            for (action, to) in self.row(state) {
                let label = Label::Visible(action);
                builder.add_transition(Id::from_index(state), label, Id::from_index(to));
            }
        }
        let lts = builder.finish(Id::from_index(self.initial()), self.alphabet.clone());
        Monitor { lts, error: Id::from_index(error), state_names: IndexVec::new() }
    }

    /// The automaton as a constraint: what is rejected cannot be done. Without a word that is
    /// accepted there is one state, which can do nothing.
    pub fn to_lts(&self) -> Lts {
        if self.rejects_at(self.initial()) {
            return Lts::idle(self.alphabet.clone());
        }
        let mut builder = LtsBuilder::with_states(self.n_accepting());
        for (state, source) in self.accepting() {
            for (action, to) in self.row(state) {
                if let Some(target) = self.number_in_lts(to) {
                    builder.add_transition(source, Label::Visible(action), target);
                }
            }
        }
        builder.finish(Id::from_index(self.initial()), self.alphabet.clone())
    }

    /// The number of a state in the constraint; none of the state that rejects.
    pub fn number_in_lts(&self, state: usize) -> Option<StateId> {
        let before = self.rejecting.is_some_and(|rejecting| rejecting < state);
        (!self.rejects_at(state)).then(|| Id::from_index(state - usize::from(before)))
    }

    /// The states that accept, with their numbers in the constraint.
    fn accepting(&self) -> impl Iterator<Item = (usize, StateId)> + '_ {
        (0..self.states.len()).filter_map(|state| Some((state, self.number_in_lts(state)?)))
    }
}
