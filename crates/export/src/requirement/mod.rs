//! A requirement described for people. Text, words, JSON, SVG and HTML are all produced from one
//! [`Described`].

mod classes;
mod file;
mod forms;
mod json;
mod sentences;
mod text;
mod words;

pub use file::{file_text, is_known_extension};
pub use words::{Rule, Until};

use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::{Action, Component};
use resy_automata::text::caption::caption;
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// A requirement with everything that any rendering shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The name of the module.
    pub module: String,
    /// The number of its initial state.
    pub initial: usize,
    /// The states, by number.
    pub states: Vec<DescribedState>,
    /// The arrows, sorted by source and target.
    pub arrows: Vec<Arrow>,
}

/// A state of a requirement: a class of states of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedState {
    /// The names of the module's states in this class.
    pub members: Vec<String>,
    /// The mark of the state.
    pub mark: StateMark,
}

/// The mark of a requirement's state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StateMark {
    /// An ordinary state.
    Plain,
    /// The module never reaches this state.
    Unreachable,
    /// If the module reached this state, the property could be violated.
    Error,
}

/// All transitions from one state to another, drawn as one arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The source.
    pub from: usize,
    /// The target.
    pub to: usize,
    /// The labels.
    pub labels: Vec<String>,
    /// The labels in abbreviated form.
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

    /// The requirement as a component whose states are named after their members.
    pub fn to_component(&self, lts: &Lts) -> Component {
        let summaries = self.summaries();
        let names =
            self.states.iter().zip(summaries).enumerate().map(|(number, (state, members))| {
                let mark = state.mark.word().map(|word| format!(" ({word})")).unwrap_or_default();
                format!("{number}{mark}, {}", members.join(", "))
            });
        let state_names = names.collect();
        Component { name: self.module.clone(), lts: lts.clone(), state_names }
    }
}

impl StateMark {
    /// The word for the mark, `None` for an ordinary state.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Unreachable => Some("unreachable"),
            Self::Error => Some("error"),
        }
    }
}

#[cfg(test)]
mod tests;
