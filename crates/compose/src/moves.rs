//! The transitions of the module as functions on sets of its states.
//!
//! In a given context (a state of environment and monitor), the module moves alone by its internal
//! steps and by actions that only it has; it moves together with the context by shared actions; and
//! it stays when the context moves by an action that the module does not have.
//!
//! One least fixpoint serves both directions of time: going back is going forward in the reversed
//! module.

use fixedbitset::FixedBitSet;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Rows, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The moves of the module, in one direction of time.
#[derive(Clone, Debug)]
pub(crate) struct Moves<'a> {
    module: Cow<'a, Lts>,
    /// The actions of the environment and the monitor.
    shared: &'a Alphabet,
    /// For each state, its successors by one move alone.
    alone: Rows<StateId>,
    /// For each shared action, all its transitions.
    by_action: FxHashMap<ActionId, Vec<(StateId, StateId)>>,
}

impl<'a> Moves<'a> {
    /// From states to their successors.
    pub(crate) fn forward(module: &'a Lts, shared: &'a Alphabet) -> Self {
        Self::new(Cow::Borrowed(module), shared)
    }

    /// From states to their predecessors.
    pub(crate) fn backward(module: &Lts, shared: &'a Alphabet) -> Self {
        let mut builder = LtsBuilder::with_states(module.n_states());
        for (source, label, target) in module.transitions() {
            builder.add_transition(target, label, source);
        }
        let reversed = builder.finish(module.initial(), module.alphabet().clone());
        Self::new(Cow::Owned(reversed), shared)
    }

    fn new(module: Cow<'a, Lts>, shared: &'a Alphabet) -> Self {
        let joint = module.alphabet().iter().filter(|&action| shared.contains(action));
        let mut by_action: FxHashMap<ActionId, Vec<(StateId, StateId)>> =
            joint.map(|action| (action, Vec::new())).collect();
        let mut alone = Rows::new();
        for source in module.states() {
            let mut own = Vec::new();
            for &(label, target) in module.transitions_from(source) {
                match label.action().and_then(|action| by_action.get_mut(&action)) {
                    Some(transitions) => transitions.push((source, target)),
                    None => own.push(target),
                }
            }
            alone.push(own);
        }
        Self { module, shared, alone, by_action }
    }

    /// The number of states of the module.
    pub(crate) fn n_states(&self) -> usize {
        self.module.n_states()
    }

    /// The initial state.
    pub(crate) fn initial(&self) -> StateId {
        self.module.initial()
    }

    /// The successors of a state by one move of the module alone.
    pub(crate) fn alone(&self, state: StateId) -> &[StateId] {
        self.alone.row(state.index())
    }

    /// The successors of these states when the context takes the step.
    pub(crate) fn of_list(&self, step: ProductStep, states: &[StateId]) -> Vec<StateId> {
        let Some(action) = self.joint(step) else { return states.to_vec() };
        let label = Label::Visible(action);
        let rows = states.iter().flat_map(|&state| self.module.transitions_by(state, label));
        rows.map(|t| t.1).collect()
    }

    /// Like `of_list` for a set; the result is unordered and may contain duplicates.
    pub(crate) fn of_set<'s>(
        &'s self,
        step: ProductStep,
        states: &'s FixedBitSet,
    ) -> impl Iterator<Item = StateId> + 's {
        let action = self.joint(step);
        let staying = action.is_none().then(|| states.ones().map(Id::from_index));
        let moving = action.map(|action| {
            let transitions = self.by_action[&action].iter();
            transitions.filter(|t| states.contains(t.0.index())).map(|t| t.1)
        });
        staying.into_iter().flatten().chain(moving.into_iter().flatten())
    }

    /// For backward moves: the states that permit a step into the error state, in which the module
    /// may be anywhere.
    pub(crate) fn can_enter_error(&self, step: ProductStep) -> impl Iterator<Item = StateId> + '_ {
        let action = self.joint(step);
        let all = action.is_none().then(|| self.module.states());
        let some = action.map(|action| self.by_action[&action].iter().map(|t| t.1));
        all.into_iter().flatten().chain(some.into_iter().flatten())
    }

    /// One of these states that permits the step.
    pub(crate) fn permitting(&self, step: ProductStep, states: &FixedBitSet) -> Option<StateId> {
        match self.joint(step) {
            None => states.ones().next().map(Id::from_index),
            Some(action) => {
                let mut sources = self.by_action[&action].iter().map(|t| t.0);
                sources.find(|source| states.contains(source.index()))
            }
        }
    }

    /// The neighbours of one state by the step, or by moves alone if `step` is `None`.
    pub(crate) fn neighbours(
        &self,
        state: StateId,
        step: Option<ProductStep>,
    ) -> Vec<(Label, StateId)> {
        let Some(step) = step else {
            let row = self.module.transitions_from(state).iter();
            return row.filter(|t| self.is_own(t.0)).copied().collect();
        };
        match self.joint(step) {
            Some(action) => self.module.transitions_by(state, Label::Visible(action)).to_vec(),
            None => vec![(step.label(), state)],
        }
    }

    /// The action that the module takes in a step of the context, if it takes part.
    fn joint(&self, step: ProductStep) -> Option<ActionId> {
        step.label().action().filter(|action| self.by_action.contains_key(action))
    }

    fn is_own(&self, label: Label) -> bool {
        label.action().is_none_or(|action| !self.shared.contains(action))
    }
}
