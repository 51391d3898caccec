//! The system that is refined, with numbered transitions, in both directions.

use crate::lts::{Label, Lts, Rows, StateId};
use resy_index::{Id, IndexVec, define_id};
use std::ops::Range;

define_id!(
    /// A transition.
    pub struct TransitionId,
    "t"
);

/// The transitions by source, and by target.
pub struct TransitionGraph {
    /// The source of each transition.
    pub source: IndexVec<TransitionId, StateId>,
    /// Its target.
    pub target: IndexVec<TransitionId, StateId>,
    /// Its label.
    pub label: IndexVec<TransitionId, Label>,
    first_out: Vec<usize>,
    /// Internal ones first.
    into: Rows<TransitionId>,
    n_tau_into: IndexVec<StateId, u32>,
}

impl TransitionGraph {
    /// The transitions of a system.
    pub fn new(lts: &Lts) -> Self {
        let source: IndexVec<TransitionId, StateId> = lts.transitions().map(|t| t.0).collect();
        let label: IndexVec<TransitionId, Label> = lts.transitions().map(|t| t.1).collect();
        let target: IndexVec<TransitionId, StateId> = lts.transitions().map(|t| t.2).collect();
        let mut first_out = vec![0];
        let mut n = 0;
        for state in lts.states() {
            n += lts.transitions_from(state).len();
            first_out.push(n);
        }
        let is_tau = |t: &TransitionId| label[*t] == Label::Tau;
        let into = Rows::collect(lts.n_states(), || {
            let visible = source.ids().filter(|t| !is_tau(t));
            source.ids().filter(is_tau).chain(visible).map(|t| (target[t].index(), t))
        });
        let mut n_tau_into: IndexVec<StateId, u32> = lts.states().map(|_| 0).collect();
        for t in source.ids().filter(is_tau) {
            n_tau_into[target[t]] += 1;
        }
        Self { first_out, into, n_tau_into, source, target, label }
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.first_out.len() - 1
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.n_states()).map(Id::from_index)
    }

    /// The transitions out of a state.
    pub fn out(&self, state: StateId) -> impl Iterator<Item = TransitionId> + use<> {
        self.out_numbers(state).map(Id::from_index)
    }

    /// The numbers of these transitions.
    pub fn out_numbers(&self, state: StateId) -> Range<usize> {
        self.first_out[state.index()]..self.first_out[state.index() + 1]
    }

    /// The internal transitions into a state.
    pub fn tau_into(&self, state: StateId) -> &[TransitionId] {
        &self.into_(state)[..self.n_tau_into[state] as usize]
    }

    /// All transitions into a state.
    pub fn into_(&self, state: StateId) -> &[TransitionId] {
        self.into.row(state.index())
    }
}
