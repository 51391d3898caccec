//! Whether two systems are strongly bisimilar, actions being compared by name.

use resy_automata::bisimulation::strong;
use resy_automata::{ActionId, Label, Lts, LtsBuilder, StateId};
use resy_index::Id;
use std::collections::{BTreeMap, BTreeSet};

/// A system with the names of its actions and its error state.
pub struct Marked<'a> {
    pub lts: &'a Lts,
    pub names: &'a [String],
    pub error: Option<StateId>,
}

impl Marked<'_> {
    fn name(&self, action: ActionId) -> &str {
        &self.names[action.index()]
    }

    pub fn alphabet(&self) -> BTreeSet<&str> {
        self.lts.alphabet().iter().map(|action| self.name(action)).collect()
    }
}

/// Equal alphabets, and bisimilar initial states; error states are bisimilar to each other
/// only.
pub fn bisimilar(one: &Marked<'_>, other: &Marked<'_>) -> bool {
    if one.alphabet() != other.alphabet() {
        return false;
    }
    let ids: BTreeMap<&str, usize> =
        one.alphabet().into_iter().enumerate().map(|(i, name)| (name, i)).collect();
    let offset = one.lts.n_states();
    let mut builder = LtsBuilder::with_states(offset + other.lts.n_states());
    for (marked, offset) in [(one, 0), (other, offset)] {
        let at = |state: StateId| Id::from_index(state.index() + offset);
        for (source, label, target) in marked.lts.transitions() {
            let label = match label {
                Label::Tau => Label::Tau,
                Label::Visible(a) => Label::Visible(Id::from_index(ids[marked.name(a)])),
            };
            builder.add_transition(at(source), label, at(target));
        }
        if let Some(error) = marked.error {
            let mark = Label::Visible(Id::from_index(ids.len()));
            builder.add_transition(at(error), mark, at(error));
        }
    }
    let both = builder.finish(one.lts.initial(), Default::default());
    let partition = strong(&both);
    let second = Id::from_index(other.lts.initial().index() + offset);
    partition.block_of(one.lts.initial()) == partition.block_of(second)
}
