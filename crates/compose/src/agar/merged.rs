//! A small image: an abstraction with few classes, joined further while the property is proved.
//!
//! Refinement splits where one error path is not concrete, and what a split was for may be settled by a
//! later one. Each trial to join two classes is one exploration of the joined image with the environment,
//! so it pays to begin with the few classes of an abstraction over a small alphabet.

use super::abstraction::Abstraction;
use super::{AbstractedAssumption, AgarEdges, AgarOptions, abstract_module};
use crate::cancellation::Cancellation;
use crate::minimize::minimize;
use crate::sides::{EnvironmentSide, EnvironmentSystems, interface};
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::partition::Partition;

/// Abstracts the module of a split, then joins classes as long as the property is proved; no two of the
/// final classes can be joined, unless `go_on` cancels.
pub fn merged_module(
    split: &Split,
    options: &AgarOptions,
    mut go_on: impl FnMut() -> bool,
) -> AbstractedAssumption {
    let mut found = abstract_module(split, options, &mut go_on);
    if found.partition.is_none() {
        return found;
    }
    let cancellation = Cancellation::new(&mut go_on);
    let systems = EnvironmentSystems::of(split);
    let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
    let letters = interface(split);
    let proves = |image: &Lts| {
        let discrete = Partition::discrete(image.n_states());
        let (plain, polled) = (AgarEdges::Plain, environment.cancellation());
        let abstraction = Abstraction::new(image, discrete, plain, &letters, polled).ok()?;
        abstraction.error(&mut environment).ok().map(|error| error.is_none())
    };
    let merged = minimize(&split.module.lts, &found.requirement(split), proves);
    let partition = merged.quotient.partition().clone();
    found.n_classes = partition.n_blocks();
    found.partition = Some(partition);
    found
}
