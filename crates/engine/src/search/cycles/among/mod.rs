//! Several hosts decide together whether there is a violation.
//!
//! As with [threads](super::rounds), the product is visited breadth-first, what may have violating cycles becomes a graph,
//! and states are taken out of it in rounds. Each state belongs to the host that a hash names, which stores it and
//! has its edges. Hosts do the same steps at the same time: each does what it can alone, and then all
//! [exchange](crate::search::workers::exchange) what belongs to others, until nobody has anything to do.
//!
//! The depth-first search of each host takes turns with that. It is the same search on all hosts, so that they agree when
//! its turn is over, and all have the same run if there is a violation.

mod ask;
mod explore;
mod graph;
mod places;
mod survivors;

pub(super) use explore::HostExplorers;

use super::Stopped;
use super::turns::{Look, VisitedExtent};
use graph::SharedGraph;

/// Whether all states are visited and none is on a violating cycle; `false` if there is a violation, or if the hosts
/// cannot tell.
fn exclude_cycles(explorers: &mut HostExplorers<'_>, look: &mut Look<'_>) -> Result<bool, Stopped> {
    let wanted = explorers.accepting(look)?;
    if !wanted.contains(&true) {
        return Ok(true);
    }
    let Some(graph) = SharedGraph::build(explorers, &wanted, look)? else { return Ok(false) };
    let extent = explorers.extent();
    let memory = extent.memory + graph.memory();
    let mut look = || look(VisitedExtent { memory, ..extent });
    let n = survivors::count(&graph, explorers.exchange(), &mut look)?;
    Ok(n == 0)
}
