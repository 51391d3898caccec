//! No abstraction: the product of all components, state by state.
//!
//! This is fastest where a program has few states although its components have many. The local
//! states are known, so that a step is a few table lookups.
//!
//! With [`from_both_ends`](resy_automata::product::from_both_ends) as the order, a near and a far
//! violation are both found soon: that of *Workflow 7* among 60,000 states, where breadth-first
//! search visits three million before it.

use crate::requirement::Conclusion;
use crate::settled::until_settled;
use resy_automata::network::Network;
use resy_automata::product::{ExplorationOrder, Safety, reaches_error_while};

/// Whether the property of a network holds; `Interrupted` if `go_on(n_states)` cancels.
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
