//! Vectors as states on which independence is decided.

use crate::vector::{Layout, Shape};
use resy_index::Id;
use resy_passes::StateView;
use resy_system::{LocationId, ProctypeId};

/// A vector with its layout.
pub(crate) struct VectorView<'a> {
    pub layout: &'a Layout,
    pub shape: &'a Shape,
    pub vector: &'a [u8],
}

impl StateView for VectorView<'_> {
    fn n_processes(&self) -> usize {
        self.shape.proctypes.len()
    }

    fn process(&self, pid: usize) -> (ProctypeId, LocationId) {
        let field = self.layout.location;
        let location = field.width.load(self.vector, self.shape.processes[pid] + field.offset);
        (self.shape.proctypes[pid], LocationId::from_index(location as usize))
    }

    fn global(&self, cell: usize) -> i32 {
        let field = self.layout.globals.cells[cell];
        field.width.load(self.vector, field.offset)
    }

    fn local(&self, pid: usize, cell: usize) -> i32 {
        let field = self.layout.proctypes[self.shape.proctypes[pid]].cells[cell];
        field.width.load(self.vector, self.shape.processes[pid] + field.offset)
    }

    fn channel(&self, number: usize) -> Option<(usize, usize)> {
        let place = self.shape.channels.get(number.checked_sub(1)?)?;
        let len = self.layout.length.load(self.vector, place.at);
        Some((len as usize, place.capacity as usize))
    }
}
