//! The steps out of a state of the product.
//!
//! An action is enabled if all its participants have it. It is enumerated in one of them only, its
//! *leader*, chosen once: the participant with the fewest transitions per state. A process usually
//! has a few where a variable that it writes has one per value; the variable is then only looked
//! up.

use super::Preference;
use crate::lts::{ActionId, Label, Lts, Rows, StateId};
use crate::network::ComponentId;
use resy_index::Id;

/// A step of a product.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProductStep {
    /// An internal step of one system.
    Tau(ComponentId),
    /// An action of all systems that have it.
    Action(ActionId),
}

/// Enumerates the steps of a product of systems without building it.
#[derive(Clone, Debug)]
pub struct Explorer<'a> {
    systems: Vec<&'a Lts>,
    /// For each action, the positions of its participants, the leader first.
    participants: Rows<usize>,
    /// For each system and each of its states: the internal label, and the actions that this system
    /// leads.
    led: Vec<Rows<Label>>,
    /// Which steps go first.
    preference: Option<Preference>,
}

impl<'a> Explorer<'a> {
    /// The product of these systems.
    pub fn new(systems: Vec<&'a Lts>) -> Self {
        let participants = participants(&systems);
        let leads = |system: usize, label: Label| {
            let leader = label.action().and_then(|a| participants.row(a.index()).first());
            leader.is_none_or(|&leader| leader == system)
        };
        let led = systems.iter().enumerate().map(|(i, lts)| {
            let mut rows = Rows::new();
            for state in lts.states() {
                let runs = lts.transitions_from(state).chunk_by(|a, b| a.0 == b.0);
                rows.push(runs.map(|run| run[0].0).filter(|&label| leads(i, label)));
            }
            rows
        });
        Self { led: led.collect(), participants, systems, preference: None }
    }

    /// The product in which some steps go first.
    #[must_use]
    pub fn preferring(self, preference: Option<Preference>) -> Self {
        Self { preference, ..self }
    }

    /// Whether some steps go first.
    pub(super) fn has_preference(&self) -> bool {
        self.preference.is_some()
    }

    /// The systems.
    pub(super) fn systems(&self) -> &[&'a Lts] {
        &self.systems
    }

    /// The positions of the systems that have an action.
    pub(super) fn participants_of(&self, action: ActionId) -> &[usize] {
        self.participants.row(action.index())
    }

    /// The initial state of the product.
    pub fn initial(&self) -> Vec<StateId> {
        self.systems.iter().map(|lts| lts.initial()).collect()
    }

    /// Calls `visit` with each step out of `state` and its target. No pair of step and target is
    /// visited twice.
    pub fn successors(&self, state: &[StateId], mut visit: impl FnMut(ProductStep, &[StateId])) {
        if self.preference.as_ref().is_some_and(|preference| preference.is_over(state)) {
            return;
        }
        let mut next = state.to_vec();
        let urgent = self.urgent(state);
        let is_left = |label: Label| urgent.is_none_or(|preference| preference.leaves(label));
        for (i, led) in self.led.iter().enumerate() {
            for &label in led.row(state[i].index()).iter().filter(|&&label| is_left(label)) {
                match label {
                    Label::Tau => {
                        for &(_, target) in self.systems[i].transitions_by(state[i], label) {
                            next[i] = target;
                            visit(ProductStep::Tau(Id::from_index(i)), &next);
                        }
                        next[i] = state[i];
                    }
                    Label::Visible(action) => self.together(action, state, &mut next, &mut visit),
                }
            }
        }
    }

    /// Calls `visit` with each target of one step out of `state`.
    pub fn successors_by(
        &self,
        step: ProductStep,
        state: &[StateId],
        mut visit: impl FnMut(&[StateId]),
    ) {
        let is_over = self.preference.as_ref().is_some_and(|preference| preference.is_over(state));
        if is_over || self.urgent(state).is_some_and(|urgent| !urgent.leaves(step.label())) {
            return;
        }
        let mut next = state.to_vec();
        match step {
            ProductStep::Action(action) => {
                self.together(action, state, &mut next, &mut |_, to: &[StateId]| visit(to));
            }
            ProductStep::Tau(system) => {
                let i = system.index();
                for &(_, target) in self.systems[i].transitions_by(state[i], Label::Tau) {
                    next[i] = target;
                    visit(&next);
                }
            }
        }
    }

    /// The preference, if a step that it prefers is possible.
    fn urgent(&self, state: &[StateId]) -> Option<&Preference> {
        let preference = self.preference.as_ref()?;
        let is_possible = |label: Label| {
            let participants = |action: ActionId| self.participants.row(action.index()).iter();
            let has = |&i: &usize| !self.systems[i].transitions_by(state[i], label).is_empty();
            label.action().is_none_or(|action| participants(action).all(has))
        };
        let mut labels = self.led.iter().zip(state).flat_map(|(led, at)| led.row(at.index()));
        let found = labels.any(|&label| preference.prefers(label) && is_possible(label));
        found.then_some(preference)
    }

    /// All targets of an action; `next` equals `state` before and after.
    fn together(
        &self,
        action: ActionId,
        state: &[StateId],
        next: &mut [StateId],
        visit: &mut impl FnMut(ProductStep, &[StateId]),
    ) {
        let participants = self.participants.row(action.index());
        let mut choices = Vec::with_capacity(participants.len());
        for &i in participants {
            let moves = self.systems[i].transitions_by(state[i], Label::Visible(action));
            if moves.is_empty() {
                return;
            }
            choices.push((i, moves));
        }
        // `at` enumerates all combinations, the first position fastest.
        let mut at = vec![0; choices.len()];
        loop {
            for (&(i, moves), &at) in choices.iter().zip(&at) {
                next[i] = moves[at].1;
            }
            visit(ProductStep::Action(action), next);
            let Some(k) = (0..at.len()).find(|&k| at[k] + 1 < choices[k].1.len()) else { break };
            at[k] += 1;
            at[..k].fill(0);
        }
        for &i in participants {
            next[i] = state[i];
        }
    }
}

fn participants(systems: &[&Lts]) -> Rows<usize> {
    let last = systems.iter().filter_map(|lts| lts.alphabet().last()).max();
    let n_actions = last.map_or(0, |action| action.index() + 1);
    let mut order: Vec<usize> = (0..systems.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (systems[a], systems[b]);
        (a.n_transitions() * b.n_states()).cmp(&(b.n_transitions() * a.n_states()))
    });
    let entries = || {
        let order = order.iter().copied();
        order.flat_map(|i| systems[i].alphabet().iter().map(move |a| (a.index(), i)))
    };
    Rows::collect(n_actions, entries)
}
