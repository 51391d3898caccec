//! The networks of a composition's questions: a property, the errors of processes, an assertion.

use crate::composition::Composition;
use crate::formula::{Assertion, WatchedFormula};
use resy_automata::ltl::FormulaTooLarge;
use resy_automata::network::{Action, Component, Monitor, Network};
use resy_automata::{Alphabet, ComponentId, Label, Lts, LtsBuilder};
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
    /// The network of a property: its processes and the property as the monitor.
    pub fn network_of_property(&self, property: usize) -> Option<Network> {
        let property = self.properties.get(property)?;
        Some(self.network(self.components.clone(), Some(property.monitor.clone())))
    }

    /// The network in which the errors of processes are violations: from `ERROR` a process
    /// takes a last action of its own, which the monitor forbids. `None` if no process has an
    /// `ERROR`.
    pub fn network_of_errors(&self) -> Option<Network> {
        let mut actions = self.actions.clone();
        let mut components = self.components.clone();
        let mut forbidden = Vec::new();
        for (component, error) in components.iter_mut().zip(&self.errors) {
            let Some(error) = *error else { continue };
            let action = actions.push(Action { name: format!("error({})", component.name) });
            forbidden.push(action);
            let mut builder = LtsBuilder::with_states(component.lts.n_states());
            for (source, label, target) in component.lts.transitions() {
                builder.add_transition(source, label, target);
            }
            builder.add_transition(error, Label::Visible(action), error);
            component.lts =
                builder.finish(component.lts.initial(), component.lts.alphabet().clone());
        }
        let good = Lts::idle(forbidden.iter().copied().collect());
        let names = ["safe".to_owned()].into_iter().collect();
        let monitor = Monitor::of_good_words(&good, names).ok()?;
        let mut whole = self.clone();
        whole.actions = actions;
        (!forbidden.is_empty()).then(|| whole.network(components, Some(monitor)))
    }

    /// The network of an assertion, if that is a safety formula: the formula is the monitor. If
    /// it sees every step, internal steps have names: `\\tau(P)`.
    pub fn network_of_assertion(&self, assertion: &Assertion) -> AssertionNetwork {
        let mut whole = self.clone();
        if assertion.sees_every_step() {
            whole.name_internal_steps();
        }
        let known: BTreeSet<&str> = self.actions.iter().map(|action| &*action.name).collect();
        let missing = assertion.actions().into_iter().filter(|name| !known.contains(&**name));
        for name in missing.collect::<Vec<_>>() {
            whole.actions.push(Action { name: name.to_string() });
        }
        let change = |name: &str| assertion.change((!name.starts_with('\\')).then_some(name));
        let steps: Vec<_> =
            whole.actions.iter_enumerated().map(|(id, a)| (id, change(&a.name))).collect();
        let watch = match assertion.watch(&steps, true) {
            WatchedFormula::Safety(watch) => watch,
            WatchedFormula::Liveness => return AssertionNetwork::Liveness,
            WatchedFormula::TooLarge(why) => return AssertionNetwork::TooLarge(why),
        };
        let monitor = Monitor { lts: watch.lts, error: watch.error, state_names: IndexVec::new() };
        AssertionNetwork::Safety(Box::new(whole.network(whole.components.clone(), Some(monitor))))
    }

    /// Internal steps get names that no text can write.
    fn name_internal_steps(&mut self) {
        for component in self.components.iter_mut() {
            if !component.lts.transitions().any(|(_, label, _)| label == Label::Tau) {
                continue;
            }
            let action = self.actions.push(Action { name: format!("\\tau({})", component.name) });
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
