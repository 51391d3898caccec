//! No abstraction at all: the product of all components, state by state.
//!
//! Where the program has few states though its components have many, nothing is faster. What is explored are
//! states of components that are known already, so that a step is a look into some tables.

use crate::requirement::Conclusion;
use crate::settled::until_settled;
use resy_automata::network::Network;
use resy_automata::product::{ExplorationOrder, Safety, reaches_error_while};

/// Whether the property of a network holds; unknown if `go_on`, which is told the number of states, says no before this
/// is decided.
pub fn check(
    network: &Network,
    order: ExplorationOrder,
    go_on: impl FnMut(usize) -> bool,
) -> Conclusion {
    let monitor = network.monitor.as_ref().map(until_settled);
    let network = Network { monitor, ..network.clone() };
    match reaches_error_while(&network, order, go_on) {
        Some(Safety::Safe { .. }) => Conclusion::Holds,
        Some(Safety::Trace(run)) => Conclusion::Fails(run),
        Some(Safety::TooLarge(_)) | None => Conclusion::Interrupted,
    }
}
