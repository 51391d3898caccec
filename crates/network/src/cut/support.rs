//! What a condition depends on, and what a step has changed.

use crate::cut::{Cut, Home, Part, PartId, Role};
use crate::step::half::Half;
use crate::step::request::Request;
use resy_system::Cell;

/// An item that a condition can depend on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// The value of a cell.
    Cell(Cell),
    /// The contents of a channel.
    Channel(usize),
    /// The location of a process.
    Process(usize),
    /// Which process moved last.
    Last,
}

/// The items that an expression depends on.
#[derive(Clone, Debug, Default)]
pub struct Support {
    /// The items, sorted.
    pub items: Vec<Item>,
    /// Whether it may depend on any item.
    pub all: bool,
}

impl Support {
    /// Whether it depends on one of the items.
    pub fn meets(&self, items: &[Item]) -> bool {
        self.all || items.iter().any(|item| self.items.binary_search(item).is_ok())
    }

    /// Whether it depends on this component only.
    pub fn is_within(&self, cut: &Cut<'_>, part: PartId) -> bool {
        let inside = |item: &Item| match *item {
            Item::Cell(cell) => match cut.home(cell) {
                Home::Constant(_) => true,
                Home::At(owner, _) => owner == part,
                Home::Sum(_) => false,
            },
            Item::Channel(chan) => {
                cut.channels[chan].part == part && cut.channels[chan].ring.is_none()
            }
            Item::Process(pid) => cut.processes[pid] == part,
            Item::Last => cut.last == Some(part),
        };
        !self.all && self.items.iter().all(inside)
    }
}

/// The items that a step has changed: those of the driver whose values differ, and those that it
/// told others to change.
pub fn touched(cut: &Cut<'_>, before: &[i32], half: &Half<'_>) -> Vec<Item> {
    let mut items = Vec::new();
    let layout = items_of(&cut.parts[half.part()], cut);
    for (item, (old, new)) in layout.into_iter().zip(before.iter().zip(&*half.local)) {
        if old != new {
            items.push(item);
        }
    }
    for exchange in &*half.log() {
        match &exchange.request {
            &Request::Store(cell, _) | &Request::Compute(cell, ..) => items.push(Item::Cell(cell)),
            &Request::Insert(chan, ..)
            | &Request::Remove(chan, _)
            | &Request::RemoveSlot(chan, _)
            | &Request::Push(chan)
            | &Request::Pop(chan)
            | &Request::Shrink(chan)
            | &Request::Put(chan, ..)
            | &Request::Free(chan, _)
            | &Request::Clear(chan) => items.push(Item::Channel(chan)),
            Request::SetLast(_) => items.push(Item::Last),
            _ => {}
        }
    }
    items
}

/// For each value of a component's local state, the item that it belongs to.
pub fn items_of(part: &Part, cut: &Cut<'_>) -> Vec<Item> {
    match part.role {
        Role::Ends(chan) => return vec![Item::Channel(chan); 2],
        Role::Slot(chan, _) => {
            return vec![Item::Channel(chan); cut.channels[chan].width as usize];
        }
        _ => {}
    }
    let mut items: Vec<Item> = part.process.map(Item::Process).into_iter().collect();
    let counters = part.cells.iter().map(|&cell| cut.counter_of(cell).unwrap_or(cell));
    items.extend(counters.map(Item::Cell));
    for &chan in &part.channels {
        let n_cells = cut.system().channel_types[cut.channels[chan].ty].n_cells();
        items.extend(std::iter::repeat_n(Item::Channel(chan), n_cells));
    }
    items
}
