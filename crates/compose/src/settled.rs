//! What is settled need not be looked at.
//!
//! Once the monitor cannot err any more (`p W q`, after `q`), nothing that happens changes the verdict. For whoever
//! only wants the verdict, a run ends there. A requirement is another matter: it says in which contexts states of the
//! module are reached, and those where all is settled count.

use resy_automata::lts::LtsBuilder;
use resy_automata::network::Monitor;
use resy_certificate::dangerous;

/// The monitor without transitions into states from which it cannot err: there it blocks, and no run into the error is
/// lost.
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
