//! Automata with LTSA's two special states, and what prefixes, relabelling and hiding do to
//! them.

use resy_automata::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;

/// An instance of a composite that a machine is a part of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Instances have different numbers.
    pub id: usize,
    /// Where its name is among the groups of the machine.
    pub group: usize,
}

/// A compiled process.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Its name as in the composite: `red:CAR`, `CLIENT(1)`.
    pub name: String,
    /// The composites that it is a part of, by their names, the innermost first.
    pub groups: Vec<String>,
    /// The outermost composite that it is a part of so far.
    pub origin: Option<Origin>,
    /// Its behaviour.
    pub lts: Lts,
    /// The names of its states.
    pub state_names: IndexVec<StateId, String>,
    /// `END`.
    pub end: Option<StateId>,
    /// `ERROR`; nothing leads out of it.
    pub error: Option<StateId>,
    /// Whether it is a property: its steps into `ERROR` are violations, and it never blocks.
    pub is_property: bool,
}

impl Machine {
    /// The machine in which every label is replaced by all its images; `None` if they, or the steps by them, are
    /// more than `most`, or if `go_on`, which is called for each label and each step, says no.
    pub fn renamed(
        &self,
        mut images: impl FnMut(ActionId) -> Vec<ActionId>,
        most: usize,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let (mut n_images, mut n_steps) = (0, 0);
        let mut found: FxHashMap<ActionId, Vec<ActionId>> = FxHashMap::default();
        for action in self.lts.alphabet().iter() {
            let images = images(action);
            n_images += images.len();
            if n_images > most || !go_on() {
                return None;
            }
            found.insert(action, images);
        }
        let mut builder = LtsBuilder::with_states(self.lts.n_states());
        for (source, label, target) in self.lts.transitions() {
            let Label::Visible(action) = label else {
                builder.add_transition(source, label, target);
                continue;
            };
            n_steps += found[&action].len();
            if n_steps > most || !go_on() {
                return None;
            }
            for &image in &found[&action] {
                builder.add_transition(source, Label::Visible(image), target);
            }
        }
        let alphabet = found.values().flatten().copied().collect();
        let lts = builder.finish(self.lts.initial(), alphabet);
        Some(Self { lts, ..self.clone() })
    }

    /// The machine in which these actions are internal.
    #[must_use]
    pub fn hiding(&self, hidden: &Alphabet) -> Self {
        Self { lts: self.lts.hiding(hidden), ..self.clone() }
    }

    /// The reachable part; special states that are not reached are gone.
    #[must_use]
    pub fn reachable(&self) -> Self {
        let (lts, old) = self.lts.reachable();
        let mut new: FxHashMap<StateId, StateId> = FxHashMap::default();
        for (i, &state) in old.iter().enumerate() {
            new.insert(state, Id::from_index(i));
        }
        let place = |state: Option<StateId>| state.and_then(|s| new.get(&s).copied());
        let state_names = match self.state_names.is_empty() {
            true => IndexVec::new(),
            false => old.iter().map(|&state| self.state_names[state].clone()).collect(),
        };
        let (end, error) = (place(self.end), place(self.error));
        Self { lts, state_names, end, error, ..self.clone() }
    }

    /// The property that this deterministic machine is: what it cannot do is an error.
    #[must_use]
    pub fn into_property(mut self) -> Self {
        let mut builder = LtsBuilder::with_states(self.lts.n_states());
        for (source, label, target) in self.lts.transitions() {
            builder.add_transition(source, label, target);
        }
        let error = self.error.unwrap_or_else(|| {
            if !self.state_names.is_empty() {
                self.state_names.push("ERROR".to_owned());
            }
            builder.add_state()
        });
        for state in self.lts.states().filter(|&state| state != error) {
            for action in self.lts.alphabet().iter() {
                let label = Label::Visible(action);
                if self.lts.transitions_by(state, label).is_empty() {
                    builder.add_transition(state, label, error);
                }
            }
        }
        let lts = builder.finish(self.lts.initial(), self.lts.alphabet().clone());
        Self { lts, error: Some(error), end: None, is_property: true, ..self }
    }
}

/// The name of a part or a group with a prefix in front: `a` and `b:P` give `a.b:P`.
pub(crate) fn prefixed(prefix: &str, name: &str) -> String {
    let has_plain_prefix = name
        .split_once(':')
        .is_some_and(|(before, after)| !after.starts_with(':') && !before.contains(['{', '(']));
    let join = if has_plain_prefix { "." } else { ":" };
    format!("{prefix}{join}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_joined() {
        assert_eq!(prefixed("red", "CAR"), "red:CAR");
        assert_eq!(prefixed("red", "1:CAR"), "red.1:CAR");
        assert_eq!(prefixed("red", "{a,b}::CAR"), "red:{a,b}::CAR");
        assert_eq!(prefixed("red", "P(a:b)"), "red:P(a:b)");
    }
}
