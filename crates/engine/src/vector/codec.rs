//! Conversion between vectors and the states of the reference semantics.

use super::{Layout, Shape, ShapeId, Shapes};
use resy_index::Id;
use resy_system::{LocationId, State, System};

impl Layout {
    /// Writes a state, with empty sets of the monitors; returns its shape.
    pub fn pack(&self, shapes: &mut Shapes, state: &State, vector: &mut Vec<u8>) -> ShapeId {
        let mut id = shapes.empty();
        for process in state.processes() {
            id = shapes.with(self, id, process.proctype);
        }
        let shape = &shapes[id];
        vector.clear();
        vector.resize(shape.len as usize, 0);
        let mut put = |f: super::VectorField, value: i32| f.width.store(vector, f.offset, value);
        put(self.count, state.processes().len() as i32);
        put(self.shape, id.index() as i32);
        self.last.into_iter().for_each(|f| put(f, state.last() as i32));
        self.event.into_iter().for_each(|f| put(f, state.event() as i32));
        for (process, &at) in state.processes().iter().zip(&shape.processes) {
            let mut put =
                |f: super::VectorField, value: i32| f.width.store(vector, at + f.offset, value);
            put(self.proctype, process.proctype.index() as i32);
            put(self.location, process.location.index() as i32);
            self.priority.into_iter().for_each(|f| put(f, i32::from(process.priority)));
        }
        for (field, &value) in shape.cells.iter().zip(state.cells()) {
            field.width.store(vector, field.offset, value);
        }
        id
    }

    /// Reads a state.
    pub fn unpack(&self, system: &System, shape: &Shape, vector: &[u8]) -> State {
        let get = |f: super::VectorField| f.width.load(vector, f.offset);
        let heads = shape.proctypes.iter().zip(&shape.processes).map(|(&proctype, &at)| {
            let get = |f: super::VectorField| f.width.load(vector, at + f.offset);
            let location = LocationId::from_index(get(self.location) as usize);
            (proctype, location, self.priority.map_or(1, |f| get(f) as u8))
        });
        let last = self.last.map_or(0, |f| get(f) as u32);
        let event = self.event.map_or(0, |f| get(f) as u32);
        let mut state = State::blank(system, heads, last, event);
        for (cell, &field) in state.cells_mut().iter_mut().zip(&shape.cells) {
            *cell = get(field);
        }
        state
    }
}
