//! The checker: each obligation is one loop.
//!
//! It costs a look at every transition of every concrete system, and at every step out of the
//! inductive set; nothing is searched. What is checked shows that the property holds: along
//! each run of the network, the maps lead through states of the abstractions, whose tuples are in
//! the inductive set, which the error state is not in.

use crate::obligation::{Obligation, Rejection};
use crate::origin::{Certificate, Interface};
use crate::proof::{Map, Node, NodeId, Of, Proof, Runs, Tuples};
use crate::steps::Joint;
use resy_automata::lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, StateId};
use resy_automata::network::{ComponentId, Monitor, Network};
use resy_index::{Id, IndexVec};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// An accepted certificate: what was shown, and what was looked at for it.
#[derive(Clone, Debug, Default)]
pub struct Checked<'a> {
    /// The parts of the network that are abstracted together, and what stands for them.
    pub roots: Vec<(Vec<ComponentId>, Cow<'a, Lts>)>,
    /// Nodes of the tree.
    pub n_nodes: usize,
    /// Transitions of all concrete systems that are mapped.
    pub n_transitions: usize,
    /// States of the inductive set.
    pub n_inductive: usize,
    /// Steps out of them.
    pub n_steps: usize,
}

impl Checked<'_> {
    /// What stands for these components, if something stands for them and no others.
    pub fn image_of(&self, components: &[ComponentId]) -> Option<&Lts> {
        self.roots.iter().find(|(part, _)| part == components).map(|(_, image)| &**image)
    }
}

/// Whether a certificate shows that the property of a network holds. The network has been derived
/// from the certificate's text, by those who are trusted with that.
pub fn check<'a>(
    certificate: &'a Certificate,
    network: &'a Network,
) -> Result<Checked<'a>, Rejection> {
    if crate::hash(&certificate.origin.text) != certificate.origin.hash {
        return Err(Obligation::Text.fails("the text has been changed"));
    }
    let monitor = names(certificate, network)?;
    check_proof(&certificate.proof, network, monitor)
}

fn check_proof<'a>(
    proof: &'a Proof,
    network: &'a Network,
    monitor: &Monitor,
) -> Result<Checked<'a>, Rejection> {
    let below = tree(proof, network)?;
    let everybody = owners(network.systems().into_iter());
    let mut checked = Checked { n_nodes: proof.nodes.len(), ..Checked::default() };
    let mut images: IndexVec<NodeId, Cow<'a, Lts>> = IndexVec::new();
    for (id, node) in proof.nodes.iter_enumerated() {
        let concrete = concrete(id, node, network, &images)?;
        let image = match &node.map {
            Map::Identity => concrete,
            Map::Image(map, image) => {
                let own = owners(below[id].iter().map(|&c| &network.components[c].lts));
                let is_internal = |action| own.get(&action) == everybody.get(&action);
                homomorphism(id, &concrete, map, image, is_internal)?;
                checked.n_transitions += concrete.n_transitions();
                Cow::Borrowed(image)
            }
        };
        images.push(image);
    }
    let roots = proof.roots();
    let systems = roots.iter().map(|&root| &*images[root]);
    let joint = Joint::new(systems.chain([&monitor.lts]).collect());
    checked.n_inductive = proof.invariant.len();
    checked.n_steps = inductive(&joint, &proof.invariant, network, monitor)?;
    checked.roots = roots.iter().map(|&root| (below[root].clone(), images[root].clone())).collect();
    Ok(checked)
}

/// The numbers of the proof are those of the network; returns the property.
fn names<'n>(certificate: &Certificate, network: &'n Network) -> Result<&'n Monitor, Rejection> {
    let Interface { actions, components, .. } = &certificate.interface;
    let fails = |place: String| Err(Obligation::Names.fails(place));
    if let Some(i) = differ(actions.iter(), network.actions.iter().map(|action| &action.name)) {
        return fails(format!("action {i}"));
    }
    let found = network.components.iter().map(|c| (&c.name, c.lts.n_states()));
    if let Some(i) = differ(components.iter().map(|c| (&c.name, c.n_states)), found) {
        return fails(format!("component {i}"));
    }
    let module = network.module.iter().map(|&id| &network.components[id].name);
    if let Some(i) = differ(certificate.origin.module.iter(), module) {
        return fails(format!("component {i} of the module"));
    }
    network.monitor.as_ref().ok_or_else(|| Obligation::Names.fails("there is no property"))
}

/// The first place where two sequences differ.
fn differ<T: PartialEq>(
    mut a: impl Iterator<Item = T>,
    mut b: impl Iterator<Item = T>,
) -> Option<usize> {
    (0..).find_map(|i| match (a.next(), b.next()) {
        (None, None) => Some(None),
        (x, y) => (x != y).then_some(Some(i)),
    })?
}

/// The components below each node.
fn tree(proof: &Proof, network: &Network) -> Result<IndexVec<NodeId, Vec<ComponentId>>, Rejection> {
    let mut below: IndexVec<NodeId, Vec<ComponentId>> = IndexVec::new();
    let mut has_parent = vec![false; proof.nodes.len()];
    let mut has_leaf = vec![false; network.components.len()];
    for (id, node) in proof.nodes.iter_enumerated() {
        let fails = |what| Err(Obligation::Tree.fails(format!("node {}: {what}", id.index())));
        below.push(match &node.of {
            Of::Component(component) => match has_leaf.get_mut(component.index()) {
                None => return fails("there is no such component"),
                Some(true) => return fails("the component is in the tree twice"),
                Some(leaf) => {
                    *leaf = true;
                    vec![*component]
                }
            },
            Of::Product(children, _) => {
                for child in children {
                    if *child >= id || std::mem::replace(&mut has_parent[child.index()], true) {
                        return fails("a child comes later, or has another parent");
                    }
                }
                children.iter().flat_map(|&child| below[child].clone()).collect()
            }
        });
    }
    match has_leaf.iter().position(|leaf| !leaf) {
        Some(missing) => Err(Obligation::Tree.fails(format!("component {missing} is missing"))),
        None => Ok(below),
    }
}

/// What a node abstracts: a component, or a product on the tuples that are listed.
fn concrete<'a>(
    id: NodeId,
    node: &Node,
    network: &'a Network,
    images: &IndexVec<NodeId, Cow<'a, Lts>>,
) -> Result<Cow<'a, Lts>, Rejection> {
    let (children, tuples) = match &node.of {
        Of::Component(component) => return Ok(Cow::Borrowed(&network.components[*component].lts)),
        Of::Product(children, tuples) => (children, tuples),
    };
    let systems: Vec<&Lts> = children.iter().map(|&child| &*images[child]).collect();
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

/// The numbers of tuples of states of some systems.
fn numbered<'t>(
    tuples: &'t Tuples,
    systems: &[&Lts],
    place: &str,
) -> Result<FxHashMap<&'t [StateId], StateId>, Rejection> {
    let mut numbers = FxHashMap::default();
    let fits = |tuple: &[StateId]| {
        let in_range = |(state, lts): (&StateId, &&Lts)| state.index() < lts.n_states();
        tuple.len() == systems.len() && tuple.iter().zip(systems).all(in_range)
    };
    for (number, tuple) in tuples.iter().enumerate() {
        if !fits(tuple) || numbers.insert(tuple, Id::from_index(number)).is_some() {
            return Err(Obligation::Tuples.fails(format!("{place}: {}", shown(tuple))));
        }
    }
    Ok(numbers)
}

/// How many components, and monitors, have each action.
fn owners<'a>(systems: impl Iterator<Item = &'a Lts>) -> FxHashMap<ActionId, usize> {
    let mut owners = FxHashMap::default();
    systems.flat_map(|lts| lts.alphabet().iter()).for_each(|a| *owners.entry(a).or_default() += 1);
    owners
}

/// The map leads from the concrete system to its image.
fn homomorphism(
    id: NodeId,
    concrete: &Lts,
    map: &Runs,
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

/// The set contains the initial state, nothing leads out of it, and the error state is not in
/// it; returns the number of steps.
fn inductive(
    joint: &Joint<'_>,
    set: &Tuples,
    network: &Network,
    monitor: &Monitor,
) -> Result<usize, Rejection> {
    let numbers = numbered(set, joint.systems(), "the inductive set")?;
    if !numbers.contains_key(&*joint.initial()) {
        return Err(Obligation::InductiveStart.fails(shown(&joint.initial())));
    }
    if let Some(bad) = set.iter().find(|tuple| tuple.last() == Some(&monitor.error)) {
        return Err(Obligation::Safe.fails(shown(bad)));
    }
    let mut n_steps = 0;
    for tuple in set.iter() {
        joint.steps(tuple, |label, to| {
            n_steps += 1;
            if numbers.contains_key(to) {
                return Ok(());
            }
            let is_error = to.last() == Some(&monitor.error);
            let broken = if is_error { Obligation::Safe } else { Obligation::Inductive };
            let name =
                label.action().map(|action| format!(" (`{}`)", network.actions[action].name));
            let place = format!("a step from {}{}", shown(tuple), by(label));
            Err(broken.fails(place + &name.unwrap_or_default()))
        })?;
    }
    Ok(n_steps)
}

fn shown(tuple: &[StateId]) -> String {
    let states: Vec<String> = tuple.iter().map(|state| state.index().to_string()).collect();
    format!("({})", states.join(" "))
}

fn by(label: Label) -> String {
    match label {
        Label::Tau => " by an internal step".to_owned(),
        Label::Visible(action) => format!(" by action {}", action.index()),
    }
}
