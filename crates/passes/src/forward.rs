//! Steps that lead forward in the text of a process, so that no cycle consists of them.
//!
//! The locations of a proctype are numbered in reverse postorder. A cycle of locations has an edge that does not lead
//! to a greater number. A process that comes back to its location has therefore taken a step that leads back.

use crate::view::StateView;
use resy_index::IndexVec;
use resy_system::{LocationId, Proctype, ProctypeId, System};

/// For every location, whether all steps from there lead forward.
pub struct Forward(IndexVec<ProctypeId, IndexVec<LocationId, bool>>);

impl Forward {
    /// Numbers the locations of a system.
    pub fn of(system: &System) -> Self {
        Self(system.proctypes.iter().map(leads_on).collect())
    }

    /// Whether all steps of a process lead forward.
    pub fn leads_on(&self, view: &impl StateView, pid: usize) -> bool {
        let (proctype, location) = view.process(pid);
        self.0[proctype][location]
    }
}

fn leads_on(proctype: &Proctype) -> IndexVec<LocationId, bool> {
    let position = positions(proctype);
    let here = |at: LocationId| {
        let targets = proctype.edges[at].iter().filter_map(|edge| edge.target);
        targets.into_iter().all(|target| position[target] > position[at])
    };
    let mut leads_on: IndexVec<LocationId, bool> = proctype.edges.ids().map(here).collect();
    // A step goes on inside an `atomic`. There it leads forward too, so that this ends.
    loop {
        let stops = |at: LocationId| {
            let inside = proctype.edges[at].iter().filter(|edge| edge.atomic);
            inside.filter_map(|edge| edge.target).any(|target| !leads_on[target])
        };
        let stop = leads_on.ids().filter(|&at| leads_on[at]).find(|&at| stops(at));
        match stop {
            Some(at) => leads_on[at] = false,
            None => return leads_on,
        }
    }
}

/// The position of each location in reverse postorder; unreachable ones are last.
fn positions(proctype: &Proctype) -> IndexVec<LocationId, usize> {
    let n = proctype.edges.len();
    let mut position: IndexVec<LocationId, usize> = proctype.edges.ids().map(|_| n).collect();
    let mut is_met: IndexVec<LocationId, bool> = proctype.edges.ids().map(|_| false).collect();
    let (mut next, mut path) = (n, vec![(proctype.start, 0)]);
    is_met[proctype.start] = true;
    while let Some((at, edge)) = path.last_mut() {
        let at = *at;
        let Some(taken) = proctype.edges[at].get(*edge) else {
            next -= 1;
            position[at] = next;
            path.pop();
            continue;
        };
        *edge += 1;
        if let Some(target) = taken.target.filter(|&target| !is_met[target]) {
            is_met[target] = true;
            path.push((target, 0));
        }
    }
    position
}
