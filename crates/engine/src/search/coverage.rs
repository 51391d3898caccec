//! Which edges were taken: what a model says that never happens.

use crate::vector::{Layout, Shape};
use resy_index::{Id, IndexVec};
use resy_system::{LocationId, Move, ProctypeId, System};

/// A mark for every edge.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Where the marks of each location start.
    starts: IndexVec<ProctypeId, Vec<u32>>,
    taken: Vec<bool>,
}

impl Coverage {
    /// No edge was taken.
    pub fn new(system: &System) -> Coverage {
        let mut n = 0;
        let mut start = |edges: usize| {
            let at = n;
            n += edges as u32;
            at
        };
        let of = |p: &resy_system::Proctype| p.edges.iter().map(|e| start(e.len())).collect();
        let starts = IndexVec::from_vec(system.proctypes.iter().map(of).collect());
        Coverage { starts, taken: vec![false; n as usize] }
    }

    /// Marks the edges of a step out of a vector.
    pub fn mark(
        &mut self,
        layout: &Layout,
        shape: &Shape,
        vector: &[u8],
        actor: Move,
        partner: Option<Move>,
    ) {
        self.mark_move(layout, shape, vector, actor);
        if let Some(partner) = partner {
            self.mark_move(layout, shape, vector, partner);
        }
    }

    fn mark_move(&mut self, layout: &Layout, shape: &Shape, vector: &[u8], taken: Move) {
        let field = layout.location;
        let location = field.width.load(vector, shape.processes[taken.pid] + field.offset);
        let start = self.starts[shape.proctypes[taken.pid]][location as usize];
        self.taken[start as usize + taken.edge] = true;
    }

    /// Whether an edge was taken.
    pub fn taken(&self, proctype: ProctypeId, location: LocationId, edge: usize) -> bool {
        self.taken[self.starts[proctype][location.index()] as usize + edge]
    }

    /// The marks, eight in a byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |marks: &[bool]| marks.iter().rev().fold(0, |b, &mark| b << 1 | u8::from(mark));
        self.taken.chunks(8).map(byte).collect()
    }

    /// Adds the marks of [`to_bytes`](Self::to_bytes).
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        for (marks, byte) in self.taken.chunks_mut(8).zip(bytes) {
            marks.iter_mut().enumerate().for_each(|(i, mark)| *mark |= byte >> i & 1 != 0);
        }
    }

    /// The marks, in a fixed order.
    pub(super) fn marks(&self) -> &[bool] {
        &self.taken
    }

    /// Adds marks in that order.
    pub(super) fn add_marks(&mut self, marks: &[bool]) {
        self.taken.iter_mut().zip(marks).for_each(|(a, &b)| *a |= b);
    }

    /// Adds the marks of another worker.
    pub fn add(&mut self, other: &Coverage) {
        self.add_marks(&other.taken);
    }
}
