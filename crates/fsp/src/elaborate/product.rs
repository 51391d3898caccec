//! The product of parts as one machine, for what cannot be flattened.
//!
//! A tuple with an `ERROR` in it is `ERROR`. Hidden actions of the parts become internal: all
//! their participants are inside. Priority drops steps while the product is built.

use super::machine::Machine;
use super::names::Names;
use resy_automata::product::{Explorer, Tuples};
use resy_automata::{Alphabet, Label, LtsBuilder, StateId};
use resy_index::{Id, IndexVec};

/// `<<` (true) or `>>` with its actions.
pub(super) type Rule<'a> = Option<(bool, &'a Alphabet)>;

/// The product of the parts; `None` if `go_on(n_states)`, which is called for each state, says no.
pub(super) fn compose(
    name: &str,
    parts: &[Machine],
    rule: Rule<'_>,
    names: &Names,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<Machine> {
    let explorer = Explorer::new(parts.iter().map(|part| &part.lts).collect());
    let termination = Termination::of(parts);
    let mut tuples = Tuples::new(parts.len());
    let mut builder = LtsBuilder::new();
    let (mut end, mut error) = (None, None);
    let is_error =
        |state: &[StateId]| parts.iter().zip(state).any(|(part, &state)| part.error == Some(state));
    // A state that is both `ERROR` and initial has no number of its own.
    let initial = explorer.initial();
    tuples.insert(&initial);
    builder.add_state();
    if is_error(&initial) {
        error = Some(Id::from_index(0));
    }
    // States of the product by the numbers of tuples: `ERROR` takes a number as well.
    let mut numbers: Vec<StateId> = vec![Id::from_index(0)];
    let mut next = 0;
    while next < tuples.len() && error != Some(Id::from_index(0)) {
        if !go_on(tuples.len()) {
            return None;
        }
        let state = tuples[Id::from_index(next)].to_vec();
        let mut steps: Vec<(Label, Vec<StateId>)> = Vec::new();
        explorer.successors(&state, |step, to| steps.push((step.label(), to.to_vec())));
        prefer(&mut steps, rule);
        if steps.is_empty() && termination.is_end(&state) {
            end.get_or_insert(numbers[next]);
        }
        for (label, to) in steps {
            let target = if is_error(&to) {
                *error.get_or_insert_with(|| builder.add_state())
            } else {
                let (tuple, new) = tuples.insert(&to);
                if new {
                    numbers.push(builder.add_state());
                }
                numbers[tuple.index()]
            };
            let hidden = label.action().is_some_and(|action| names.is_hidden(action));
            let label = if hidden { Label::Tau } else { label };
            builder.add_transition(numbers[next], label, target);
        }
        next += 1;
    }
    let all = super::composite::alphabet(parts);
    let visible: Alphabet = all.iter().filter(|&action| !names.is_hidden(action)).collect();
    let state_names: IndexVec<StateId, String> =
        (0..builder.n_states()).map(|i| format!("{i}")).collect();
    let lts = builder.finish(Id::from_index(0), visible);
    let (name, groups, origin) = (name.to_owned(), Vec::new(), None);
    Some(Machine { name, groups, origin, lts, state_names, end, error, is_property: false })
}

/// Drops the steps that a priority forbids.
fn prefer(steps: &mut Vec<(Label, Vec<StateId>)>, rule: Rule<'_>) {
    let Some((high, set)) = rule else { return };
    let listed = |label: Label| label.action().is_some_and(|action| set.contains(action));
    let preferred = |label: Label| listed(label) == high;
    if steps.iter().any(|(label, _)| preferred(*label)) {
        steps.retain(|(label, _)| preferred(*label));
    }
}

/// When a composition has ended, in LTSA's sense: all parts with an `END` are there, and they
/// know all actions of the parts without one.
#[derive(Clone, Debug)]
pub(crate) struct Termination {
    ends: Option<Vec<Option<StateId>>>,
}

impl Termination {
    pub fn of(parts: &[Machine]) -> Self {
        let known: Alphabet = parts
            .iter()
            .filter(|p| p.end.is_some())
            .flat_map(|p| p.lts.alphabet().iter())
            .collect();
        let others = parts.iter().filter(|part| part.end.is_none());
        let all_known = others.flat_map(|p| p.lts.alphabet().iter()).all(|a| known.contains(a));
        let some = parts.iter().any(|part| part.end.is_some());
        Self { ends: (some && all_known).then(|| parts.iter().map(|part| part.end).collect()) }
    }

    /// For each part where it must be; nothing if no run ends.
    pub fn ends(&self) -> Option<&[Option<StateId>]> {
        self.ends.as_deref()
    }

    pub fn is_end(&self, state: &[StateId]) -> bool {
        let at_end =
            |(end, &state): (&Option<StateId>, &StateId)| end.is_none_or(|end| end == state);
        self.ends.as_ref().is_some_and(|ends| ends.iter().zip(state).all(at_end))
    }
}
