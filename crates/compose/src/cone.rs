//! The cone of influence: the components on which the property can depend.
//!
//! An action is relevant if the monitor, or a relevant component, changes its state by it. A
//! component is relevant if it takes part in a relevant action and can refuse it. The other
//! components never block a relevant action: every run of the relevant components is a projection
//! of a run of the network, and vice versa. So they can be left out without changing the verdict.

use resy_automata::lts::{ActionId, Label, Lts, Rows, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_index::{Id, IndexVec};

/// For each component, whether it is relevant; without a monitor none is.
pub fn cone(network: &Network) -> IndexVec<ComponentId, bool> {
    Cone::of(network).components
}

/// The relevant components and actions.
#[derive(Clone, Debug)]
pub(crate) struct Cone {
    pub components: IndexVec<ComponentId, bool>,
    /// The actions that change the state of the monitor or of a relevant component. Irrelevant
    /// components never refuse them.
    pub actions: IndexVec<ActionId, bool>,
}

impl Cone {
    /// The cone of influence of the network's property.
    pub(crate) fn of(network: &Network) -> Self {
        let n_actions = network.actions.len();
        let uses: IndexVec<ComponentId, Vec<Use>> =
            network.components.iter().map(|component| uses(&component.lts)).collect();
        // For each action, the components that may refuse it.
        let refusing = Rows::collect(n_actions, || {
            let all = uses.iter_enumerated();
            all.flat_map(|(id, uses)| {
                let refused = uses.iter().filter(|used| used.is_refused);
                refused.map(move |used| (used.action.index(), id))
            })
        });
        let mut matters: IndexVec<ComponentId, bool> =
            network.components.iter().map(|_| false).collect();
        let mut seen: IndexVec<ActionId, bool> = network.actions.iter().map(|_| false).collect();
        let mut todo: Vec<ActionId> = Vec::new();
        if let Some(monitor) = &network.monitor {
            todo.extend(self::uses(&monitor.lts).iter().filter(|u| u.moves).map(|u| u.action));
        }
        while let Some(action) = todo.pop() {
            if std::mem::replace(&mut seen[action], true) {
                continue;
            }
            for &component in refusing.row(action.index()) {
                if !std::mem::replace(&mut matters[component], true) {
                    let moving = uses[component].iter().filter(|used| used.moves);
                    todo.extend(moving.map(|used| used.action));
                }
            }
        }
        Self { components: matters, actions: seen }
    }

    /// As if every component and every action were relevant.
    pub(crate) fn everything(network: &Network) -> Self {
        let components = network.components.iter().map(|_| true).collect();
        Self { components, actions: network.actions.iter().map(|_| true).collect() }
    }
}

/// The effect of an action in a system.
struct Use {
    action: ActionId,
    /// Whether it changes the state somewhere.
    moves: bool,
    /// Whether some state has no transition for it.
    is_refused: bool,
}

fn uses(lts: &Lts) -> Vec<Use> {
    let mut edges: Vec<(ActionId, StateId, StateId)> = lts
        .transitions()
        .filter_map(|(source, label, target)| match label {
            Label::Visible(action) => Some((action, source, target)),
            Label::Tau => None,
        })
        .collect();
    edges.sort_unstable();
    let mut uses: Vec<Use> = lts
        .alphabet()
        .iter()
        .map(|action| Use { action, moves: false, is_refused: true })
        .collect();
    for of_action in edges.chunk_by(|a, b| a.0 == b.0) {
        let Ok(at) = uses.binary_search_by_key(&of_action[0].0, |used| used.action) else {
            continue;
        };
        let n_sources = of_action.chunk_by(|a, b| a.1 == b.1).count();
        uses[at].moves = of_action.iter().any(|(_, source, target)| source != target);
        uses[at].is_refused = n_sources < lts.n_states();
    }
    uses
}

/// A one-state system that always takes part in the actions of `lts`: it stands for an irrelevant
/// component.
pub fn bystander(lts: &Lts) -> Lts {
    let mut builder = resy_automata::lts::LtsBuilder::with_states(1);
    let only: StateId = Id::from_index(0);
    for action in lts.alphabet().iter() {
        builder.add_transition(only, Label::Visible(action), only);
    }
    builder.finish(only, lts.alphabet().clone())
}
