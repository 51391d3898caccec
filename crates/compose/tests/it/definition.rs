//! The obligations of a certificate as the specification states them, with sets, and with the
//! product of `automata`: for comparison with the checker, which has neither.

use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Monitor, Network};
use resy_automata::product::Explorer;
use resy_certificate::{
    About, Certificate, Map, NodeId, Of, Proof, ProofEvidence, TupleList, hash,
};
use resy_index::Id;
use std::collections::{BTreeMap, BTreeSet};

/// Whether all obligations hold.
pub fn hold(certificate: &Certificate, network: &Network) -> bool {
    is_of(certificate, network) && is_proof(certificate, network).is_some()
}

fn is_of(certificate: &Certificate, network: &Network) -> bool {
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
    let ProofEvidence { nodes, proofs } = &certificate.evidence;
    let monitor = network.monitor.as_ref()?;
    let mut images: Vec<Lts> = Vec::new();
    let mut below: Vec<Vec<ComponentId>> = Vec::new();
    for node in nodes {
        let (components, concrete) = match &node.of {
            Of::Component(component) => {
                (vec![*component], network.components.get(*component)?.lts.clone())
            }
            Of::Product(children, tuples) => {
                let components = once_each(children, &below)?;
                let systems = children.iter().map(|child| &images[child.index()]).collect();
                (components, product(tuples, systems, |_, _| false)?)
            }
        };
        images.push(match &node.map {
            Map::Identity => concrete,
            Map::Image(map, image) => {
                // A longer map is none, and may be too long to be written out.
                let map: Vec<StateId> = map.iter().take(concrete.n_states() + 1).collect();
                is_image(network, &components, &concrete, &map, image).then(|| image.clone())?
            }
        });
        below.push(components);
    }
    for Proof { roots, about, invariant } in proofs {
        once_each(roots, &below)?;
        let roots = roots.iter().map(|root| &images[root.index()]);
        let is_error = |state: &[StateId]| state.last() == Some(&monitor.error);
        let can_err = can_err(monitor, about);
        let is_over = |label: Label, to: &[StateId]| match is_error(to) {
            true => label.action().is_some_and(|action| !is_about(about, action)),
            false => to.last().is_some_and(|state| !can_err.contains(state)),
        };
        product(invariant, roots.chain([&monitor.lts]).collect(), is_over)?;
        if invariant.iter().any(is_error) {
            return None;
        }
    }
    let errors = monitor.lts.transitions().filter(|t| t.2 == monitor.error);
    let mut errors = errors.filter_map(|(_, label, _)| label.action());
    let has_proof = |action| proofs.iter().any(|proof| is_about(&proof.about, action));
    (!proofs.is_empty() && errors.all(has_proof)).then_some(())
}

/// The states from which the monitor can reach an error by one of these actions.
fn can_err(monitor: &Monitor, about: &About) -> BTreeSet<StateId> {
    let mut found = BTreeSet::new();
    loop {
        let errs = |label: Label| label.action().is_some_and(|action| is_about(about, action));
        let leads = monitor.lts.transitions().filter(|&(_, label, target)| match target {
            error if error == monitor.error => errs(label),
            target => found.contains(&target),
        });
        let next: BTreeSet<StateId> = leads.map(|(source, ..)| source).collect();
        if next == found {
            return found;
        }
        found = next;
    }
}

fn is_about(about: &About, action: ActionId) -> bool {
    match about {
        About::All => true,
        About::Only(actions) => actions.iter().any(|a| a == action),
    }
}

/// The components below these nodes, if all exist and no component occurs twice.
fn once_each(nodes: &[NodeId], below: &[Vec<ComponentId>]) -> Option<Vec<ComponentId>> {
    let mut all = Vec::new();
    for node in nodes {
        all.extend(below.get(node.index())?);
    }
    let different: BTreeSet<_> = all.iter().collect();
    (different.len() == all.len()).then_some(all)
}

/// The product on these tuples, if they are closed under all steps except those into settled
/// states.
fn product(
    tuples: &TupleList,
    systems: Vec<&Lts>,
    is_over: impl Fn(Label, &[StateId]) -> bool,
) -> Option<Lts> {
    if tuples.width != systems.len() {
        return None;
    }
    let mut numbers: BTreeMap<Vec<StateId>, usize> = BTreeMap::new();
    for (i, tuple) in tuples.iter().enumerate() {
        let fits = tuple.iter().zip(&systems).all(|(s, lts)| s.index() < lts.n_states());
        if !fits || numbers.insert(tuple.to_vec(), i).is_some() {
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
            None => is_closed &= is_over(step.label(), to),
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
