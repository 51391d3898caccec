//! Networks: components that synchronise on the actions they share, a monitor, a split.
//!
//! All components that have an action in their alphabet take it together; the others
//! stay where they are. The internal action belongs to one component alone. The network
//! is *safe* if no reachable state of the product has the monitor in its error state.

mod monitor;
mod reduce;
mod validate;

pub use monitor::{Monitor, NotDeterministic};
pub use reduce::Reduction;
pub use validate::NetworkProblem;

use crate::lts::{ActionId, Alphabet, Lts, StateId};
use resy_index::{IndexVec, define_id};

define_id!(
    /// A component of a network.
    pub struct ComponentId,
    "C"
);

/// An action of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What people call it.
    pub name: String,
}

/// A component of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// What people call it.
    pub name: String,
    /// Its behaviour.
    pub lts: Lts,
    /// What people call its states; either empty, or a name for each state.
    pub state_names: IndexVec<StateId, String>,
}

/// Components, what to check, and which of the components are the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The actions of all components.
    pub actions: IndexVec<ActionId, Action>,
    /// The components.
    pub components: IndexVec<ComponentId, Component>,
    /// The safety property, if there is one.
    pub monitor: Option<Monitor>,
    /// The components of the module, in order; the others are the environment. Empty
    /// if the network is not split.
    pub module: Vec<ComponentId>,
}

impl Network {
    /// A network. The monitor loses the actions that no component has: the monitor alone
    /// must never take a step.
    pub fn new(
        actions: IndexVec<ActionId, Action>,
        components: IndexVec<ComponentId, Component>,
        monitor: Option<Monitor>,
        mut module: Vec<ComponentId>,
    ) -> Self {
        let used: Alphabet = components.iter().flat_map(|c| c.lts.alphabet().iter()).collect();
        let monitor = monitor.map(|monitor| monitor.restricted_to(&used));
        module.sort_unstable();
        let network = Self { actions, components, monitor, module };
        debug_assert_eq!(network.validate(), []);
        network
    }

    /// The transition systems of all components, and then the monitor's.
    pub fn systems(&self) -> Vec<&Lts> {
        let components = self.components.iter().map(|c| &c.lts);
        components.chain(self.monitor.as_ref().map(|m| &m.lts)).collect()
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests;
