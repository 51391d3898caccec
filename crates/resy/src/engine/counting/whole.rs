//! The components that a count depends on, by a guess: refinement does not abstract them.
//!
//! A path to the error is followed from its start, so that refinement would first learn why the process can move at all,
//! component by component, before it learns what stops it. In a ring or a chain that is all of them.

use crate::problem::{Problem, Source};
use resy_automata::counting::Counting;
use resy_automata::lts::StateId;
use resy_automata::network::ComponentId;
use std::collections::{BTreeMap, BTreeSet};

/// The product of what is not abstracted has at most this many states.
const MAX_STATES: usize = 10_000;

/// Processes are those that change the propositions if there are no more.
const FEW: usize = 4;

/// The places of these components among the parts of the environment: the process itself, what it shares with processes
/// that are taken after it, and the processes that alone establish what the property asks for.
pub(super) fn of(problem: &Problem<'_>, counting: &Counting<'_>, process: usize) -> Vec<usize> {
    let Some(Source { cut, components }) = &problem.source else { return Vec::new() };
    let drivers = &components.drivers;
    let shared = |id: ComponentId| {
        let alphabet = problem.network.components[id].lts.alphabet();
        let any = |is: &dyn Fn(usize) -> bool| alphabet.iter().filter_map(|a| drivers[a]).any(is);
        any(&|driver| driver == process) && any(&|driver| counting.is_after(driver, process))
    };
    let few = establishing(counting);
    let rank = |id: ComponentId| match cut.parts[components.parts[id]].process {
        Some(pid) if pid == process => Some(0),
        Some(pid) if few.contains(&pid) => Some(1),
        None if shared(id) => Some(2),
        _ => None,
    };
    let parts = problem.split.environment.iter().enumerate();
    let ranked = parts.filter_map(|(place, part)| match part.components[..] {
        [id] => Some((rank(id)?, part.lts.n_states(), place)),
        _ => None,
    });
    let mut ranked: Vec<(usize, usize, usize)> = ranked.collect();
    ranked.sort_unstable();
    let mut n_states = 1_usize;
    ranked.retain(|(_, states, _)| {
        let fits = n_states.saturating_mul(*states) <= MAX_STATES;
        n_states *= if fits { *states } else { 1 };
        fits
    });
    ranked.into_iter().map(|(_, _, place)| place).collect()
}

/// The processes that lead into a valuation, for each that few processes lead into.
fn establishing(counting: &Counting<'_>) -> BTreeSet<usize> {
    let mut into: BTreeMap<StateId, BTreeSet<usize>> = BTreeMap::new();
    for (_, label, to) in counting.tracker.transitions().filter(|(from, _, to)| from != to) {
        let driver = label.action().and_then(|action| counting.movers[action]);
        into.entry(to).or_default().extend(driver);
    }
    into.into_values().filter(|processes| processes.len() <= FEW).flatten().collect()
}
