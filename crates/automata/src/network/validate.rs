//! Well-formedness of a network, as one list.

use super::{ComponentId, Network};
use crate::lts::{ActionId, Alphabet, Label, Lts, StateId};
use resy_index::Id;
use std::collections::BTreeSet;

/// A violation of well-formedness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkProblem {
    /// Two actions have one name.
    ActionTwice(String),
    /// Two components have one name.
    ComponentTwice(String),
    /// A component, or the monitor (`None`), has an action that is not in the network.
    NoSuchAction(Option<ComponentId>, ActionId),
    /// Some but not all states of a component, or of the monitor (`None`), have names.
    StateNames(Option<ComponentId>),
    /// The module names a component that does not exist.
    NoSuchComponent(ComponentId),
    /// The module names a component twice, or not in order.
    ModuleOrder(ComponentId),
    /// The monitor's error state does not exist.
    NoSuchErrorState(StateId),
    /// The monitor can leave its error state.
    ErrorLeft(Label),
    /// The monitor has an internal step.
    MonitorTau(StateId),
    /// The monitor has an action that no component has: it would take it alone.
    MonitorAlone(ActionId),
    /// The monitor has no transition for an action of its alphabet: it would block it.
    MonitorBlocks(StateId, Label),
}

impl Network {
    /// All problems; none for a well-formed network.
    pub fn validate(&self) -> Vec<NetworkProblem> {
        let mut problems = Vec::new();
        let actions = self.actions.iter().map(|a| &a.name);
        problems.extend(repeated(actions).map(NetworkProblem::ActionTwice));
        let names = self.components.iter().map(|c| &c.name);
        problems.extend(repeated(names).map(NetworkProblem::ComponentTwice));
        for (id, component) in self.components.iter_enumerated() {
            let n_names = component.state_names.len();
            self.validate_lts(Some(id), &component.lts, n_names, &mut problems);
        }
        self.validate_module(&mut problems);
        self.validate_monitor(&mut problems);
        problems
    }

    fn validate_lts(
        &self,
        owner: Option<ComponentId>,
        lts: &Lts,
        n_names: usize,
        problems: &mut Vec<NetworkProblem>,
    ) {
        let unknown = lts.alphabet().iter().filter(|&a| self.actions.get(a).is_none());
        problems.extend(unknown.map(|a| NetworkProblem::NoSuchAction(owner, a)));
        if n_names != 0 && n_names != lts.n_states() {
            problems.push(NetworkProblem::StateNames(owner));
        }
    }

    fn validate_module(&self, problems: &mut Vec<NetworkProblem>) {
        let unknown = self.module.iter().filter(|&&c| self.components.get(c).is_none());
        problems.extend(unknown.map(|&c| NetworkProblem::NoSuchComponent(c)));
        let disorder = self.module.windows(2).filter(|pair| pair[0] >= pair[1]);
        problems.extend(disorder.map(|pair| NetworkProblem::ModuleOrder(pair[1])));
    }

    fn validate_monitor(&self, problems: &mut Vec<NetworkProblem>) {
        let Some(monitor) = &self.monitor else { return };
        let lts = &monitor.lts;
        self.validate_lts(None, lts, monitor.state_names.len(), problems);
        if monitor.error.index() >= lts.n_states() {
            problems.push(NetworkProblem::NoSuchErrorState(monitor.error));
            return;
        }
        let out = lts.transitions_from(monitor.error).iter();
        let left = out.filter(|t| t.1 != monitor.error);
        problems.extend(left.map(|t| NetworkProblem::ErrorLeft(t.0)));
        let internal = lts.states().filter(|&s| !lts.transitions_by(s, Label::Tau).is_empty());
        problems.extend(internal.map(NetworkProblem::MonitorTau));
        let used: Alphabet = self.components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
        let alone = lts.alphabet().iter().filter(|&a| !used.contains(a));
        problems.extend(alone.map(NetworkProblem::MonitorAlone));
        problems.extend(monitor.missing().map(|(s, l)| NetworkProblem::MonitorBlocks(s, l)));
    }
}

fn repeated<'a>(names: impl Iterator<Item = &'a String>) -> impl Iterator<Item = String> {
    let mut seen = BTreeSet::new();
    names.filter(move |&name| !seen.insert(name)).cloned()
}
