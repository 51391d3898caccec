//! Settled states: states of the monitor from which the error is unreachable.
//!
//! Once the monitor is settled (`p W q`, after `q`), nothing that follows changes the verdict. For
//! a verdict, a run may end there. For a requirement it may not: a requirement depends on the
//! contexts in which states of the module are reached, including settled ones.
//!
//! For example, ten classes remain to be explored of *SW 6/3/A* (a message that is delivered has been
//! sent; `models/case_studies`).

use resy_automata::lts::LtsBuilder;
use resy_automata::network::Monitor;
use resy_certificate::dangerous;

/// The monitor without transitions into settled states: it blocks there, and no run into the error
/// is lost.
pub(crate) fn until_settled(monitor: &Monitor) -> Monitor {
    let dangerous = dangerous(&monitor.lts, monitor.error);
    if dangerous.iter().all(|&is_dangerous| is_dangerous) {
        return monitor.clone();
    }
    let mut builder = LtsBuilder::with_states(monitor.lts.n_states());
    for (source, label, target) in monitor.lts.transitions() {
        if dangerous[resy_index::Id::index(target)] {
            builder.add_transition(source, label, target);
        }
    }
    let lts = builder.finish(monitor.lts.initial(), monitor.lts.alphabet().clone());
    Monitor { lts, ..monitor.clone() }
}
