//! Numbers of all edges of a system, so that marks of edges fit into one array.

use crate::vector::{Layout, Shape};
use resy_index::{Id, IndexVec};
use resy_system::{LocationId, Move, Proctype, ProctypeId, System};

/// The edges of a system in one sequence: by proctype, location, and position in the list of the location.
#[derive(Clone, Debug, Default)]
pub struct EdgeNumbers {
    /// The number of the first edge of each location.
    starts: IndexVec<ProctypeId, Vec<u32>>,
    /// The position of each edge in the list of its location.
    places: Vec<u16>,
}

impl EdgeNumbers {
    /// Numbers the edges of a system.
    pub fn new(system: &System) -> EdgeNumbers {
        let mut places = Vec::new();
        let mut start = |edges: usize| {
            let at = places.len() as u32;
            places.extend((0..edges).map(|place| place as u16));
            at
        };
        let of = |p: &Proctype| p.edges.iter().map(|e| start(e.len())).collect();
        let starts = IndexVec::from_vec(system.proctypes.iter().map(of).collect());
        EdgeNumbers { starts, places }
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The position of an edge in the list of its location.
    pub fn place(&self, edge: u32) -> usize {
        self.places[edge as usize].into()
    }

    /// The number of the first edge of a location.
    pub fn first(&self, proctype: ProctypeId, location: LocationId) -> u32 {
        self.starts[proctype][location.index()]
    }

    /// The numbers of all edges of a location.
    pub fn of_location(
        &self,
        proctype: ProctypeId,
        location: LocationId,
    ) -> impl Iterator<Item = u32> {
        let first = self.first(proctype, location);
        let rest = self.places[first as usize..].iter().skip(1).take_while(|&&place| place > 0);
        let n = if self.places.get(first as usize) == Some(&0) { 1 + rest.count() } else { 0 };
        first..first + n as u32
    }

    /// The number of the edge of a move out of a state.
    pub fn of_move(&self, layout: &Layout, shape: &Shape, vector: &[u8], taken: Move) -> u32 {
        let field = layout.location;
        let location = field.width.load(vector, shape.processes[taken.pid] + field.offset);
        self.starts[shape.proctypes[taken.pid]][location as usize] + taken.edge as u32
    }
}
