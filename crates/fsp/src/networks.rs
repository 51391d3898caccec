//! The networks of a composition's properties: the monitor of one of them, or of several at once.
//!
//! The monitor of several properties is not their product: each property becomes a component
//! that takes a last action of its own, `error(NAME)`, in its error state, and the monitor
//! forbids these actions. A hundred properties are a hundred small components then.

use crate::composition::{Composition, SafetyProperty};
use crate::formula::{Assertion, WatchedFormula};
use crate::properties::FspProperty;
use resy_automata::ltl::FormulaTooLarge;
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::text::fsp::ProcessMarks;
use resy_automata::{ActionId, Alphabet, ComponentId, Label, Lts, LtsBuilder, StateId};
use resy_index::IndexVec;
use std::collections::BTreeSet;

/// What an assertion is over a composition.
#[derive(Clone, Debug)]
pub enum AssertionNetwork {
    /// A safety formula, as the monitor of a network.
    Safety(Box<Network>),
    /// Some violation is seen on infinite runs only.
    Liveness,
    /// Neither is known.
    TooLarge(FormulaTooLarge),
}

impl Composition {
    /// Why there is no network, if there is none.
    pub fn no_network(&self) -> Option<String> {
        self.preference.as_ref().map(|_| {
            format!(
                "the priority of `{}` needs the product of its parts, which is too large to be one component",
                self.name
            )
        })
    }

    /// The network of a property: its processes and the property as the monitor.
    pub fn network_of_property(&self, property: usize) -> Option<Network> {
        let property = self.properties.get(property)?;
        Some(self.network(self.components.clone(), Some(property.monitor.clone())))
    }

    /// The network in which the errors of processes are violations: from `ERROR` a process
    /// takes a last action of its own, which the monitor forbids.
    pub fn network_of_errors(&self) -> Network {
        let mut whole = self.clone();
        let forbidden = whole.name_errors();
        whole.forbidding(forbidden)
    }

    /// The network whose monitor watches all these properties; a message if one of them has no
    /// monitor, or the composition no network.
    pub fn network_of(&self, properties: &[FspProperty]) -> Result<Network, String> {
        if let Some(why) = self.no_network() {
            return Err(why);
        }
        match *properties {
            [FspProperty::Safety(i)] => {
                self.network_of_property(i).ok_or_else(|| "there is no such property".to_owned())
            }
            [FspProperty::Assertion(i)] => match self.network_of_assertion(&self.assertions[i]) {
                AssertionNetwork::Safety(network) => Ok(*network),
                other => Err(self.no_monitor(properties[0], &other)),
            },
            _ => self.joint_network(properties),
        }
    }

    fn joint_network(&self, properties: &[FspProperty]) -> Result<Network, String> {
        let mut whole = self.clone();
        let sees_steps = |p: &FspProperty| match *p {
            FspProperty::Assertion(i) => self.assertions[i].sees_every_step(),
            _ => false,
        };
        if properties.iter().any(sees_steps) {
            whole.name_internal_steps();
        }
        let mut forbidden = Vec::new();
        if properties.contains(&FspProperty::Errors) {
            forbidden.extend(whole.name_errors());
        }
        for &property in properties {
            let monitor = match property {
                FspProperty::Errors => continue,
                FspProperty::Safety(i) => self.properties[i].monitor.clone(),
                FspProperty::Assertion(i) => match whole.monitor_of(&self.assertions[i]) {
                    Ok(monitor) => monitor,
                    Err(other) => return Err(self.no_monitor(property, &other)),
                },
                FspProperty::Deadlock | FspProperty::Progress(_) => {
                    return Err(self.no_monitor(property, &AssertionNetwork::Liveness));
                }
            };
            let name = self.property_name(property).to_owned();
            let Monitor { lts, error, state_names } = monitor;
            let mut component = Component { name, lts, state_names };
            forbidden.push(name_error(&mut whole.actions, &mut component, error));
            whole.components.push(component);
        }
        Ok(whole.forbidding(forbidden))
    }

    fn no_monitor(&self, property: FspProperty, why: &AssertionNetwork) -> String {
        let name = self.property_name(property);
        match why {
            AssertionNetwork::TooLarge(why) => format!("`{name}` has no monitor: {why}"),
            _ => format!("`{name}` has no monitor: finite runs do not show its violations"),
        }
    }

    /// All automata as they stand, the properties after the processes and without a monitor, and
    /// what their special states are.
    pub fn parts(&self) -> (Network, Vec<ProcessMarks>) {
        let mut components = self.components.clone();
        let special = self.errors.iter().zip(&self.end_states);
        let marks = special.map(|(&error, &end)| ProcessMarks { error, end, is_property: false });
        let mut marks: Vec<ProcessMarks> = marks.collect();
        for SafetyProperty { name, monitor } in &self.properties {
            let Monitor { lts, error, state_names } = monitor.clone();
            components.push(Component { name: name.clone(), lts, state_names });
            marks.push(ProcessMarks { error: Some(error), end: None, is_property: true });
        }
        (Network::new(self.actions.clone(), components, None, Vec::new()), marks)
    }

    /// The components, and a monitor that forbids these actions everywhere.
    fn forbidding(self, forbidden: Vec<ActionId>) -> Network {
        let good = Lts::idle(forbidden.into_iter().collect());
        let names = ["safe".to_owned()].into_iter().collect();
        // An automaton without transitions is deterministic.
        let monitor = Monitor::of_good_words(&good, names).ok();
        let components = self.components.clone();
        self.network(components, monitor)
    }

    /// Every process with an `ERROR` takes an action of its own there; these actions.
    fn name_errors(&mut self) -> Vec<ActionId> {
        let components = self.components.iter_mut().zip(&self.errors);
        components
            .filter_map(|(component, error)| {
                Some(name_error(&mut self.actions, component, (*error)?))
            })
            .collect()
    }

    /// The network of an assertion, if that is a safety formula: the formula is the monitor. If
    /// it sees every step, internal steps have names: `\\tau(P)`.
    pub fn network_of_assertion(&self, assertion: &Assertion) -> AssertionNetwork {
        let mut whole = self.clone();
        if assertion.sees_every_step() {
            whole.name_internal_steps();
        }
        match whole.monitor_of(assertion) {
            Ok(monitor) => {
                let components = whole.components.clone();
                AssertionNetwork::Safety(Box::new(whole.network(components, Some(monitor))))
            }
            Err(other) => other,
        }
    }

    /// The actions that an assertion has and no part of the composition.
    pub fn free_actions(&self, assertion: &Assertion) -> Vec<Action> {
        let known: BTreeSet<&str> = self.actions.iter().map(|action| &*action.name).collect();
        let missing = assertion.actions().into_iter().filter(|name| !known.contains(&**name));
        missing.map(|name| Action { name }).collect()
    }

    /// The monitor of a safety formula; actions that only the formula has become actions of the
    /// composition.
    fn monitor_of(&mut self, assertion: &Assertion) -> Result<Monitor, AssertionNetwork> {
        for action in self.free_actions(assertion) {
            self.actions.push(action);
        }
        let change = |name: &str| assertion.change(is_visible(name).then_some(name));
        let actions = self.actions.iter_enumerated();
        let steps: Vec<_> = actions
            .filter(|(_, action)| !is_error_action(&action.name))
            .map(|(id, action)| (id, change(&action.name)))
            .collect();
        match assertion.watch(&steps, true) {
            WatchedFormula::Safety(watch) => {
                let (lts, error) = (watch.lts, watch.error);
                Ok(Monitor { lts, error, state_names: IndexVec::new() })
            }
            WatchedFormula::Liveness => Err(AssertionNetwork::Liveness),
            WatchedFormula::TooLarge(why) => Err(AssertionNetwork::TooLarge(why)),
        }
    }

    /// Internal steps get names that no text can write.
    fn name_internal_steps(&mut self) {
        for component in self.components.iter_mut() {
            if !component.lts.transitions().any(|(_, label, _)| label == Label::Tau) {
                continue;
            }
            let action = self.actions.push(Action { name: internal_name(&component.name) });
            let named = |label| if label == Label::Tau { Label::Visible(action) } else { label };
            component.lts = component.lts.relabelled(component.lts.alphabet().clone(), named);
        }
    }

    /// Components and a monitor. Actions that only properties have are free: a component of
    /// one state has them.
    fn network(
        &self,
        mut components: IndexVec<ComponentId, Component>,
        monitor: Option<Monitor>,
    ) -> Network {
        let used: Alphabet = components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
        let watched: Alphabet =
            monitor.iter().flat_map(|monitor| monitor.lts.alphabet().iter()).collect();
        let free = watched.without(&used);
        if !free.is_empty() {
            let mut builder = LtsBuilder::new();
            let state = builder.add_state();
            for action in free.iter() {
                builder.add_transition(state, Label::Visible(action), state);
            }
            let lts = builder.finish(state, free);
            let name = "(unconstrained)".to_owned();
            components.push(Component { name, lts, state_names: IndexVec::new() });
        }
        Network::new(self.actions.clone(), components, monitor, Vec::new())
    }
}

/// The start of the names of the actions by which errors are seen. No label has a bracket.
const ERROR_ACTION: &str = "error(";

/// Whether an action of a network tells an error, and is no action of the text.
pub fn is_error_action(name: &str) -> bool {
    name.starts_with(ERROR_ACTION)
}

/// The name of the internal steps of a component, where a formula sees every step.
pub fn internal_name(component: &str) -> String {
    format!("\\tau({component})")
}

/// Whether an action can be seen: it is not hidden.
pub fn is_visible(name: &str) -> bool {
    !name.starts_with('\\')
}

/// The component takes an action of its own in its error state.
fn name_error(
    actions: &mut IndexVec<ActionId, Action>,
    component: &mut Component,
    error: StateId,
) -> ActionId {
    let action = actions.push(Action { name: format!("{ERROR_ACTION}{})", component.name) });
    let mut builder = LtsBuilder::with_states(component.lts.n_states());
    for (source, label, target) in component.lts.transitions() {
        builder.add_transition(source, label, target);
    }
    builder.add_transition(error, Label::Visible(action), error);
    component.lts = builder.finish(component.lts.initial(), component.lts.alphabet().clone());
    action
}
