//! The transitions of the module as functions on sets of its states.
//!
//! Seen from a context (a state of environment and monitor), the module moves alone by
//! its internal steps and by actions that nobody else has, moves together with the context by
//! the actions of both, and stays where it is when the context moves by an action that
//! the module has not.

use crate::bits::BitSet;
use resy_automata::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::product::Step;
use resy_index::Id;
use std::borrow::Cow;

/// Where the module goes, in one direction of time.
#[derive(Clone, Debug)]
pub(crate) struct Moves<'a> {
    module: Cow<'a, Lts>,
    /// The actions of the environment and the monitor.
    shared: &'a Alphabet,
}

impl<'a> Moves<'a> {
    /// From states to their successors.
    pub(crate) fn forward(module: &'a Lts, shared: &'a Alphabet) -> Self {
        Self { module: Cow::Borrowed(module), shared }
    }

    /// From states to their predecessors.
    pub(crate) fn backward(module: &Lts, shared: &'a Alphabet) -> Self {
        let mut builder = LtsBuilder::with_states(module.n_states());
        for (source, label, target) in module.transitions() {
            builder.add_transition(target, label, source);
        }
        let reversed = builder.finish(module.initial(), module.alphabet().clone());
        Self { module: Cow::Owned(reversed), shared }
    }

    /// The number of states of the module.
    pub(crate) fn n_states(&self) -> usize {
        self.module.n_states()
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> BitSet {
        BitSet::single(self.n_states(), self.module.initial().index())
    }

    /// Going back from the error state, in which the module may be anywhere: the states that
    /// permit the step.
    pub(crate) fn can_enter_error(&self, step: Step) -> BitSet {
        self.with(step, &BitSet::full(self.n_states()))
    }

    /// Where these states get when the context takes the step.
    pub(crate) fn with(&self, step: Step, states: &BitSet) -> BitSet {
        let Some(label) = self.joint(step) else { return states.clone() };
        self.image(states, |state| self.module.transitions_by(state, label))
    }

    /// One of these states that permits the step.
    pub(crate) fn permitting(&self, step: Step, states: &BitSet) -> Option<StateId> {
        let mut states = states.iter().map(Id::from_index);
        let Some(label) = self.joint(step) else { return states.next() };
        states.find(|&state| !self.module.transitions_by(state, label).is_empty())
    }

    /// Where these states get by one move of the module alone.
    pub(crate) fn alone(&self, states: &BitSet) -> BitSet {
        let mut image = BitSet::new(self.n_states());
        for state in states.iter() {
            let row = self.module.transitions_from(Id::from_index(state)).iter();
            row.filter(|t| self.is_own(t.0)).for_each(|t| image.insert(t.1.index()));
        }
        image
    }

    /// The neighbours of one state: by the step, or by moves alone if there is no step.
    pub(crate) fn neighbours(&self, state: StateId, step: Option<Step>) -> Vec<(Label, StateId)> {
        let Some(step) = step else {
            let row = self.module.transitions_from(state).iter();
            return row.filter(|t| self.is_own(t.0)).copied().collect();
        };
        match self.joint(step) {
            Some(label) => self.module.transitions_by(state, label).to_vec(),
            None => vec![(step.label(), state)],
        }
    }

    /// The label that the module needs for a step of the context, if it takes part.
    fn joint(&self, step: Step) -> Option<Label> {
        let action = step.label().action()?;
        self.module.alphabet().contains(action).then_some(Label::Visible(action))
    }

    fn is_own(&self, label: Label) -> bool {
        label.action().is_none_or(|action| !self.shared.contains(action))
    }

    fn image<'s>(
        &'s self,
        states: &BitSet,
        row: impl Fn(StateId) -> &'s [(Label, StateId)],
    ) -> BitSet {
        let mut image = BitSet::new(self.n_states());
        for state in states.iter() {
            row(Id::from_index(state)).iter().for_each(|t| image.insert(t.1.index()));
        }
        image
    }
}
