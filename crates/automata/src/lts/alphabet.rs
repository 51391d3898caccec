//! Sets of actions.

use super::ActionId;

/// A set of actions, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Alphabet(Box<[ActionId]>);

impl Alphabet {
    /// Whether the action is in it.
    pub fn contains(&self, action: ActionId) -> bool {
        self.0.binary_search(&action).is_ok()
    }

    /// The actions, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ActionId> + '_ {
        self.0.iter().copied()
    }

    /// The number of actions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the alphabet is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The largest action.
    pub fn last(&self) -> Option<ActionId> {
        self.0.last().copied()
    }

    /// The actions of both alphabets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    /// The actions of this alphabet that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.iter().filter(|&action| !other.contains(action)).collect()
    }
}

impl FromIterator<ActionId> for Alphabet {
    fn from_iter<I: IntoIterator<Item = ActionId>>(actions: I) -> Self {
        let mut actions: Vec<ActionId> = actions.into_iter().collect();
        actions.sort_unstable();
        actions.dedup();
        Self(actions.into())
    }
}
