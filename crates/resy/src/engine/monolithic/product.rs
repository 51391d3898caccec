//! The search of all states of a network: the product of its components.

use super::{NAME, Rivals};
use crate::control::Control;
use crate::counterexample::Counterexample;
use crate::engine::{Account, Stats};
use crate::verdict::{Answer, Evidence, Reason, Verdict};
use resy_automata::network::Network;
use resy_automata::product::{Safety, oldest_first, reaches_error_while};
use resy_system::Property;
use std::sync::atomic::Ordering;

/// Larger products are left to the other engines.
const MAX_STATES: usize = 50_000_000;

/// The control is asked after this many states.
const ASK_EVERY: usize = 1024;

/// Explores the product, breadth-first.
pub(super) fn explore(
    network: &Network,
    control: &Control,
    rivals: Option<&dyn Rivals>,
) -> Account {
    let (mut stats, mut n_asked) = (Stats::default(), 0_usize);
    let found = reaches_error_while(network, oldest_first, |n_states| {
        (stats.states, n_asked) = (n_states as u64, n_asked + 1);
        if n_asked % ASK_EVERY != 1 {
            return n_states <= MAX_STATES;
        }
        rivals.iter().for_each(|rivals| rivals.offer());
        let is_stopped = control.stop_flag().load(Ordering::Relaxed);
        n_states <= MAX_STATES && !is_stopped && control.product(n_states)
    });
    let (verdict, seen) = match found {
        Some(Safety::Safe { n_states, n_transitions }) => {
            (stats.states, stats.transitions) = (n_states as u64, n_transitions as u64);
            let evidence = Evidence::Coverage { states: n_states as u64 };
            (Verdict::Holds(evidence), "All reachable states of the product were visited.")
        }
        Some(Safety::Trace(steps)) => {
            let counterexample = Counterexample::of_network(network, &steps)
                .expect("the product takes only steps that its components can take");
            stats.depth = steps.len() as u64;
            let seen = "Not everything: it was enough to find a run into the error state.";
            (Verdict::Fails(counterexample), seen)
        }
        Some(Safety::TooLarge(_)) | None => {
            let too_large = || format!("the product has more than {MAX_STATES} states");
            let reason = match control.exceeded() {
                Some(stop) => Reason::Stopped(stop),
                None => Reason::OutOfReach(too_large()),
            };
            let seen = "Not all reachable states of the product were visited.";
            (Verdict::Unknown(reason), seen)
        }
    };
    stats.elapsed = control.elapsed();
    let answers = vec![Answer { property: Property::Monitor, verdict, engine: NAME }];
    let how = format!("all {} states of the product", stats.states);
    Account { answers, stats, seen, how, network: Some(network.clone()), ..Account::default() }
}
