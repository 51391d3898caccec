//! Generated networks with more components: spectators, and copies of a component.

use super::NetworkRandom;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, Network};
use resy_index::{Id, IndexVec};
use std::collections::BTreeMap;

/// A component that watches some actions, in every state, and also has the last action.
fn spectator(random: &mut NetworkRandom, watched: &[ActionId], last: ActionId) -> Lts {
    let n_states = 1 + random.below(3);
    let mut builder = LtsBuilder::with_states(n_states);
    let any = |random: &mut NetworkRandom| -> StateId { Id::from_index(random.below(n_states)) };
    for state in (0..n_states).map(Id::from_index) {
        for &action in watched {
            let to = any(random);
            builder.add_transition(state, Label::Visible(action), to);
        }
    }
    // Not in every state, perhaps.
    let (from, to) = (any(random), any(random));
    builder.add_transition(from, Label::Visible(last), to);
    let alphabet: Alphabet = watched.iter().copied().chain([last]).collect();
    builder.finish(Id::from_index(0), alphabet)
}

/// The network with two spectators, which have an action of their own; a component may be asked, but does
/// not change by it.
pub fn with_spectators(network: &Network, random: &mut NetworkRandom) -> Network {
    let mut wider = network.clone();
    let own = wider.actions.push(Action { name: "between spectators".to_owned() });
    let asked = Id::from_index(random.below(network.components.len()));
    if random.chance(50) {
        let lts = &network.components[asked].lts;
        wider.components[asked].lts = with_loops(lts, own, || random.chance(50));
    }
    for name in ["first", "second"] {
        let watched: Vec<ActionId> =
            network.actions.ids().filter(|_| random.below(2) == 0).collect();
        let lts = spectator(random, &watched, own);
        let state_names = Default::default();
        wider.components.push(Component { name: name.to_owned(), lts, state_names });
    }
    wider
}

/// The system that in some states takes part in an action without changing.
fn with_loops(lts: &Lts, action: ActionId, mut is_chosen: impl FnMut() -> bool) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    lts.transitions().for_each(|(source, label, to)| builder.add_transition(source, label, to));
    for state in lts.states().filter(|_| is_chosen()) {
        builder.add_transition(state, Label::Visible(action), state);
    }
    builder.finish(lts.initial(), lts.alphabet().iter().chain([action]).collect())
}

/// The network with copies of a component. Each copy has its own actions in the place of the
/// component's, and all others have the same transitions for both. Now and then, another component
/// lacks one transition for a copy.
pub fn with_copies(network: &Network, random: &mut NetworkRandom) -> Network {
    let mut wider = network.clone();
    let id = Id::from_index(random.below(network.components.len()));
    let original = network.components[id].clone();
    for copy in 0..random.between(1, 3) {
        let own = original.lts.alphabet().iter().map(|action| {
            let name = format!("{} of copy {copy}", network.actions[action].name);
            (action, wider.actions.push(Action { name }))
        });
        let own: BTreeMap<ActionId, ActionId> = own.collect();
        let odd = random.chance(30);
        let mut is_left_out = || odd && random.chance(10);
        for other in wider.components.ids().take(network.components.len()).filter(|&c| c != id) {
            let lts = &wider.components[other].lts;
            wider.components[other].lts = taking(lts, &own, &mut is_left_out);
        }
        // A monitor has transitions for everything.
        if let Some(monitor) = &mut wider.monitor {
            monitor.lts = taking(&monitor.lts, &own, &mut || false);
        }
        let renamed = |label: Label| label.action().map_or(label, |a| Label::Visible(own[&a]));
        let lts = original.lts.relabelled(own.values().copied().collect(), renamed);
        let name = format!("{}, copy {copy}", original.name);
        wider.components.push(Component { name, lts, state_names: IndexVec::new() });
    }
    wider
}

/// A system that does by new actions what it does by others, except where it is left out.
fn taking(
    lts: &Lts,
    new: &BTreeMap<ActionId, ActionId>,
    is_left_out: &mut impl FnMut() -> bool,
) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    for (source, label, target) in lts.transitions() {
        builder.add_transition(source, label, target);
        if let Some(&new) = label.action().and_then(|action| new.get(&action))
            && !is_left_out()
        {
            builder.add_transition(source, Label::Visible(new), target);
        }
    }
    let shared = lts.alphabet().iter().filter_map(|action| new.get(&action).copied());
    builder.finish(lts.initial(), lts.alphabet().iter().chain(shared).collect())
}
