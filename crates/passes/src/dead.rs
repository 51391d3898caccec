//! Dead variables: a value that nobody reads any more is forgotten.
//!
//! Two states that differ only in such values have the same future. On arrival at a location, the
//! process's cells that were perhaps written, and that no path from there reads before it writes
//! them, become 0 ([`Edge::resets`](resy_system::Edge::resets)). This is a quotient by a bisimulation, so that
//! every property is kept.
//!
//! Not reset are variables that others read by remote references, those of a `provided` clause (it is
//! read at every location), and channels that come with the frame. A process that has not
//! moved yet still has its first values: were a variable 5 there and 0 on return, there would be a state
//! more than before. Hence a variable that is dead at the start loses its first value as well; where it
//! cannot (a parameter, a value that another one is computed from), it is left alone.

use crate::bits::extend;
use crate::live::{add_read, live, written};
use crate::observed::{Observed, Visible};
use crate::range::has_value;
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{CellInit, LocationId, Proctype, ProctypeId, System};

/// The system in which dead variables are 0.
pub fn reset_dead(system: &System, visible: &Visible) -> System {
    let observed = Observed::of(system, visible);
    let mut out = system.clone();
    for id in system.proctypes.ids() {
        reset_in(&mut out.proctypes[id], id, &observed);
    }
    out
}

fn reset_in(proctype: &mut Proctype, id: ProctypeId, observed: &Observed) {
    let live = live(proctype, &always_live(proctype, id, observed));
    let candidates = candidates(proctype, &live[proctype.start]);
    forget_first_values(proctype, &candidates, &live[proctype.start]);
    let dead: IndexVec<LocationId, FixedBitSet> = live
        .iter()
        .map(|live| {
            let mut dead = candidates.clone();
            dead.difference_with(live);
            dead
        })
        .collect();
    let dirty = dirty(proctype, &dead);
    let n_cells = proctype.frame.cells.len();
    for at in proctype.edges.ids() {
        for edge in &mut proctype.edges[at] {
            let Some(target) = edge.target else { continue };
            let mut resets = dirty[at].clone();
            resets.union_with(&written(&edge.command, n_cells));
            resets.intersect_with(&dead[target]);
            edge.resets = resets.ones().map(|c| c as u32).collect();
        }
    }
}

/// The cells that are read at every location, or must stay for another reason.
fn always_live(proctype: &Proctype, id: ProctypeId, observed: &Observed) -> FixedBitSet {
    let mut always = observed.cells[id].clone();
    if let Some(provided) = &proctype.provided {
        provided.walk(&mut |e| add_read(e, &mut always));
    }
    for init in &proctype.frame.init {
        if let CellInit::Channel(cell, _) = init {
            always.insert(*cell as usize);
        }
    }
    always
}

/// The cells that are worth a reset: some command writes them, and they can be 0 at the start
/// if they are dead there.
fn candidates(proctype: &Proctype, live_at_start: &FixedBitSet) -> FixedBitSet {
    let n_cells = proctype.frame.cells.len();
    let mut set = FixedBitSet::with_capacity(n_cells);
    for edge in proctype.edges.iter().flatten() {
        set.union_with(&written(&edge.command, n_cells));
    }
    let mut stuck: Vec<usize> = (0..proctype.frame.n_params as usize).collect();
    for init in &proctype.frame.init {
        let CellInit::Value(cell, expr) = init else { continue };
        if !has_value(expr) {
            stuck.push(*cell as usize);
        }
        let mut read = FixedBitSet::with_capacity(n_cells);
        expr.walk(&mut |e| add_read(e, &mut read));
        stuck.extend(read.ones());
    }
    stuck.into_iter().filter(|&c| !live_at_start.contains(c)).for_each(|c| set.remove(c));
    set
}

fn forget_first_values(
    proctype: &mut Proctype,
    candidates: &FixedBitSet,
    live_at_start: &FixedBitSet,
) {
    let forget = |cell: usize| candidates.contains(cell) && !live_at_start.contains(cell);
    proctype.frame.init.retain(|init| match init {
        CellInit::Value(cell, _) => !forget(*cell as usize),
        CellInit::Channel(..) => true,
    });
}

/// The cells that may be other than 0 at a location, once resets are made.
fn dirty(
    proctype: &Proctype,
    dead: &IndexVec<LocationId, FixedBitSet>,
) -> IndexVec<LocationId, FixedBitSet> {
    let n_cells = proctype.frame.cells.len();
    let mut dirty: IndexVec<LocationId, FixedBitSet> =
        dead.iter().map(|_| FixedBitSet::with_capacity(n_cells)).collect();
    (0..n_cells).for_each(|c| dirty[proctype.start].insert(c));
    let mut open: Vec<LocationId> = proctype.edges.ids().collect();
    while let Some(at) = open.pop() {
        for edge in &proctype.edges[at] {
            let Some(target) = edge.target else { continue };
            let mut after = dirty[at].clone();
            after.union_with(&written(&edge.command, n_cells));
            after.difference_with(&dead[target]);
            if extend(&mut dirty[target], &after) {
                open.push(target);
            }
        }
    }
    dirty
}
