//! The obligations of a certificate as the specification states them, with sets, and with the
//! product of `automata`: for comparison with the checker, which has neither.

use resy_automata::lts::{Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_automata::product::Explorer;
use resy_certificate::{Certificate, Map, NodeId, Of, Tuples, hash};
use resy_index::Id;
use std::collections::BTreeMap;

/// Whether all obligations hold.
pub fn hold(certificate: &Certificate, network: &Network) -> bool {
    is_about(certificate, network) && is_proof(certificate, network).is_some()
}

fn is_about(certificate: &Certificate, network: &Network) -> bool {
    let Certificate { origin, interface, .. } = certificate;
    let component = |id: ComponentId| network.components[id].name.clone();
    let components = network.components.iter().map(|c| (c.name.clone(), c.lts.n_states()));
    let listed = interface.components.iter().map(|c| (c.name.clone(), c.n_states));
    hash(&origin.text) == origin.hash
        && network.actions.iter().map(|a| a.name.clone()).collect::<Vec<_>>() == interface.actions
        && components.collect::<Vec<_>>() == listed.collect::<Vec<_>>()
        && network.module.iter().map(|&id| component(id)).collect::<Vec<_>>() == origin.module
}

fn is_proof(certificate: &Certificate, network: &Network) -> Option<()> {
    let proof = &certificate.proof;
    let monitor = network.monitor.as_ref()?;
    let mut images: Vec<Lts> = Vec::new();
    let mut below: Vec<Vec<ComponentId>> = Vec::new();
    let mut roots: Vec<usize> = Vec::new();
    for (id, node) in proof.nodes.iter_enumerated() {
        let (components, concrete) = match &node.of {
            Of::Component(component) => {
                (vec![*component], network.components.get(*component)?.lts.clone())
            }
            Of::Product(children, tuples) => {
                for child in children {
                    // A root so far, and none any more.
                    let at = roots.iter().position(|root| *root == child.index())?;
                    roots.remove(at);
                }
                let systems = children.iter().map(|child| &images[child.index()]).collect();
                let components = |child: &NodeId| below[child.index()].clone();
                (children.iter().flat_map(components).collect(), product(tuples, systems, None)?)
            }
        };
        roots.push(id.index());
        images.push(match &node.map {
            Map::Identity => concrete,
            Map::Image(map, image) => {
                let map: Vec<StateId> = map.iter().collect();
                is_image(network, &components, &concrete, &map, image).then(|| image.clone())?
            }
        });
        below.push(components);
    }
    let mut covered: Vec<ComponentId> = roots.iter().flat_map(|&r| below[r].clone()).collect();
    covered.sort();
    let all: Vec<ComponentId> = network.components.ids().collect();
    if covered != all {
        return None;
    }
    let roots = roots.iter().map(|&root| &images[root]);
    product(&proof.invariant, roots.chain([&monitor.lts]).collect(), Some(monitor.error))?;
    Some(())
}

/// The product on these tuples, if they are closed and without an error.
fn product(tuples: &Tuples, systems: Vec<&Lts>, error: Option<StateId>) -> Option<Lts> {
    if tuples.width != systems.len() {
        return None;
    }
    let mut numbers: BTreeMap<Vec<StateId>, usize> = BTreeMap::new();
    for (i, tuple) in tuples.iter().enumerate() {
        let fits = tuple.iter().zip(&systems).all(|(s, lts)| s.index() < lts.n_states());
        let is_error = error.is_some() && tuple.last().copied() == error;
        if !fits || is_error || numbers.insert(tuple.to_vec(), i).is_some() {
            return None;
        }
    }
    let alphabet: Alphabet = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    let explorer = Explorer::new(systems);
    let initial = *numbers.get(&explorer.initial())?;
    let mut builder = LtsBuilder::with_states(numbers.len());
    let mut is_closed = true;
    for (tuple, &source) in &numbers {
        explorer.successors(tuple, |step, to| match numbers.get(to) {
            Some(&target) => {
                builder.add_transition(Id::from_index(source), step.label(), Id::from_index(target))
            }
            None => is_closed = false,
        });
    }
    is_closed.then(|| builder.finish(Id::from_index(initial), alphabet))
}

fn is_image(
    network: &Network,
    components: &[ComponentId],
    concrete: &Lts,
    map: &[StateId],
    image: &Lts,
) -> bool {
    let monitor = network.monitor.as_ref().map(|m| m.lts.alphabet());
    let outside = |label: Label| {
        let Label::Visible(action) = label else { return false };
        let has = |id: ComponentId| network.components[id].lts.alphabet().contains(action);
        monitor.is_some_and(|monitor| monitor.contains(action))
            || network.components.ids().any(|id| !components.contains(&id) && has(id))
    };
    map.len() == concrete.n_states()
        && map.iter().all(|state| state.index() < image.n_states())
        && map[concrete.initial().index()] == image.initial()
        && concrete.alphabet() == image.alphabet()
        && concrete.transitions().all(|(s, label, t)| {
            let (s, t) = (map[s.index()], map[t.index()]);
            image.transitions_from(s).contains(&(label, t)) || s == t && !outside(label)
        })
}
