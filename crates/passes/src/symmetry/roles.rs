//! Where ids occur in a state.

use fixedbitset::FixedBitSet;
use resy_index::{IndexVec, define_id};
use resy_system::{LocationId, ProctypeId};
use std::collections::BTreeSet;

define_id!(
    /// A sort of ids.
    pub struct SortId,
    "sort"
);

/// A sort of interchangeable ids: the values below a bound that no statement names.
#[derive(Clone, Debug)]
pub struct IdSort {
    /// All interchangeable ids are less than this.
    pub bound: i32,
    /// The ids below the bound that are told apart.
    pub named: BTreeSet<i32>,
    /// If its places have different types, the values that all of them can hold: with others a state is left as it is.
    pub holds: Option<(i32, i32)>,
    /// The proctypes whose processes belong to an id, and how a process shows to which.
    pub owners: Vec<(ProctypeId, OwnerKey)>,
}

impl IdSort {
    /// Whether a value is an id that may be exchanged with others.
    pub fn has(&self, value: i32) -> bool {
        (0..self.bound).contains(&value) && !self.named.contains(&value)
    }
}

/// How a process shows its id.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OwnerKey {
    /// It is its pid, plus this number.
    Pid(i32),
    /// It is in this cell of its frame, which does not change.
    Cell(u32),
}

/// What a value is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueRole {
    /// A number.
    Plain,
    /// An id of this sort.
    Id(SortId),
    /// The number of a channel.
    Channel,
}

/// An index of an array.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AxisRole {
    /// The sort of the index.
    pub sort: SortId,
    /// The index of this element.
    pub index: u32,
    /// The number of cells to the next element.
    pub stride: u32,
}

/// What a cell is.
#[derive(Clone, Debug)]
pub struct CellRole {
    /// What it holds.
    pub value: ValueRole,
    /// The indices that are ids, if it is an element of an array.
    pub axes: Vec<AxisRole>,
}

/// A frame: the globals, or the variables of a process.
#[derive(Clone, Debug, Default)]
pub struct FrameRoles {
    /// All cells.
    pub cells: Vec<CellRole>,
    /// For each channel that is created with the frame its cell, and what the fields of its messages are.
    pub channels: Vec<(u32, Vec<ValueRole>)>,
}

/// The processes of a proctype.
#[derive(Clone, Debug)]
pub struct ProcessRoles {
    /// Their variables.
    pub frame: FrameRoles,
    /// The locations from which they create no other process.
    pub settled: IndexVec<LocationId, bool>,
    /// The cells that are plain numbers at a location, because they are dead and were reset.
    pub dead: IndexVec<LocationId, FixedBitSet>,
    /// The locations at which a process can only end.
    pub ends: IndexVec<LocationId, bool>,
}
