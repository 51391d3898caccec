//! The system as a graph: whether the product has a violating cycle is decided without storing the product.
//!
//! A depth-first search of the product meets a state of the system once for each state of the automaton that it is reached
//! with, has an order that threads cannot share, and waits for the memory at each state. Here the system is visited
//! breadth-first, by one or several threads ([`explore`]), and each of its states is stored and expanded once, with the set of
//! states of the automaton that are reached with it ([`graph`]). What an automaton does depends on a few facts of a state
//! ([`reading`]). If the marks of no component of the automaton are met, there is no violation. Otherwise cycles are searched
//! for in numbers ([`components`]). Edges are kept only where that search may need them, and found again if it was not known
//! that it does.
//!
//! Weak fairness is a bit for each process. Strong fairness: without a violation under weak fairness there is none. The graph
//! can only exclude violations: the run to show is that of the depth-first search of the product, which has waited meanwhile
//! and goes on. They take [turns](super::turns), so that a violation that is near is found although there are more states than
//! anybody can visit.

mod chunk;
mod components;
mod edges;
mod explore;
mod graph;
mod kinds;
mod numbers;
mod reading;

pub(super) use explore::SystemExplorers;
pub(super) use reading::AT_LABEL;

use super::Stopped;
use super::edge_bits::EdgeBits;
use super::turns::{Look, VisitedExtent};
use components::Undecided;

/// Whether all states are visited and none is on a violating cycle; `false` if there is a violation, or if the graph cannot
/// tell.
pub(super) fn exclude_cycles(
    explorers: &mut SystemExplorers<'_>,
    look: &mut Look<'_>,
) -> Result<bool, Stopped> {
    let extent = explorers.extent();
    let (flat, Some(lead), graph) = explorers.parts() else { return Ok(false) };
    let extent = VisitedExtent { memory: flat.memory(), ..extent };
    if graph.wanted == 0 {
        return Ok(true);
    }
    let most = EdgeBits::most(graph.condition.marks);
    if lead.bits.is_fair() && lead.product.most_processes() > most {
        return Ok(false);
    }
    match components::has_cycle(flat, lead, graph, extent, look) {
        Ok(has_cycle) => Ok(!has_cycle),
        Err(Undecided::Stopped(stopped)) => Err(stopped),
        Err(Undecided::TooLarge) => Ok(false),
    }
}
