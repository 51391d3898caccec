//! Variables that hold no id for the moment: dead ones that were reset, and those that nothing has written yet.

use super::roles::{FrameRoles, IdSort, OwnerKey, SortId, ValueRole};
use super::sorts::PlaceId;
use super::start::ends;
use crate::dead::always_live;
use crate::live::{live, written};
use crate::observed::Observed;
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{CellInit, Edge, Expr, LocationId, Proctype, ProctypeId, System};

/// Processes that are exchanged lose all values but their number on the way to their end.
pub(super) fn forget_at_ends(system: &mut System, owners: &[(ProctypeId, PlaceId, OwnerKey)]) {
    for &(id, _, key) in owners {
        let proctype = &mut system.proctypes[id];
        let ends = ends(proctype);
        let is_key = |cell: &u32| key == OwnerKey::Cell(*cell);
        let n_cells = proctype.frame.cells.len() as u32;
        for edge in proctype.edges.iter_mut().flatten() {
            if edge.target.is_some_and(|target| ends[target]) {
                edge.resets = (0..n_cells).filter(|cell| !is_key(cell)).collect();
            }
        }
    }
}

/// The cells that are reset whenever they die or are written in vain, at the locations where they are dead. If a cell is reset and this is not so,
/// it names the id 0.
pub(super) fn dead(
    proctype: &Proctype,
    id: ProctypeId,
    observed: &Observed,
    frame: &FrameRoles,
    sorts: &mut IndexVec<SortId, IdSort>,
) -> IndexVec<LocationId, FixedBitSet> {
    let n_cells = proctype.frame.cells.len();
    let empty = || proctype.edges.iter().map(|_| FixedBitSet::with_capacity(n_cells)).collect();
    let mut reset = FixedBitSet::with_capacity(n_cells);
    let edges = || each(proctype);
    edges().for_each(|(_, edge)| edge.resets.iter().for_each(|&c| reset.insert(c as usize)));
    let always = always_live(proctype, id, observed);
    let Some(live) = live(proctype, &always, &mut || true) else { return empty() };
    let mut dead: IndexVec<LocationId, FixedBitSet> = empty();
    for cell in reset.ones() {
        let ValueRole::Id(sort) = frame.cells[cell].value else { continue };
        let dies = |(at, edge): (LocationId, &Edge)| {
            let after = edge.target.is_some_and(|to| !live[to].contains(cell));
            let resets = edge.resets.contains(&(cell as u32));
            let has_value =
                || live[at].contains(cell) || written(&edge.command, n_cells).contains(cell);
            after && !resets && has_value() || resets && !after
        };
        if edges().any(dies) {
            sorts[sort].named.insert(0);
            continue;
        }
        for (at, live) in live.iter_enumerated().filter(|(_, live)| !live.contains(cell)) {
            debug_assert!(!live.contains(cell));
            dead[at].insert(cell);
        }
    }
    for (cell, role) in frame.cells.iter().enumerate() {
        if matches!(role.value, ValueRole::Id(_)) && !reset.contains(cell) {
            untouched(proctype, cell).into_iter().for_each(|at| dead[at].insert(cell));
        }
    }
    dead
}

/// All edges, with their locations.
fn each(proctype: &Proctype) -> impl Iterator<Item = (LocationId, &Edge)> {
    proctype.edges.iter_enumerated().flat_map(|(at, edges)| edges.iter().map(move |e| (at, e)))
}

/// The locations at which a variable still has its initial constant, which is no id: nothing has written it on the way. None
/// if it may leave them without being written.
fn untouched(proctype: &Proctype, cell: usize) -> Vec<LocationId> {
    let frame = &proctype.frame;
    let is_constant = |init: &CellInit| match init {
        CellInit::Value(c, e) => *c as usize != cell || matches!(e, Expr::Const(_)),
        CellInit::Channel(c, _) => *c as usize != cell,
    };
    if cell < frame.n_params as usize || !frame.init.iter().all(is_constant) {
        return Vec::new();
    }
    let writes = |edge: &Edge| {
        written(&edge.command, frame.cells.len()).contains(cell)
            || edge.resets.contains(&(cell as u32))
    };
    let mut touched: IndexVec<LocationId, bool> = proctype.edges.iter().map(|_| false).collect();
    let all = || each(proctype);
    let mut open: Vec<LocationId> =
        all().filter(|(_, e)| writes(e)).filter_map(|(_, e)| e.target).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut touched[at], true) {
            open.extend(proctype.edges[at].iter().filter_map(|e| e.target));
        }
    }
    let slips = |(at, edge): (LocationId, &Edge)| {
        !touched[at] && !writes(edge) && edge.target.is_some_and(|target| touched[target])
    };
    if all().any(slips) {
        return Vec::new();
    }
    touched.iter_enumerated().filter(|(_, touched)| !**touched).map(|(at, _)| at).collect()
}
