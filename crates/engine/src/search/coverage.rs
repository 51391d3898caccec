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

    /// Adds the marks of another worker.
    pub fn add(&mut self, other: &Coverage) {
        self.taken.iter_mut().zip(&other.taken).for_each(|(a, &b)| *a |= b);
    }
}
