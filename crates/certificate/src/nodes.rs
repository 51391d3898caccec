//! The nodes of a certificate: each abstraction stands for what it claims to stand for.
//!
//! Every transition of every concrete system is visited. Proofs share the nodes, so that each is
//! checked once, however many proofs use it.

use crate::check::{by, numbered, shown};
use crate::derive::NotDerived;
use crate::obligation::{Obligation, Rejection};
use crate::proof::{Map, Node, NodeId, Of, ProofEvidence, RunLengths};
use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Network};
use resy_index::{Id, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// An abstraction of some components.
#[derive(Clone, Debug)]
pub struct Abstracted<'a> {
    /// The components below a node.
    pub components: Vec<ComponentId>,
    /// The node's abstraction.
    pub image: Cow<'a, Lts>,
}

/// The abstractions of all nodes, and the number of transitions visited.
pub fn abstracted<'a>(
    evidence: &'a ProofEvidence,
    network: &'a Network,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(IndexVec<NodeId, Abstracted<'a>>, usize), NotDerived> {
    let below = tree(evidence, network)?;
    let all = owners(network.systems().into_iter());
    let mut nodes: IndexVec<NodeId, Abstracted<'a>> = IndexVec::new();
    let mut n_transitions = 0;
    for (id, node) in evidence.nodes.iter_enumerated() {
        if !go_on() {
            return Err(NotDerived::Stopped);
        }
        let components = below[id].clone();
        let concrete = concrete(id, node, network, &nodes)?;
        let image = match &node.map {
            Map::Identity => concrete,
            Map::Image(map, image) => {
                let own = owners(components.iter().map(|&c| &network.components[c].lts));
                let is_internal = |action| own.get(&action) == all.get(&action);
                homomorphism(id, &concrete, map, image, is_internal)?;
                n_transitions += concrete.n_transitions();
                Cow::Borrowed(image)
            }
        };
        nodes.push(Abstracted { components, image });
    }
    Ok((nodes, n_transitions))
}

/// The components below each node. Below a node, and below the roots of a proof, each component
/// occurs at most once.
fn tree(
    evidence: &ProofEvidence,
    network: &Network,
) -> Result<IndexVec<NodeId, Vec<ComponentId>>, Rejection> {
    let mut below: IndexVec<NodeId, Vec<ComponentId>> = IndexVec::new();
    for (id, node) in evidence.nodes.iter_enumerated() {
        let place = || format!("node {}", id.index());
        below.push(match &node.of {
            Of::Component(component) if component.index() < network.components.len() => {
                vec![*component]
            }
            Of::Component(_) => {
                return Err(Obligation::Tree.fails(place() + ": there is no such component"));
            }
            Of::Product(children, _) => together(children, &below, place)?,
        });
    }
    for (i, proof) in evidence.proofs.iter().enumerate() {
        together(&proof.roots, &below, || format!("proof {i}"))?;
    }
    Ok(below)
}

/// The components below some nodes, which must be defined already.
fn together(
    nodes: &[NodeId],
    below: &IndexVec<NodeId, Vec<ComponentId>>,
    place: impl Fn() -> String,
) -> Result<Vec<ComponentId>, Rejection> {
    let fails = |what| Err(Obligation::Tree.fails(place() + what));
    let mut components = Vec::new();
    for &node in nodes {
        match below.get(node) {
            Some(more) => components.extend_from_slice(more),
            None => return fails(": there is no such node yet"),
        }
    }
    let mut seen = FxHashSet::default();
    match components.iter().all(|component| seen.insert(*component)) {
        true => Ok(components),
        false => fails(": a component is there twice"),
    }
}

/// The concrete system of a node: a component, or a product on the listed tuples.
fn concrete<'a>(
    id: NodeId,
    node: &Node,
    network: &'a Network,
    nodes: &IndexVec<NodeId, Abstracted<'a>>,
) -> Result<Cow<'a, Lts>, Rejection> {
    let (children, tuples) = match &node.of {
        Of::Component(component) => return Ok(Cow::Borrowed(&network.components[*component].lts)),
        Of::Product(children, tuples) => (children, tuples),
    };
    let systems: Vec<&Lts> = children.iter().map(|&child| &*nodes[child].image).collect();
    let place = format!("node {}", id.index());
    let numbers = numbered(tuples, &systems, &place)?;
    let joint = Joint::new(systems.clone());
    let Some(&initial) = numbers.get(&*joint.initial()) else {
        return Err(Obligation::ProductStart.fails(place));
    };
    let mut builder = LtsBuilder::with_states(tuples.len());
    for (source, tuple) in tuples.iter().enumerate() {
        joint.steps(tuple, |label, to| {
            let Some(&target) = numbers.get(to) else {
                let place = format!("{place}: a step from {}", shown(tuple));
                return Err(Obligation::ProductClosed.fails(place));
            };
            builder.add_transition(Id::from_index(source), label, target);
            Ok(())
        })?;
    }
    let alphabet: Alphabet = systems.iter().flat_map(|lts| lts.alphabet().iter()).collect();
    Ok(Cow::Owned(builder.finish(initial, alphabet)))
}

/// For each action, the number of components and monitors that have it.
fn owners<'a>(systems: impl Iterator<Item = &'a Lts>) -> FxHashMap<ActionId, usize> {
    let mut owners = FxHashMap::default();
    systems.flat_map(|lts| lts.alphabet().iter()).for_each(|a| *owners.entry(a).or_default() += 1);
    owners
}

/// The map is a homomorphism from the concrete system to its image.
fn homomorphism(
    id: NodeId,
    concrete: &Lts,
    map: &RunLengths,
    image: &Lts,
    is_internal: impl Fn(ActionId) -> bool,
) -> Result<(), Rejection> {
    let node = format!("node {}", id.index());
    if map.len() != concrete.n_states() {
        let place = format!("{node}: {} of {} states", map.len(), concrete.n_states());
        return Err(Obligation::Total.fails(place));
    }
    let map: Vec<StateId> = map.iter().collect();
    if let Some(state) = map.iter().position(|state| state.index() >= image.n_states()) {
        return Err(Obligation::Total.fails(format!("{node}: state {state}")));
    }
    let of = |state: StateId| map[state.index()];
    if of(concrete.initial()) != image.initial() {
        return Err(Obligation::Start.fails(node));
    }
    if image.alphabet() != concrete.alphabet() {
        return Err(Obligation::Alphabet.fails(node));
    }
    for (source, label, target) in concrete.transitions() {
        let (from, to) = (of(source), of(target));
        let may_stay = label.action().is_none_or(&is_internal);
        let stays = may_stay && from == to;
        if !stays && image.transitions_by(from, label).binary_search(&(label, to)).is_err() {
            let (source, target) = (source.index(), target.index());
            let place = format!("{node}: from state {source} to {target}{}", by(label));
            return Err(Obligation::Steps.fails(place));
        }
    }
    Ok(())
}
