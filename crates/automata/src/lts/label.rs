//! What a transition carries.

use resy_index::define_id;

define_id!(
    /// An action: a name that systems synchronise on.
    pub struct ActionId,
    "a"
);

/// The label of a transition.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The internal action.
    Tau,
    /// An action of the alphabet.
    Visible(ActionId),
}

impl Label {
    /// The action, unless it is the internal one.
    pub fn action(self) -> Option<ActionId> {
        match self {
            Self::Tau => None,
            Self::Visible(action) => Some(action),
        }
    }
}
