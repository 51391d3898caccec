//! Monitors: properties as transition systems with an error state.

use crate::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_index::{Id, IndexVec};

/// A safety property, violated when the error state is entered.
///
/// A monitor watches and never blocks: in every state but the error state it has a transition for
/// every action of its alphabet. It has no internal steps. It may be non-deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// Its behaviour.
    pub lts: Lts,
    /// The error state; nothing leads out of it.
    pub error: StateId,
    /// Display names of its states; either empty, or one per state.
    pub state_names: IndexVec<StateId, String>,
}

/// A point where an automaton is not deterministic although it has to be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NotDeterministic {
    /// A state with an internal step or with two transitions for one action.
    pub state: StateId,
    /// The label of those transitions.
    pub label: Label,
}

impl Monitor {
    /// The monitor of a deterministic automaton that accepts the good words: a last state is added
    /// as the error state, and every missing transition leads to it.
    pub fn of_good_words(
        lts: &Lts,
        mut state_names: IndexVec<StateId, String>,
    ) -> Result<Self, NotDeterministic> {
        if !state_names.is_empty() {
            state_names.push("error".to_owned());
        }
        let (builder, error) = with_one_more_state(lts);
        let lts = builder.finish(lts.initial(), lts.alphabet().clone());
        Self { lts, error, state_names }.complete()
    }

    /// The monitor in which every missing transition leads to the error state; for
    /// deterministic monitors only, because a non-deterministic one may miss a transition
    /// here and have it in another of its possible states.
    pub fn complete(&self) -> Result<Self, NotDeterministic> {
        if let Some((state, label)) = self.lts.nondeterminism() {
            return Err(NotDeterministic { state, label });
        }
        let mut builder = copy(&self.lts);
        for (state, label) in self.missing() {
            builder.add_transition(state, label, self.error);
        }
        let lts = builder.finish(self.lts.initial(), self.lts.alphabet().clone());
        Ok(Self { lts, ..self.clone() })
    }

    /// The monitor in which every missing transition leads to a state that never errs,
    /// added if it is needed; right for non-deterministic monitors with explicit errors.
    #[must_use]
    pub fn with_sink(&self) -> Self {
        if self.missing().next().is_none() {
            return self.clone();
        }
        let (mut builder, sink) = with_one_more_state(&self.lts);
        for (state, label) in self.missing() {
            builder.add_transition(state, label, sink);
        }
        for action in self.lts.alphabet().iter() {
            builder.add_transition(sink, Label::Visible(action), sink);
        }
        let lts = builder.finish(self.lts.initial(), self.lts.alphabet().clone());
        let mut state_names = self.state_names.clone();
        if !state_names.is_empty() {
            state_names.push("sink".to_owned());
        }
        Self { lts, error: self.error, state_names }
    }

    /// The monitor without the actions that are not in `used`.
    #[must_use]
    pub fn restricted_to(self, used: &Alphabet) -> Self {
        if self.lts.alphabet().iter().all(|a| used.contains(a)) {
            return self;
        }
        let mut builder = LtsBuilder::with_states(self.lts.n_states());
        for (source, label, target) in self.lts.transitions() {
            if label.action().is_none_or(|a| used.contains(a)) {
                builder.add_transition(source, label, target);
            }
        }
        let alphabet = self.lts.alphabet().iter().filter(|&a| used.contains(a)).collect();
        Self { lts: builder.finish(self.lts.initial(), alphabet), ..self }
    }

    /// States other than the error state, with a label for which they have no transition.
    pub(super) fn missing(&self) -> impl Iterator<Item = (StateId, Label)> + '_ {
        let watching = self.lts.states().filter(|&state| state != self.error);
        watching.flat_map(move |state| {
            let labels = self.lts.alphabet().iter().map(Label::Visible);
            labels
                .filter(move |&l| self.lts.transitions_by(state, l).is_empty())
                .map(move |label| (state, label))
        })
    }
}

fn copy(lts: &Lts) -> LtsBuilder {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        builder.add_transition(source, label, target);
    }
    builder
}

fn with_one_more_state(lts: &Lts) -> (LtsBuilder, StateId) {
    let mut builder = copy(lts);
    let state = builder.add_state();
    debug_assert_eq!(state.index(), lts.n_states());
    (builder, state)
}
