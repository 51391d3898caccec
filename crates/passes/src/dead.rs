//! Dead variables: a value that is not read again is reset.
//!
//! Two states that differ only in such values have the same future. On arrival at a location, the process's
//! cells that may have been written, and that no path from there reads before it writes them, are set to 0
//! ([`Edge::resets`](resy_system::Edge::resets)). This is a quotient by a bisimulation, so that every
//! property is preserved.
//!
//! Variables that others read by remote references are not reset, nor those of a `provided` clause (it is
//! read at every location), nor channels that are created with the frame. A process that has not moved yet
//! still has its initial values: if a variable were 5 there and 0 on return, there would be one state more
//! than before. A variable that is dead at the start therefore loses its initial value as well; where that
//! is impossible (a parameter, a value that another one is computed from), it is not reset.

use crate::bits::extend;
use crate::live::{add_read, live, written};
use crate::observed::{Observed, Visible};
use crate::range::has_value;
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{CellInit, LocationId, Proctype, ProctypeId, System};

/// The system in which dead variables are reset.
pub fn reset_dead(system: &System, visible: &Visible) -> System {
    reset_dead_while(system, visible, &mut || true).expect("nothing ends it")
}

/// Like [`reset_dead`]; `None` if `go_on` ends the computation.
pub fn reset_dead_while(
    system: &System,
    visible: &Visible,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<System> {
    let observed = Observed::of(system, visible);
    let mut out = system.clone();
    for id in system.proctypes.ids() {
        reset_in(&mut out.proctypes[id], id, &observed, go_on)?;
    }
    Some(out)
}

fn reset_in(
    proctype: &mut Proctype,
    id: ProctypeId,
    observed: &Observed,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<()> {
    let live = live(proctype, &always_live(proctype, id, observed), go_on)?;
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
    let dirty = dirty(proctype, &dead, go_on)?;
    let n_cells = proctype.frame.cells.len();
    for at in proctype.edges.ids() {
        for edge in &mut proctype.edges[at] {
            let Some(target) = edge.target else { continue };
            let mut resets = dirty[at].clone();
            resets.union_with(&written(&edge.command, n_cells));
            resets.intersect_with(&dead[target]);
            edge.resets = resets.ones().map(|c| c as u32).collect();
        }
        if !go_on() {
            return None;
        }
    }
    Some(())
}

/// The cells that are read at every location, or must be kept for another reason.
pub(crate) fn always_live(proctype: &Proctype, id: ProctypeId, observed: &Observed) -> FixedBitSet {
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

/// The cells that may be reset: some command writes them, and they can be 0 at the start if they are dead
/// there.
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

/// The cells that may differ from 0 at a location, with the resets.
fn dirty(
    proctype: &Proctype,
    dead: &IndexVec<LocationId, FixedBitSet>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<IndexVec<LocationId, FixedBitSet>> {
    let n_cells = proctype.frame.cells.len();
    let mut dirty: IndexVec<LocationId, FixedBitSet> =
        dead.iter().map(|_| FixedBitSet::with_capacity(n_cells)).collect();
    (0..n_cells).for_each(|c| dirty[proctype.start].insert(c));
    let mut open: Vec<LocationId> = proctype.edges.ids().collect();
    while let Some(at) = open.pop() {
        if !go_on() {
            return None;
        }
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
    Some(dirty)
}
