//! The start of a system: the locations from which a process may still create others.

use resy_index::IndexVec;
use resy_system::{Command, Edge, Expr, LocationId, Proctype};

/// The locations from which no `run` can be reached.
pub(super) fn settled(proctype: &Proctype) -> IndexVec<LocationId, bool> {
    let mut settled: IndexVec<LocationId, bool> =
        proctype.edges.iter().map(|edges| !edges.iter().any(creates)).collect();
    loop {
        let mut changed = false;
        for (at, edges) in proctype.edges.iter_enumerated() {
            if settled[at] && edges.iter().filter_map(|e| e.target).any(|to| !settled[to]) {
                settled[at] = false;
                changed = true;
            }
        }
        if !changed {
            return settled;
        }
    }
}

/// The locations that a process can reach, as far as its control flow tells.
pub(super) fn reachable(proctype: &Proctype) -> IndexVec<LocationId, bool> {
    let mut reached: IndexVec<LocationId, bool> = proctype.edges.iter().map(|_| false).collect();
    let mut open = vec![proctype.start];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            open.extend(proctype.edges[at].iter().filter_map(|e| e.target));
        }
    }
    reached
}

/// The locations at which a process can only end.
pub(super) fn ends(proctype: &Proctype) -> IndexVec<LocationId, bool> {
    let is_end = |edges: &Vec<Edge>| {
        !edges.is_empty() && edges.iter().all(|e| matches!(e.command, Command::Exit))
    };
    proctype.edges.iter().map(is_end).collect()
}

fn creates(edge: &Edge) -> bool {
    let mut found = false;
    edge.command.walk(&mut |e| found |= matches!(e, Expr::Run { .. }));
    found
}
