//! Replaying words in single systems: a word is possible in a network if each system alone can
//! follow it.

use resy_automata::lts::StateId;
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_automata::words::after;
use resy_index::Id;

/// Whether all components can follow the steps, and the monitor reaches its error state.
pub(super) fn is_run(network: &Network, steps: &[ProductStep]) -> bool {
    let Some(monitor) = &network.monitor else { return false };
    let systems = network.systems();
    let mut owners = vec![Vec::new(); network.actions.len()];
    for (i, lts) in systems.iter().enumerate() {
        lts.alphabet().iter().for_each(|action| owners[action.index()].push(i));
    }
    let mut now: Vec<Vec<StateId>> = systems.iter().map(|lts| vec![lts.initial()]).collect();
    for step in steps {
        let participants = match step {
            ProductStep::Tau(component) => &vec![component.index()],
            ProductStep::Action(action) => &owners[action.index()],
        };
        for &i in participants {
            now[i] = after(systems[i], &now[i], step.label());
        }
        if participants.is_empty() || participants.iter().any(|&i| now[i].is_empty()) {
            return false;
        }
    }
    now.last().is_some_and(|states| states.contains(&monitor.error))
}
