//! Numbers for all edges of a system, so that a mark for each is one array.

use crate::vector::{Layout, Shape};
use resy_index::{Id, IndexVec};
use resy_system::{LocationId, Move, Proctype, ProctypeId, System};

/// The edges of a system, in a row: by proctype, location and place in the list there.
#[derive(Clone, Debug, Default)]
pub struct EdgeNumbers {
    /// The number of the first edge of each location.
    starts: IndexVec<ProctypeId, Vec<u32>>,
    len: usize,
}

impl EdgeNumbers {
    /// Numbers the edges of a system.
    pub fn new(system: &System) -> EdgeNumbers {
        let mut len = 0;
        let mut start = |edges: usize| {
            let at = len;
            len += edges;
            at as u32
        };
        let of = |p: &Proctype| p.edges.iter().map(|e| start(e.len())).collect();
        let starts = IndexVec::from_vec(system.proctypes.iter().map(of).collect());
        EdgeNumbers { starts, len }
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of the first edge of a location.
    pub fn first(&self, proctype: ProctypeId, location: LocationId) -> u32 {
        self.starts[proctype][location.index()]
    }

    /// The number of the edge of a move out of a vector.
    pub fn of_move(&self, layout: &Layout, shape: &Shape, vector: &[u8], taken: Move) -> u32 {
        let field = layout.location;
        let location = field.width.load(vector, shape.processes[taken.pid] + field.offset);
        self.starts[shape.proctypes[taken.pid]][location as usize] + taken.edge as u32
    }
}
