//! The places of a system: which cells are elements of which array.
//!
//! A reference is an offset and indices, so that arrays, and arrays in structures in arrays, are known by the references
//! to them: all references to one array have the same offset and the same lengths and strides. Cells that are no
//! element of such an *array* are variables of their own.

use super::sorts::{PlaceId, Sorts};
use crate::access::each_command;
use resy_index::IndexVec;
use resy_system::{CellInit, CellRef, Command, Expr, Frame, Pattern, ProctypeId, Scope, System};
use std::collections::BTreeMap;

/// An array with all of its dimensions.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub offset: u32,
    /// The length and stride of each dimension, and the place of its indices.
    pub axes: Vec<(u32, u32, PlaceId)>,
    /// The place of its elements.
    pub value: PlaceId,
}

impl Array {
    /// The indices of a cell, if it is an element.
    pub fn indices(&self, cell: u32) -> Option<Vec<u32>> {
        let mut rest = cell.checked_sub(self.offset)?;
        let mut indices = Vec::new();
        for &(len, stride, _) in &self.axes {
            let index = (rest / stride.max(1)).min(len.saturating_sub(1));
            rest -= index * stride;
            indices.push(index);
        }
        (rest == 0).then_some(indices)
    }
}

/// The places of a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct FramePlaces {
    pub arrays: Vec<Array>,
    /// For every cell, the array that it is an element of.
    pub array_of: Vec<Option<usize>>,
    /// The place of every cell; elements of an array have the same.
    pub values: Vec<PlaceId>,
}

/// The places of all frames.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub globals: FramePlaces,
    pub locals: IndexVec<ProctypeId, FramePlaces>,
    pub pids: IndexVec<ProctypeId, PlaceId>,
}

/// The lengths and strides of the arrays of a frame, by offset.
type Shapes = BTreeMap<u32, Vec<(u32, u32)>>;

impl Places {
    /// The places of a system that these conditions observe; `None` if cells belong to two arrays.
    pub fn of(system: &System, conditions: &[Expr], sorts: &mut Sorts) -> Option<Self> {
        let mut found = ReferencedArrays {
            globals: Shapes::new(),
            locals: system.proctypes.iter().map(|_| Shapes::new()).collect(),
            is_consistent: true,
        };
        for (id, proctype) in system.proctypes.iter_enumerated() {
            for edge in proctype.edges.iter().flatten() {
                found.command(id, &edge.command);
            }
            proctype.provided.iter().for_each(|e| found.expr(id, e));
            found.frame(id, &proctype.frame);
        }
        // Conditions and initial values of globals have no local variables: any proctype will do.
        if let Some(any) = system.proctypes.ids().next() {
            conditions.iter().for_each(|e| found.expr(any, e));
            found.frame(any, &system.globals);
        }
        let globals = frame_places(&system.globals, &found.globals, sorts)?;
        let mut locals = IndexVec::new();
        for (id, proctype) in system.proctypes.iter_enumerated() {
            locals.push(frame_places(&proctype.frame, &found.locals[id], sorts)?);
        }
        let mut pids = IndexVec::new();
        for id in system.proctypes.ids() {
            let pid = sorts.place(None);
            sorts.facts_mut(pid).pids.push(id);
            pids.push(pid);
        }
        found.is_consistent.then_some(Self { globals, locals, pids })
    }
}

fn frame_places(frame: &Frame, shapes: &Shapes, sorts: &mut Sorts) -> Option<FramePlaces> {
    let n_cells = frame.cells.len();
    let mut places = FramePlaces { array_of: vec![None; n_cells], ..FramePlaces::default() };
    for (&offset, dims) in shapes {
        let ty = *frame.cells.get(offset as usize)?;
        let value = sorts.place(Some(ty));
        let mut axes = Vec::new();
        for &(len, stride) in dims {
            axes.push((len, stride, sorts.place(None)));
        }
        let array = Array { offset, axes, value };
        let last: u32 = dims.iter().map(|&(len, stride)| (len - 1) * stride).sum();
        for cell in offset..=offset + last {
            if array.indices(cell).is_none() {
                continue;
            }
            let here = places.array_of.get_mut(cell as usize)?;
            if here.replace(places.arrays.len()).is_some() || frame.cells[cell as usize] != ty {
                return None;
            }
        }
        places.arrays.push(array);
    }
    places.values = (0..n_cells)
        .map(|cell| match places.array_of[cell] {
            Some(array) => places.arrays[array].value,
            None => sorts.place(Some(frame.cells[cell])),
        })
        .collect();
    Some(places)
}

/// The arrays that references have been found to.
struct ReferencedArrays {
    globals: Shapes,
    locals: IndexVec<ProctypeId, Shapes>,
    /// Whether all references with one offset have the same dimensions.
    is_consistent: bool,
}

impl ReferencedArrays {
    fn frame(&mut self, id: ProctypeId, frame: &Frame) {
        for init in &frame.init {
            if let CellInit::Value(_, e) = init {
                self.expr(id, e);
            }
        }
    }

    fn command(&mut self, id: ProctypeId, command: &Command) {
        command.walk(&mut |e| self.one(id, e));
        each_command(command, &mut |c| match c {
            Command::Assign(place, _) => self.reference(id, place),
            Command::Receive { patterns, .. } | Command::Event { patterns, .. } => {
                self.patterns(id, patterns);
            }
            _ => {}
        });
    }

    fn expr(&mut self, id: ProctypeId, expr: &Expr) {
        expr.walk(&mut |e| self.one(id, e));
    }

    fn one(&mut self, id: ProctypeId, expr: &Expr) {
        match expr {
            Expr::Load(place) => self.reference(id, place),
            Expr::RemoteLoad { proctype, place, .. } => self.reference(*proctype, place),
            Expr::Poll { patterns, .. } => self.patterns(id, patterns),
            _ => {}
        }
    }

    fn patterns(&mut self, id: ProctypeId, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Bind(place) = pattern {
                self.reference(id, place);
            }
        }
    }

    fn reference(&mut self, id: ProctypeId, place: &CellRef) {
        if place.indices.is_empty() {
            return;
        }
        let shapes = match place.scope {
            Scope::Global => &mut self.globals,
            Scope::Local => &mut self.locals[id],
            Scope::Nowhere => return,
        };
        let dims: Vec<(u32, u32)> = place.indices.iter().map(|t| (t.len, t.stride)).collect();
        let known = shapes.entry(place.offset).or_insert_with(|| dims.clone());
        self.is_consistent &= *known == dims;
    }
}
