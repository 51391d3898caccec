//! A module of several components, one after the other.
//!
//! Each component is replaced by its own requirement, with all others as its environment: those that come later as they
//! are, earlier ones as requirements. So the product of the requirements is one of the module. Where every component needs
//! little, as the participants of a protocol do, it is smaller than what merging finds in the module's product,
//! whose first choices exclude it.

use super::{AutoOptions, AutoProgress, Quality, Synthesized, from};
use crate::requirement::Conclusion;
use crate::split::Split;
use resy_automata::lts::StateId;
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_index::Id;

/// The image of the module whose classes are those of its components' requirements; `None` if the module is one
/// component, or some requirement is not proved.
pub(super) fn image(
    network: &Network,
    split: &Split,
    options: &AutoOptions,
    go_on: &mut dyn FnMut(&AutoProgress) -> bool,
) -> Option<Partition> {
    let components = &split.module.components;
    if components.len() < 2 {
        return None;
    }
    let (mut network, mut partitions) = (network.clone(), Vec::new());
    for &component in components {
        network.module = vec![component];
        let split = Split::of(&network, usize::MAX).ok()?;
        let found = from(None, &network, &split, options, go_on).ok()?.requirement;
        if found.verdict != Conclusion::Holds {
            return None;
        }
        partitions.push(found.quotient.partition().clone());
        network.components[component].lts = found.lts().clone();
    }
    let module = &split.module;
    let key = |state: StateId| -> Vec<usize> {
        let members = module.members(state).into_iter().zip(&partitions);
        members.map(|(member, partition)| partition.block_of(member).index()).collect()
    };
    Some(Partition::by_keys(module.lts.states().map(key)))
}

/// Whether a requirement from an image is proved and has fewer states. That it is smallest among the images of the
/// image says little about those of the module, so that it is not told.
pub(super) fn is_better(other: &Synthesized, found: &Synthesized) -> bool {
    let n_states = |one: &Synthesized| one.requirement.lts().n_states();
    other.requirement.verdict == Conclusion::Holds
        && other.quality >= Quality::Irreducible
        && n_states(other) < n_states(found)
}
