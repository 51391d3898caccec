//! An abstraction as automata: one component for each variable, or one for the whole graph.

use resy_automata::lts::{ActionId, Alphabet, Label, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_index::{Id, IndexVec};
use resy_predicate::{FactoredAbstraction, FactoredKind, FactoredStep, FactoredVariable};
use std::collections::BTreeSet;

/// The abstraction as a network: a component for each location, finite cell and predicate. Its reached states are those
/// of the abstract graph; the monitor errs where the property may be violated.
pub fn abstract_network(found: &FactoredAbstraction) -> Network {
    let mut actions: IndexVec<ActionId, Action> = IndexVec::new();
    let names = found.steps.iter().enumerate();
    names.for_each(|(number, step)| {
        actions.push(Action { name: format!("{} #{number}", step.label()) });
    });
    let chosen: &[usize] = if found.initial.len() > 1 { &found.initial } else { &[] };
    let starts: Vec<(ActionId, usize)> = chosen
        .iter()
        .enumerate()
        .map(|(n, &state)| (actions.push(Action { name: format!("start #{n}") }), state))
        .collect();
    let mut components: IndexVec<_, Component> = IndexVec::new();
    for (number, variable) in found.variables.iter().enumerate() {
        components.push(component(found, number, variable, &starts));
    }
    if components.is_empty() {
        let lts = LtsBuilder::with_states(1).finish(Id::from_index(0), Alphabet::default());
        let state_names = IndexVec::new();
        components.push(Component { name: "control".to_owned(), lts, state_names });
    }
    let (fine, error): (StateId, StateId) = (Id::from_index(0), Id::from_index(1));
    let mut builder = LtsBuilder::with_states(2);
    let mut alphabet = BTreeSet::new();
    for (number, _) in found.steps.iter().enumerate().filter(|(_, step)| step.is_violation) {
        let action: ActionId = Id::from_index(number);
        builder.add_transition(fine, Label::Visible(action), error);
        alphabet.insert(action);
    }
    let lts = builder.finish(fine, alphabet.into_iter().collect());
    let monitor = Monitor { lts, error, state_names: IndexVec::new() };
    Network::new(actions, components, Some(monitor), Vec::new())
}

/// Whether a variable takes part in a step. One of them takes part in a violation that has no guard.
fn takes_part(step: &FactoredStep, variable: usize) -> bool {
    let has = |list: &[(usize, usize)]| list.iter().any(|&(v, _)| v == variable);
    let is_free = step.guard.is_empty() && step.changes.is_empty();
    has(&step.guard) || has(&step.changes) || is_free && step.is_violation && variable == 0
}

fn component(
    found: &FactoredAbstraction,
    number: usize,
    variable: &FactoredVariable,
    starts: &[(ActionId, usize)],
) -> Component {
    let n_values = variable.values.len();
    let mut builder = LtsBuilder::with_states(n_values + usize::from(!starts.is_empty()));
    let mut alphabet = BTreeSet::new();
    let value_in = |list: &[(usize, usize)]| list.iter().find(|c| c.0 == number).map(|c| c.1);
    for (action, step) in found.steps.iter().enumerate().filter(|(_, s)| takes_part(s, number)) {
        let action: ActionId = Id::from_index(action);
        alphabet.insert(action);
        let sources = match value_in(&step.guard) {
            Some(value) => value..value + 1,
            None => 0..n_values,
        };
        for value in sources {
            let target = value_in(&step.changes).unwrap_or(value);
            let (source, target) = (Id::from_index(value), Id::from_index(target));
            builder.add_transition(source, Label::Visible(action), target);
        }
    }
    for &(action, state) in starts {
        alphabet.insert(action);
        let target = Id::from_index(found.states[state][number]);
        builder.add_transition(Id::from_index(n_values), Label::Visible(action), target);
    }
    let first = found.initial.first().map_or(0, |&state| found.states[state][number]);
    let initial = if starts.is_empty() { first } else { n_values };
    let lts = builder.finish(Id::from_index(initial), alphabet.into_iter().collect());
    let mut names: Vec<String> = variable.values.iter().map(|v| named(variable, v)).collect();
    names.extend((!starts.is_empty()).then(|| "before the start".to_owned()));
    Component { name: variable.name.clone(), lts, state_names: IndexVec::from_vec(names) }
}

/// What people call a value of a variable.
fn named(variable: &FactoredVariable, value: &str) -> String {
    match (variable.kind, value) {
        (FactoredKind::Predicate, "0") => format!("!({})", variable.name),
        (FactoredKind::Predicate, _) => variable.name.clone(),
        (_, value) => format!("{} = {value}", variable.name),
    }
}

/// The abstract graph as one automaton, whose states are called by their control and their predicates. Several initial
/// states are reached from one more state.
pub fn abstract_graph(found: &FactoredAbstraction) -> Network {
    let mut actions: IndexVec<ActionId, Action> = IndexVec::new();
    let names: BTreeSet<&str> = found.transitions.iter().map(|t| t.1.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    names.iter().for_each(|name| _ = actions.push(Action { name: (*name).to_owned() }));
    let n_states = found.states.len();
    let several = found.initial.len() != 1;
    let mut builder = LtsBuilder::with_states(n_states + usize::from(several));
    for (source, name, target) in &found.transitions {
        let action = names.binary_search(&name.as_str()).unwrap_or(0);
        let (source, target) = (Id::from_index(*source), Id::from_index(*target));
        builder.add_transition(source, Label::Visible(Id::from_index(action)), target);
    }
    let start = if several { n_states } else { found.initial[0] };
    for &state in found.initial.iter().filter(|_| several) {
        builder.add_transition(Id::from_index(start), Label::Tau, Id::from_index(state));
    }
    let alphabet = (0..names.len()).map(Id::from_index).collect();
    let lts = builder.finish(Id::from_index(start), alphabet);
    let mut state_names: Vec<String> =
        found.states.iter().map(|s| abstract_state_name(found, s)).collect();
    state_names.extend(several.then(|| "before the start".to_owned()));
    let state_names = IndexVec::from_vec(state_names);
    let component = Component { name: "abstraction".to_owned(), lts, state_names };
    Network::new(actions, IndexVec::from_vec(vec![component]), None, Vec::new())
}

/// What people call a state: the values of its variables, and the predicates that hold.
pub fn abstract_state_name(found: &FactoredAbstraction, state: &[usize]) -> String {
    let parts = found.variables.iter().zip(state);
    let parts = parts.map(|(variable, &value)| named(variable, &variable.values[value]));
    parts.collect::<Vec<_>>().join(", ")
}
