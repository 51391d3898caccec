//! Coverage: which edges were taken, so that unreachable statements can be reported.

use crate::steps::{EdgeNumbers, Record};
use crate::vector::{Layout, Shape};
use resy_system::{LocationId, Move, ProctypeId, System};

/// A mark for every edge.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    edges: EdgeNumbers,
    taken: Vec<bool>,
}

impl Coverage {
    /// No edge is marked.
    pub fn new(system: &System) -> Coverage {
        let edges = EdgeNumbers::new(system);
        Coverage { taken: vec![false; edges.len()], edges }
    }

    /// Marks the edges of a step.
    #[inline]
    pub fn mark(&mut self, record: &Record) {
        record.edges.iter().for_each(|&edge| self.taken[edge as usize] = true);
    }

    /// Marks an edge; returns its position at its location.
    #[inline]
    pub fn mark_number(&mut self, edge: u32) -> usize {
        self.taken[edge as usize] = true;
        self.edges.place(edge)
    }

    /// Marks the edge of a move out of a state.
    pub fn mark_move(&mut self, layout: &Layout, shape: &Shape, vector: &[u8], taken: Move) {
        let edge = self.edges.of_move(layout, shape, vector, taken);
        self.taken[edge as usize] = true;
    }

    /// Marks all edges of a location.
    pub(super) fn mark_location(&mut self, proctype: ProctypeId, location: LocationId) {
        let edges = self.edges.of_location(proctype, location);
        edges.for_each(|edge| self.taken[edge as usize] = true);
    }

    /// Whether an edge was taken.
    pub fn taken(&self, proctype: ProctypeId, location: LocationId, edge: usize) -> bool {
        self.taken[self.edges.first(proctype, location) as usize + edge]
    }

    /// The marks, eight in a byte.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |marks: &[bool]| marks.iter().rev().fold(0, |b, &mark| b << 1 | u8::from(mark));
        self.taken.chunks(8).map(byte).collect()
    }

    /// Adds marks in the form of [`to_bytes`](Self::to_bytes).
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
