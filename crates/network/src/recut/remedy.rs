//! What can be changed in a cut if a component grows too large.

use super::too_large::n_values;
use crate::closure::{Closure, Overrun};
use crate::cut::own::Manner;
use crate::cut::support::Item;
use crate::cut::{Cut, Home, PartId, Role, SharedCounter};
use resy_system::Cell;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A shared variable with more values is given to its only writer, if it has one.
pub(super) const MANY_VALUES: usize = 64;

/// A channel with more contents is split into pieces.
const MANY_CONTENTS: usize = 1_000;

/// A process with more local states loses a variable, if it has one.
pub(super) const MANY_STATES: usize = 40_000;

/// A counter is not split if a share exceeds this value: its values would all occur in labels.
const LARGE_SHARE: u32 = 4;

/// A change of the cut for a component that grows too large.
pub(super) enum Remedy {
    /// Split the channel into pieces.
    Cut(usize),
    /// Give the item to its only writer.
    Give(Item, usize),
    /// Split the counter into shares of its writers.
    Share(Cell),
    /// Undo the split of the counter at this position of the list.
    Unshare(usize),
    /// Undo the transfer at this position of the list.
    TakeBack(usize),
    /// Make these cells of a process components of their own.
    Part(PartId, Vec<Cell>),
    /// Let the component grow up to the budget.
    GoOn(PartId),
}

/// The smaller limits under which variables that could be given to their only writer, channels that
/// could be split, and processes that could lose a variable are tried.
pub(super) fn limits(
    cut: &Cut<'_>,
    kept: &FxHashSet<Item>,
    bare: &FxHashSet<PartId>,
) -> FxHashMap<PartId, usize> {
    let limited = cut.parts.iter_enumerated().filter_map(|(part, described)| {
        if described.process.is_some() && !bare.contains(&part) {
            return Some((part, MANY_STATES));
        }
        let item = only_item(cut, part).filter(|item| !kept.contains(item))?;
        match item {
            Item::Channel(_) => Some((part, MANY_CONTENTS)),
            Item::Cell(cell) if cut.is_counter(cell) => Some((part, MANY_VALUES)),
            _ => only_writer(cut, item).map(|_| (part, MANY_VALUES)),
        }
    });
    limited.collect()
}

/// The only item of a component that is one shared variable or channel.
fn only_item(cut: &Cut<'_>, id: PartId) -> Option<Item> {
    let part = &cut.parts[id];
    match (part.process, part.role, &part.cells[..], &part.channels[..]) {
        (None, Role::Plain, [cell], []) => Some(Item::Cell(*cell)),
        (None, Role::Plain, [], [chan]) => Some(Item::Channel(*chan)),
        _ => None,
    }
}

/// Whether some share of a counter is large. `n_seen` has the number of local states that were seen before, for
/// each share.
pub(super) fn has_large_share(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    sum: &SharedCounter,
    n_seen: &mut FxHashMap<Cell, usize>,
) -> bool {
    sum.shares.iter().any(|&share| match cut.home(share) {
        Home::At(part, position) => {
            let table = &closure.tables[part];
            let n_before = n_seen.insert(share, table.states.len()).unwrap_or(0);
            let new = table.states[n_before..].iter();
            let mut values = new.map(|&s| table.value(s)[position as usize]);
            values.any(|value| value.unsigned_abs() > LARGE_SHARE)
        }
        _ => false,
    })
}

/// The only process that writes an item.
pub(super) fn only_writer(cut: &Cut<'_>, item: Item) -> Option<usize> {
    match cut.users.get(&item)?.writers[..] {
        [pid] => Some(pid),
        _ => None,
    }
}

/// What to change for a component that has exceeded one of these limits.
pub(super) fn remedy(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    overrun: &Overrun,
    limits: &FxHashMap<PartId, usize>,
    manner: &Manner,
) -> Option<Remedy> {
    let Overrun::States(part) = *overrun else {
        return None;
    };
    limits.get(&part)?;
    match (cut.parts[part].process, only_item(cut, part)) {
        (Some(pid), _) => {
            let given = manner.given.iter().rposition(|&(_, owner)| owner == pid);
            let shared = manner.sums.iter().rposition(|&counter| {
                let counts = |cell: &Cell| cut.counter_of(*cell) == Some(counter);
                cut.parts[part].cells.iter().any(counts)
            });
            let cells = || largest_variable(cut, closure, part);
            Some(match (given, shared) {
                (Some(position), _) => Remedy::TakeBack(position),
                (None, Some(position)) => Remedy::Unshare(position),
                (None, None) => match cells() {
                    Some(cells) => Remedy::Part(part, cells),
                    None => Remedy::GoOn(part),
                },
            })
        }
        (None, Some(Item::Channel(chan))) => Some(Remedy::Cut(chan)),
        (None, Some(Item::Cell(cell))) if cut.is_counter(cell) => Some(Remedy::Share(cell)),
        (None, Some(item)) => Some(Remedy::Give(item, only_writer(cut, item)?)),
        (None, None) => None,
    }
}

/// The cells of the variable that multiplies a process's states the most. Several variables at once
/// would be too many: every step that reads them would have a label for each combination of values.
fn largest_variable(cut: &Cut<'_>, closure: &Closure<'_>, part: PartId) -> Option<Vec<Cell>> {
    let mut variables: BTreeMap<(bool, u32), (f64, Vec<Cell>)> = BTreeMap::new();
    for (count, item) in n_values(cut, closure, part) {
        if let Item::Cell(cell) = item
            && count > 1
        {
            let (is_global, offset) = match cell {
                Cell::Global(offset) => (true, offset),
                Cell::Local(_, offset) => (false, offset),
            };
            let first = cut.variable(cell).map_or(offset, |variable| variable.offset);
            let (size, cells) = variables.entry((is_global, first)).or_default();
            *size += (count as f64).ln();
            cells.push(cell);
        }
    }
    let largest = variables.into_values().max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map(|(_, cells)| cells)
}
