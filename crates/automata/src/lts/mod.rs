//! Labelled transition systems: states, labelled transitions, and an alphabet.
//!
//! Transitions are stored flat (compressed rows of `u32` ids), so that systems with ten million
//! transitions are practical. An [`Lts`] is immutable; an [`LtsBuilder`] builds it.

mod alphabet;
mod builder;
mod label;
mod reverse;
mod rows;

pub use alphabet::Alphabet;
pub use builder::LtsBuilder;
pub use label::{ActionId, Label};
pub use reverse::Reverse;
pub use rows::Rows;

use resy_index::{Id, define_id};

define_id!(
    /// A state of a transition system.
    pub struct StateId,
    "s"
);

/// A labelled transition system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lts {
    initial: StateId,
    alphabet: Alphabet,
    /// Each row is sorted and without duplicates.
    rows: Rows<(Label, StateId)>,
}

impl Lts {
    /// The system with a single state and no transitions.
    pub fn idle(alphabet: Alphabet) -> Self {
        let mut builder = LtsBuilder::new();
        let initial = builder.add_state();
        builder.finish(initial, alphabet)
    }

    /// The number of states.
    pub fn n_states(&self) -> usize {
        self.rows.len()
    }

    /// The number of transitions.
    pub fn n_transitions(&self) -> usize {
        self.rows.n_items()
    }

    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The actions that it takes part in, including those without transitions.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// All states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.n_states()).map(Id::from_index)
    }

    /// The transitions out of a state: sorted, no two alike.
    pub fn transitions_from(&self, state: StateId) -> &[(Label, StateId)] {
        self.rows.row(state.index())
    }

    /// The transitions out of a state with this label.
    pub fn transitions_by(&self, state: StateId, label: Label) -> &[(Label, StateId)] {
        let row = self.transitions_from(state);
        let start = row.partition_point(|t| t.0 < label);
        let n = row[start..].partition_point(|t| t.0 == label);
        &row[start..start + n]
    }

    /// All transitions in order: source, label, target.
    pub fn transitions(&self) -> impl Iterator<Item = (StateId, Label, StateId)> {
        self.states()
            .flat_map(|s| self.transitions_from(s).iter().map(move |&(label, t)| (s, label, t)))
    }

    /// No internal steps, and at most one transition for a state and an action.
    pub fn is_deterministic(&self) -> bool {
        self.nondeterminism().is_none()
    }

    /// A state with an internal step, or with two transitions for one action; and
    /// that label.
    pub fn nondeterminism(&self) -> Option<(StateId, Label)> {
        self.states().find_map(|state| {
            let row = self.transitions_from(state);
            let tau = row.first().filter(|t| t.0 == Label::Tau);
            let twice = || row.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| &pair[0]);
            tau.or_else(twice).map(|t| (state, t.0))
        })
    }

    /// The system with other labels: `map` changes a label, the alphabet is given
    /// (and in any case has the actions of the transitions).
    #[must_use]
    pub fn relabelled(&self, alphabet: Alphabet, mut map: impl FnMut(Label) -> Label) -> Self {
        let mut builder = LtsBuilder::with_states(self.n_states());
        for (source, label, target) in self.transitions() {
            builder.add_transition(source, map(label), target);
        }
        builder.finish(self.initial, alphabet)
    }

    /// The system in which these actions are internal; they leave the alphabet.
    #[must_use]
    pub fn hiding(&self, hidden: &Alphabet) -> Self {
        self.relabelled(self.alphabet.without(hidden), |label| match label {
            Label::Visible(action) if hidden.contains(action) => Label::Tau,
            label => label,
        })
    }

    /// The part that can be reached from the initial state, and for each of its states
    /// which one it was.
    pub fn reachable(&self) -> (Self, Vec<StateId>) {
        let mut new_id = vec![None; self.n_states()];
        let mut old = vec![self.initial];
        let mut builder = LtsBuilder::new();
        new_id[self.initial.index()] = Some(builder.add_state());
        let mut next = 0;
        while let Some(&state) = old.get(next) {
            for &(label, target) in self.transitions_from(state) {
                let target = *new_id[target.index()].get_or_insert_with(|| {
                    old.push(target);
                    builder.add_state()
                });
                builder.add_transition(Id::from_index(next), label, target);
            }
            next += 1;
        }
        (builder.finish(Id::from_index(0), self.alphabet.clone()), old)
    }
}

#[cfg(test)]
mod tests;
