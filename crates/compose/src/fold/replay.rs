//! Replaying words in single systems: a word is possible in a network if each system alone can
//! follow it.

use resy_automata::lts::{Label, Lts, StateId};
use resy_automata::network::Network;
use resy_automata::product::ProductStep;
use resy_index::Id;

/// The states after each step of some path along a word; `None` if there is none.
pub(crate) fn path(lts: &Lts, word: impl Iterator<Item = Label>) -> Option<Vec<StateId>> {
    let mut possible = vec![(Label::Tau, vec![lts.initial()])];
    for label in word {
        let now = after(lts, &possible.last()?.1, label);
        possible.push((label, now));
    }
    let mut path: Vec<StateId> = vec![*possible.last()?.1.first()?];
    for pair in possible.windows(2).rev() {
        let ((_, before), (label, _), end) = (&pair[0], &pair[1], *path.last()?);
        let leads_on =
            |s: &&StateId| lts.transitions_by(**s, *label).binary_search(&(*label, end)).is_ok();
        path.push(*before.iter().find(leads_on)?);
    }
    path.pop();
    path.reverse();
    Some(path)
}

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

/// The successors of these states by a label, sorted.
fn after(lts: &Lts, states: &[StateId], label: Label) -> Vec<StateId> {
    let rows = states.iter().flat_map(|&state| lts.transitions_by(state, label));
    let mut next: Vec<StateId> = rows.map(|t| t.1).collect();
    next.sort_unstable();
    next.dedup();
    next
}
