//! Rounds: several threads decide together whether there is a violation.
//!
//! A depth-first search has an order that threads cannot share. Here the product is searched breadth-first by all
//! threads ([`explore`]), the part of it that may have violating cycles becomes a [`graph`], and states are taken out of
//! it in rounds until nothing changes ([`survivors`]). What survives has a violating cycle, and there is one iff
//! something survives. These are the rounds of DiVinE's OWCTY (Černá and Pelánek, *Distributed explicit fair cycle
//! detection*, 2003) with sets of marks in the place of one mark, so that weak fairness is marks here too.
//!
//! The run to show is still that of one thread: the depth-first search has waited meanwhile, and goes on. It takes turns
//! with the rounds, so that a violation that is near is found although there are more states than anybody can visit.
//! Strong fairness: without a violation under weak fairness there is none, otherwise the search goes on.

mod explore;
mod graph;
mod survivors;

pub(super) use explore::{HowFar, ProductExplorers};
pub(super) use graph::{EdgeBits, NOWHERE, Places};

use super::Stopped;
use graph::CycleGraph;

/// The size of what threads have done so far.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct VisitedExtent {
    pub states: usize,
    pub waiting: usize,
    pub transitions: u64,
    pub depth: u64,
    pub memory: usize,
}

/// Asks whether a limit is reached.
pub(super) type Look<'l> = dyn FnMut(VisitedExtent) -> Result<(), Stopped> + 'l;

/// Whether all states are visited and none is on a violating cycle; `false` if there is a violation, or if rounds
/// cannot tell.
pub(super) fn exclude_cycles(
    explorers: &mut ProductExplorers<'_>,
    look: &mut Look<'_>,
) -> Result<bool, Stopped> {
    let wanted = explorers.accepting();
    if !wanted.contains(&true) {
        return Ok(true);
    }
    let Some(graph) = CycleGraph::build(explorers, &wanted, look)? else { return Ok(false) };
    let extent = explorers.extent();
    let memory = extent.memory + graph.memory();
    let n = survivors::count(&graph, explorers.pool(), &mut || {
        look(VisitedExtent { memory, ..extent })
    })?;
    Ok(n == 0)
}
