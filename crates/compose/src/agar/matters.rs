//! The alphabet last: which actions of the interface a proved image of the module needs.
//!
//! With a small image at hand, an action is left out if the proof still holds when both sides may do it
//! alone. No learning is started again, and no trace is compared: each trial is one exploration of the
//! image with the environment.

use super::AgarEdges;
use super::abstraction::Abstraction;
use crate::cancellation::Cancellation;
use crate::sides::{EnvironmentSide, EnvironmentSystems, Fallible, interface};
use crate::split::Split;
use resy_automata::lts::Alphabet;
use resy_automata::partition::Partition;

/// The part of the interface that the property still needs with an image of the module: no action of it
/// can be left out. The whole interface if the image does not prove the property; `None` if `go_on`
/// cancels.
pub fn needed_alphabet(
    split: &Split,
    partition: &Partition,
    go_on: impl FnMut() -> bool,
) -> Option<Alphabet> {
    let cancellation = Cancellation::new(go_on);
    let systems = EnvironmentSystems::of(split);
    let mut environment = EnvironmentSide::new(&systems, interface(split), &cancellation);
    needed(split, partition, &mut environment).ok()
}

fn needed(
    split: &Split,
    partition: &Partition,
    environment: &mut EnvironmentSide<'_>,
) -> Fallible<Alphabet> {
    let mut alphabet = interface(split);
    for letter in interface(split).iter() {
        let fewer: Alphabet = alphabet.iter().filter(|&other| other != letter).collect();
        let (module, plain) = (&split.module.lts, AgarEdges::Plain);
        let polled = environment.cancellation();
        let abstraction = Abstraction::new(module, partition.clone(), plain, &fewer, polled)?;
        if abstraction.error(environment)?.is_none() {
            alphabet = fewer;
        }
    }
    Ok(alphabet)
}
