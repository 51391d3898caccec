//! Evidence: why a property holds, as a proof that `resy-certificate` can check.
//!
//! Whoever has partitions of the module and of the environment's parts with which the abstract
//! product cannot err has a proof: the quotients, and what can be reached of their product.

use crate::refine::Checked;
use crate::requirement::Requirement;
use crate::split::{Part, Split};
use resy_automata::lts::Lts;
use resy_automata::partition::Partition;
use resy_automata::product::{Explorer, Tuples as Found};
use resy_automata::quotient::Quotient;
use resy_certificate::{Map, Node, Of, Proof, Tuples};
use resy_index::{Id, IndexVec};

/// The proof that a requirement gives: the module is mapped to it. With the abstraction of the
/// environment that it was found with, if that is enough; the refinement shows that the
/// abstract environment is safe with the module, and with the coarser requirement it need not be.
/// Otherwise with the environment as it is. None if neither does, within `limit` states
/// of the inductive set.
pub fn of_requirement(split: &Split, requirement: &Requirement, limit: usize) -> Option<Proof> {
    let module = requirement.quotient.partition();
    let abstracted = Some(&requirement.environment).filter(|partitions| !partitions.is_empty());
    let abstracted = abstracted.and_then(|partitions| proof(split, module, partitions, limit));
    abstracted.or_else(|| proof(split, module, &discrete(split), limit))
}

/// The proof that a check gives: the module is kept as it is, the environment is abstracted.
pub fn of_check(split: &Split, checked: &Checked, limit: usize) -> Option<Proof> {
    let module = Partition::discrete(split.module.lts.n_states());
    proof(split, &module, &checked.partitions, limit)
}

/// The proof with a partition of the module and one of each part of the environment. None
/// if the product of the quotients can err, or has more states than `limit`.
pub fn proof(
    split: &Split,
    module: &Partition,
    environment: &[Partition],
    limit: usize,
) -> Option<Proof> {
    let parts = [&split.module].into_iter().chain(&split.environment);
    let partitions = [module].into_iter().chain(environment);
    let mut nodes = IndexVec::new();
    let mut images = Vec::new();
    for (part, partition) in parts.zip(partitions) {
        let image = Quotient::of(&part.lts, partition.clone());
        let of = concrete(part, &mut nodes);
        nodes.push(Node { of, map: map(&image) });
        images.push(image.into_lts());
    }
    let invariant = invariant(split, &images, limit)?;
    Some(Proof { nodes, invariant })
}

/// The part itself, or the product of the nodes of its components.
fn concrete(part: &Part, nodes: &mut IndexVec<resy_certificate::NodeId, Node>) -> Of {
    if let [component] = part.components[..] {
        return Of::Component(component);
    }
    let leaf = |&component| Node { of: Of::Component(component), map: Map::Identity };
    let children = part.components.iter().map(|component| nodes.push(leaf(component)));
    let children: Vec<_> = children.collect();
    let mut tuples = Tuples::new(children.len());
    part.lts.states().for_each(|state| tuples.push(&part.members(state)));
    Of::Product(children, tuples)
}

fn map(image: &Quotient) -> Map {
    if image.partition().is_discrete() {
        return Map::Identity;
    }
    let states = (0..image.partition().n_states()).map(Id::from_index);
    Map::Image(states.map(|state| image.state_of(state)).collect(), image.lts().clone())
}

/// What can be reached of the images with the monitor.
fn invariant(split: &Split, images: &[Lts], limit: usize) -> Option<Tuples> {
    if split.fails_at_once() {
        return None;
    }
    let explorer = Explorer::new(images.iter().chain([&split.monitor.lts]).collect());
    let mut found = Found::new(images.len() + 1);
    found.insert(&explorer.initial());
    let mut next = 0;
    while next < found.len() {
        let state = found[Id::from_index(next)].to_vec();
        let mut errs = false;
        explorer.successors(&state, |_, to| {
            errs |= to.last() == Some(&split.monitor.error);
            found.insert(to);
        });
        if errs || found.len() > limit {
            return None;
        }
        next += 1;
    }
    let mut tuples = Tuples::new(images.len() + 1);
    (0..found.len()).for_each(|i| tuples.push(&found[Id::from_index(i)]));
    Some(tuples)
}

fn discrete(split: &Split) -> Vec<Partition> {
    split.environment.iter().map(|part| Partition::discrete(part.lts.n_states())).collect()
}
