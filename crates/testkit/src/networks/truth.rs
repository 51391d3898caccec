//! What is true of a network, from its product.

use resy_automata::lts::Lts;
use resy_automata::network::{Component, Network};
use resy_automata::product::{Explorer, ProductStep, Safety, reaches_error};
use resy_index::IndexVec;
use std::collections::BTreeSet;

/// Whether the steps can be taken one after the other, and lead to the error state.
pub fn replays(network: &Network, trace: &[ProductStep]) -> bool {
    let systems = network.systems();
    let explorer = Explorer::new(systems);
    let mut now = BTreeSet::from([explorer.initial()]);
    for &step in trace {
        let mut next = BTreeSet::new();
        for state in &now {
            explorer.successors(state, |s, to| {
                if s == step {
                    next.insert(to.to_vec());
                }
            });
        }
        now = next;
    }
    let error = network.monitor.as_ref().map(|m| m.error);
    now.iter().any(|state| state.last().copied() == error)
}

/// A way into the error state that in each of its states does all that changes nothing.
pub fn detour(network: &Network) -> Option<Vec<ProductStep>> {
    let error = network.monitor.as_ref()?.error;
    let explorer = Explorer::new(network.systems());
    let mut found = BTreeSet::from([explorer.initial()]);
    // With each state the number of the one before, and the steps from there.
    let mut open = vec![(explorer.initial(), 0, Vec::new())];
    let mut next = 0;
    while let Some((state, ..)) = open.get(next).cloned() {
        if state.last() == Some(&error) {
            let before = |&i: &usize| (i > 0).then(|| open[i].1);
            let way: Vec<usize> = std::iter::successors(Some(next), before).collect();
            return Some(way.iter().rev().flat_map(|&i| open[i].2.clone()).collect());
        }
        let (mut loops, mut others) = (Vec::new(), Vec::new());
        explorer.successors(&state, |step, to| match to == state {
            true => loops.push(step),
            false => others.push((step, to.to_vec())),
        });
        for (step, to) in others {
            if found.insert(to.clone()) {
                open.push((to, next, loops.iter().copied().chain([step]).collect()));
            }
        }
        next += 1;
    }
    None
}

/// The network in which `lts` stands for the module, and whether it is safe.
pub fn is_safe_with(network: &Network, module: &Lts) -> bool {
    let mut systems: IndexVec<_, Component> = IndexVec::new();
    let component = |name: &str, lts: &Lts| Component {
        name: name.to_owned(),
        lts: lts.clone(),
        state_names: IndexVec::new(),
    };
    systems.push(component("module", module));
    for (id, other) in network.components.iter_enumerated() {
        if !network.module.contains(&id) {
            systems.push(other.clone());
        }
    }
    let network = Network::new(network.actions.clone(), systems, network.monitor.clone(), vec![]);
    match reaches_error(&network, usize::MAX) {
        Safety::Safe { .. } => true,
        Safety::Trace(_) => false,
        Safety::TooLarge(_) => unreachable!("there is no limit"),
    }
}

/// Whether no run leads to the error state.
pub fn is_safe(network: &Network) -> bool {
    matches!(reaches_error(network, usize::MAX), Safety::Safe { .. })
}
