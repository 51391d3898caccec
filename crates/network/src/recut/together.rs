//! Variables that one process reads together.
//!
//! A process that asserts something about the sum of two variables has one label for each pair of values, and each label
//! has transitions in three components. If the process owns both variables, there is no label, but a local state for
//! each pair, which costs a tenth.

use crate::closure::Closure;
use crate::cut::support::Item;
use crate::cut::{Cut, PartId};
use crate::step::request::{Reply, Request};
use resy_system::Cell;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// A variable with fewer values does not make the labels many.
const MANY_VALUES: usize = 64;

/// The process whose labels are most of all, and the shared variables of which it reads very many values. `None` if it would
/// have more local states than `most` with them, or if this is not why there are many labels.
pub(super) fn read_together(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    most: usize,
) -> Option<(PartId, Vec<Cell>)> {
    let mut n_labels: FxHashMap<PartId, usize> = FxHashMap::default();
    closure.classes.iter().for_each(|class| *n_labels.entry(class.part).or_default() += 1);
    let (part, n) = n_labels.into_iter().max_by_key(|&(part, n)| (n, Reverse(part)))?;
    cut.parts[part].process.filter(|_| n > closure.classes.len() / 10 * 9)?;
    let mut values: FxHashMap<Cell, FxHashSet<i32>> = FxHashMap::default();
    for class in closure.classes.iter().filter(|class| class.part == part) {
        for exchange in class.log.iter() {
            if let (Request::Load(cell), Reply::Number(value)) =
                (&exchange.request, &exchange.reply)
            {
                values.entry(*cell).or_default().insert(*value);
            }
        }
    }
    values.retain(|cell, values| values.len() > MANY_VALUES && is_shared(cut, *cell));
    let n_locations = closure.tables[part].states.len();
    let n_states = values.values().fold(n_locations, |n, values| n.saturating_mul(values.len()));
    let mut cells: Vec<Cell> = values.into_keys().collect();
    cells.sort_unstable();
    (cells.len() > 1 && n_states <= most).then_some((part, cells))
}

/// Whether a cell is a variable of several processes, which any of them could own.
fn is_shared(cut: &Cut<'_>, cell: Cell) -> bool {
    matches!(cell, Cell::Global(_)) && cut.users.contains_key(&Item::Cell(cell))
}
