//! Runs of a network of automata into the error state of its monitor.

use super::{Counterexample, Execution};
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_system::Property;

/// The steps of a network, if they lead every component along and the monitor into its error
/// state. What a component does depends on the labels alone, so each is followed alone.
pub(super) fn of_network(network: &Network, steps: &[ProductStep]) -> Option<Counterexample> {
    enters_error(network, steps).then(|| {
        let names = steps.iter().map(|&step| step_name(network, step)).collect();
        let execution = Execution::Network { steps: steps.to_vec(), names };
        let property = Property::Monitor;
        Counterexample { property, execution, lasso: None, is_canonical: false }
    })
}

/// After how many of these steps the monitor may be in its error state first; they must lead every component along.
pub(crate) fn first_error(network: &Network, steps: &[ProductStep]) -> Option<usize> {
    let monitor = network.monitor.as_ref()?;
    let mut states = vec![monitor.lts.initial()];
    let mut n = 0;
    while !states.contains(&monitor.error) {
        if let ProductStep::Action(action) = *steps.get(n)?
            && let Some(label) = visible(&monitor.lts, action)
        {
            states = after(&monitor.lts, &states, label);
        }
        n += 1;
    }
    enters_error(network, &steps[..n]).then_some(n)
}

/// Whether these steps lead every component along and may lead the monitor into its error state.
fn enters_error(network: &Network, steps: &[ProductStep]) -> bool {
    for (id, component) in network.components.iter_enumerated() {
        let label = |step: &ProductStep| match *step {
            ProductStep::Tau(other) => (other == id).then_some(Label::Tau),
            ProductStep::Action(action) => visible(&component.lts, action),
        };
        if follow(&component.lts, steps.iter().filter_map(label)).is_empty() {
            return false;
        }
    }
    let Some(monitor) = &network.monitor else { return false };
    let label = |step: &ProductStep| match *step {
        ProductStep::Tau(_) => None,
        ProductStep::Action(action) => visible(&monitor.lts, action),
    };
    follow(&monitor.lts, steps.iter().filter_map(label)).contains(&monitor.error)
}

/// An action as a label of an automaton that takes part in it.
fn visible(lts: &Lts, action: ActionId) -> Option<Label> {
    lts.alphabet().contains(action).then_some(Label::Visible(action))
}

/// The states that an automaton may be in after these labels.
fn follow(lts: &Lts, labels: impl Iterator<Item = Label>) -> Vec<StateId> {
    labels.fold(vec![lts.initial()], |before, label| after(lts, &before, label))
}

/// The states that an automaton may be in after one more label.
fn after(lts: &Lts, before: &[StateId], label: Label) -> Vec<StateId> {
    let targets = before.iter().flat_map(|&from| lts.transitions_by(from, label));
    let mut after: Vec<StateId> = targets.map(|&(_, to)| to).collect();
    after.sort_unstable();
    after.dedup();
    after
}

/// The name of a step of a network.
pub fn step_name(network: &Network, step: ProductStep) -> String {
    match step {
        ProductStep::Tau(component) => {
            format!("(internal step of {})", network.components[component].name)
        }
        ProductStep::Action(action) => network.actions[action].name.clone(),
    }
}
