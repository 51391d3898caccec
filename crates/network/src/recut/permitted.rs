//! Which options of a cut are admissible: a certificate names them, and they are not believed.

use super::remedy::only_writer;
use crate::cut::own::Manner;
use crate::cut::support::Item;
use crate::cut::{Cut, Home};
use resy_system::Cell;

impl Cut<'_> {
    /// Whether these options are admissible for the program of this plain cut. Options that
    /// [`components`](super::components) has returned always are.
    pub fn permits(&self, manner: &Manner) -> bool {
        let is_cell = |cell: &Cell| match *cell {
            Cell::Global(offset) => (offset as usize) < self.globals.len(),
            Cell::Local(pid, offset) => {
                let cells = self.locals.get(pid as usize).map_or(&[][..], Vec::as_slice);
                matches!(cells.get(offset as usize), Some(Home::At(..)))
            }
        };
        let is_buffer = |&chan: &usize| {
            let channel = self.channels.get(chan);
            channel.is_some_and(|c| self.system().channel_types[c.ty].capacity > 0)
        };
        let reads = |item: Item, pid: usize| {
            matches!(item, Item::Cell(Cell::Global(_)))
                && self.users.get(&item).is_some_and(|users| users.users.contains(&pid))
        };
        let is_given =
            |&(item, pid): &(Item, usize)| only_writer(self, item) == Some(pid) || reads(item, pid);
        manner.rings.iter().all(is_buffer)
            && manner.sums.iter().all(|cell| is_cell(cell) && self.is_counter(*cell))
            && manner.apart.iter().all(is_cell)
            && manner.given.iter().all(is_given)
            && is_each_once(&manner.rings)
            && is_each_once(&manner.sums)
            && is_each_once(&manner.apart)
    }
}

fn is_each_once<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().all(|(i, item)| !items[..i].contains(item))
}
