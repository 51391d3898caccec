//! Priority: of the steps that are possible in a state of a product, some go first.

use crate::lts::{ActionId, Alphabet, Label, StateId};

/// Where a preferred step is possible, the others are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// Whether the listed actions are preferred, or all other steps, internal ones among them.
    pub is_high: bool,
    /// The actions that are listed.
    pub listed: Alphabet,
    /// Actions that come from elsewhere: they neither go first nor wait.
    pub exempt: Alphabet,
    /// For each system a state in which nothing goes on, if it has one: what goes first there is not known.
    pub last: Vec<Option<StateId>>,
}

impl Preference {
    fn is_exempt(&self, label: Label) -> bool {
        label.action().is_some_and(|action: ActionId| self.exempt.contains(action))
    }

    /// Whether nothing goes on in a state.
    pub(super) fn is_over(&self, state: &[StateId]) -> bool {
        self.last.iter().zip(state).any(|(last, at)| *last == Some(*at))
    }

    /// Whether a step by this label goes first.
    pub(super) fn prefers(&self, label: Label) -> bool {
        let is_listed = label.action().is_some_and(|action| self.listed.contains(action));
        is_listed == self.is_high && !self.is_exempt(label)
    }

    /// Whether a step by this label stays possible where another one is preferred.
    pub(super) fn leaves(&self, label: Label) -> bool {
        self.prefers(label) || self.is_exempt(label)
    }
}
