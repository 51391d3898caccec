//! The symmetry in terms of the state: what every cell is.

use super::Symmetry;
use super::find::{Choice, bound, ids};
use super::places::{FramePlaces, Places};
use super::resets::{dead, forget_at_ends};
use super::roles::{AxisRole, CellRole, FrameRoles, IdSort, ProcessRoles, SortId, ValueRole};
use super::sorts::{PlaceId, Sorts};
use super::start::ends;
use crate::observed::{Observed, Visible};
use resy_index::{Id, IndexVec};
use resy_system::{CellInit, CellType, Frame, System};
use std::collections::BTreeMap;

/// The symmetry in terms of the state; `None` if there is nothing to exchange.
pub(super) fn assemble(
    system: &mut System,
    visible: &Visible,
    sorts: &Sorts,
    places: &Places,
    choice: Choice,
) -> Option<Symmetry> {
    let mut chosen: BTreeMap<PlaceId, SortId> = BTreeMap::new();
    let mut all: IndexVec<SortId, IdSort> = IndexVec::new();
    for root in sorts.roots() {
        let facts = sorts.facts(root);
        let owners = choice.owners.iter().filter(|(_, place, _)| *place == root);
        let owners: Vec<_> = owners.map(|&(id, _, key)| (id, key)).collect();
        let is_data = facts.pids.is_empty() && facts.len.is_some() && facts.n_places > 0;
        let is_blocked = facts.plain.is_some() || facts.is_chan;
        if is_blocked || owners.is_empty() && !is_data || ids(sorts, root).nth(1).is_none() {
            continue;
        }
        chosen.insert(root, SortId::from_index(all.len()));
        all.push(IdSort {
            bound: bound(sorts, root),
            named: facts.named.clone(),
            holds: facts.is_uneven.then_some((facts.least, facts.greatest)),
            owners,
        });
    }
    if all.is_empty() {
        return None;
    }
    forget_at_ends(system, &choice.owners);
    let context = Context { sorts, chosen };
    let observed = Observed::of(system, visible);
    let mut processes = IndexVec::new();
    for (id, proctype) in system.proctypes.iter_enumerated() {
        let frame = context.frame(&proctype.frame, &places.locals[id]);
        let dead = dead(proctype, id, &observed, &frame, &mut all);
        let settled = choice.settled[id].clone();
        processes.push(ProcessRoles { frame, settled, dead, ends: ends(proctype) });
    }
    let globals = context.frame(&system.globals, &places.globals);
    Some(Symmetry { sorts: all, globals, processes })
}

/// What is needed to say what a cell is.
struct Context<'a> {
    sorts: &'a Sorts,
    chosen: BTreeMap<PlaceId, SortId>,
}

impl Context<'_> {
    fn sort(&self, place: PlaceId) -> Option<SortId> {
        self.chosen.get(&self.sorts.root(place)).copied()
    }

    fn value(&self, place: PlaceId, ty: CellType) -> ValueRole {
        match self.sort(place) {
            _ if ty == CellType::Chan => ValueRole::Channel,
            Some(sort) => ValueRole::Id(sort),
            None => ValueRole::Plain,
        }
    }

    fn frame(&self, frame: &Frame, places: &FramePlaces) -> FrameRoles {
        let cell = |(cell, &ty): (usize, &CellType)| {
            let value = self.value(places.values[cell], ty);
            let array = places.array_of[cell].map(|i| &places.arrays[i]);
            let axes = array.and_then(|array| {
                let indices = array.indices(cell as u32)?;
                let axes =
                    array.axes.iter().zip(indices).filter_map(|(&(_, stride, axis), index)| {
                        Some(AxisRole { sort: self.sort(axis)?, index, stride })
                    });
                Some(axes.collect())
            });
            CellRole { value, axes: axes.unwrap_or_default() }
        };
        let channels = frame.init.iter().filter_map(|init| {
            let CellInit::Channel(cell, _) = init else { return None };
            let fields = &self.sorts.facts(places.values[*cell as usize]).fields;
            let role = |&field: &PlaceId| {
                let is_chan = self.sorts.facts(field).is_chan;
                self.value(field, if is_chan { CellType::Chan } else { CellType::Int })
            };
            Some((*cell, fields.iter().map(role).collect()))
        });
        let cells = frame.cells.iter().enumerate().map(cell).collect();
        FrameRoles { cells, channels: channels.collect() }
    }
}
