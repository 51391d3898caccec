//! A requirement as people read it: one model of it for all the ways to show it.

mod json;
mod text;
mod words;

pub use words::{Rule, Until};

use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::{Action, Component};
use resy_automata::text::caption::caption;
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// A requirement with everything that is shown of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The module.
    pub module: String,
    /// The number of its initial state.
    pub initial: usize,
    /// The states, by number.
    pub states: Vec<DescribedState>,
    /// The arrows, by source and target.
    pub arrows: Vec<Arrow>,
}

/// A state of a requirement: a class of states of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedState {
    /// What its members are called.
    pub members: Vec<String>,
    /// What is special about it.
    pub mark: StateMark,
}

/// What is special about a state of a requirement.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateMark {
    /// Nothing.
    Plain,
    /// The module never gets there.
    Unreachable,
    /// If the module got there, the property could be violated.
    Error,
}

/// All transitions from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it comes from.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// The labels.
    pub labels: Vec<String>,
    /// The same in few words.
    pub caption: Vec<String>,
}

impl Described {
    /// Describes a requirement; `states` are the classes of the module's states.
    pub fn new(
        module: &str,
        lts: &Lts,
        actions: &IndexVec<ActionId, Action>,
        states: Vec<DescribedState>,
    ) -> Self {
        let mut arrows: BTreeMap<(StateId, StateId), Vec<String>> = BTreeMap::new();
        for (from, label, to) in lts.transitions() {
            let name = match label {
                Label::Tau => "τ".to_owned(),
                Label::Visible(action) => actions[action].name.clone(),
            };
            arrows.entry((from, to)).or_default().push(name);
        }
        let arrows = arrows.into_iter().map(|((from, to), labels)| Arrow {
            from: from.index(),
            to: to.index(),
            caption: caption(module, labels.iter().map(String::as_str)),
            labels,
        });
        let arrows = arrows.collect();
        Self { module: module.to_owned(), initial: lts.initial().index(), states, arrows }
    }

    /// The requirement as a component, its states called after their members.
    pub fn to_component(&self, lts: &Lts) -> Component {
        let names = self.states.iter().enumerate().map(|(number, state)| {
            let mark = state.mark.word().map(|word| format!(" ({word})")).unwrap_or_default();
            format!("{number}{mark}, {}", some_members(&state.members).join(", "))
        });
        let state_names = names.collect();
        Component { name: self.module.clone(), lts: lts.clone(), state_names }
    }
}

impl StateMark {
    /// The word for it.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Unreachable => Some("unreachable"),
            Self::Error => Some("error"),
        }
    }
}

/// More members than this are only counted.
const MAX_MEMBERS: usize = 4;

/// The first members, and how many more there are.
pub(crate) fn some_members(members: &[String]) -> Vec<String> {
    if members.len() <= MAX_MEMBERS {
        return members.to_vec();
    }
    let first = members[..MAX_MEMBERS - 1].iter().cloned();
    first.chain([format!("… {} more", members.len() - (MAX_MEMBERS - 1))]).collect()
}

#[cfg(test)]
mod tests;
