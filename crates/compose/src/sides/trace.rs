//! Words over the interface, and the traces that they are projections of.

use resy_automata::lts::{ActionId, Alphabet};
use resy_automata::product::ProductStep;

/// Letters of an alphabet.
pub type Word = Vec<ActionId>;

/// Steps of the network that one side takes: actions, and internal steps of its components.
pub type Trace = Vec<ProductStep>;

/// The projection of a trace to an alphabet.
pub(crate) fn project(trace: &[ProductStep], alphabet: &Alphabet) -> Word {
    trace.iter().filter_map(|step| letter(*step, alphabet)).collect()
}

/// The letter that a step is, if it is one.
pub(crate) fn letter(step: ProductStep, alphabet: &Alphabet) -> Option<ActionId> {
    match step {
        ProductStep::Action(action) if alphabet.contains(action) => Some(action),
        _ => None,
    }
}

/// The joint run of both sides: `module` and `environment` have the same projection to the interface
/// and share nothing else. What the module does after the last shared action is left out.
pub(crate) fn merge(
    module: &[ProductStep],
    environment: &[ProductStep],
    interface: &Alphabet,
) -> Trace {
    let mut joint = Trace::new();
    let mut rest = module.iter();
    for &step in environment {
        if letter(step, interface).is_some() {
            joint.extend(rest.by_ref().take_while(|&&own| own != step));
        }
        joint.push(step);
    }
    joint
}
