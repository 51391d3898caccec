//! Progress under fair choice: in every terminal set of states some action of the property occurs.

use resy_automata::{Lts, StateId};
use std::collections::BTreeSet;

/// A progress property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressProperty {
    /// Its name.
    pub name: String,
    /// The actions of `if {…}`: where none of them occurs, the property holds.
    pub condition: Option<BTreeSet<String>>,
    /// The actions of which one must occur.
    pub actions: BTreeSet<String>,
}

impl ProgressProperty {
    /// Whether the property fails in a terminal set of a product, in which `names` gives the
    /// name of an action. A state without steps is a terminal set in which nothing occurs.
    pub fn fails_in<'n>(
        &self,
        lts: &Lts,
        set: &[StateId],
        names: impl Fn(resy_automata::ActionId) -> &'n str,
    ) -> bool {
        let occurs = |actions: &BTreeSet<String>| {
            let steps = set.iter().flat_map(|&state| lts.transitions_from(state));
            steps.filter_map(|(label, _)| label.action()).any(|a| actions.contains(names(a)))
        };
        self.condition.as_ref().is_none_or(occurs) && !occurs(&self.actions)
    }
}
