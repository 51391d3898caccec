//! Successors by the reference semantics: slow, and correct by definition.

use super::{EdgeNumbers, Noted, Record, Stepper, Successors};
use crate::vector::{Layout, ShapeId, Shapes};
use resy_index::Id;
use resy_system::{Control, Interpreter, Move, State, Step, Steps};

/// Steps made by the interpreter.
pub struct Interpreted<'a> {
    pub(crate) interpreter: Interpreter<'a>,
    pub(crate) layout: Layout,
    pub(crate) shapes: Shapes,
    edges: EdgeNumbers,
    packed: Vec<u8>,
}

impl<'a> Interpreted<'a> {
    /// The steps of a system; `monitors` has the number of locations of each monitor.
    pub fn new(interpreter: Interpreter<'a>, monitors: &[u32]) -> Self {
        let layout = Layout::new(interpreter.system(), monitors);
        let shapes = Shapes::new(&layout);
        let edges = EdgeNumbers::new(interpreter.system());
        Self { interpreter, layout, shapes, edges, packed: Vec::new() }
    }

    /// Writes the steps of a state, whose vector is `from`.
    pub(crate) fn write_with(
        &mut self,
        shapes: &mut Shapes,
        from: &[u8],
        steps: Steps,
        out: &mut Successors,
    ) {
        let noted = steps.violations.into_iter().map(|violation| Noted { step: None, violation });
        out.noted.extend(noted);
        for step in steps.steps {
            self.write_step(shapes, from, step, out);
        }
    }

    fn write_step(&mut self, shapes: &mut Shapes, from: &[u8], step: Step, out: &mut Successors) {
        let taken = Some((step.actor, step.partner));
        let noted = step.violations.into_iter().map(|violation| Noted { step: taken, violation });
        out.noted.extend(noted);
        let Some((state, control)) = step.next else { return };
        let shape = self.layout.pack(shapes, &state, &mut self.packed);
        for &(at, n) in &self.layout.monitors {
            let sets = at as usize..(at + n) as usize;
            self.packed[sets.clone()].copy_from_slice(&from[sets]);
        }
        let from_shape = &shapes[shapes.of(&self.layout, from)];
        let edge = |m: Move| self.edges.of_move(&self.layout, from_shape, from, m);
        let of = |m: Move| [m.pid as u16, m.edge as u16];
        let record = Record {
            start: 0,
            shape: shape.index() as u32,
            actor: of(step.actor),
            partner: step.partner.map_or([Record::NOBODY; 2], of),
            control: match control {
                Control::Free => 0,
                Control::Atomic(pid) => pid as u32 + 1,
            },
            edges: [edge(step.actor), edge(step.partner.unwrap_or(step.actor))],
        };
        out.push(record, &self.packed);
    }
}

impl Stepper for Interpreted<'_> {
    fn interpreter(&self) -> &Interpreter<'_> {
        &self.interpreter
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn shapes(&mut self) -> &mut Shapes {
        &mut self.shapes
    }

    fn expand(&mut self, vector: &[u8], shape: ShapeId, control: Control, out: &mut Successors) {
        let state = self.unpack(vector, shape);
        let steps = self.interpreter.steps(&state, control);
        let mut shapes = std::mem::replace(&mut self.shapes, Shapes::none());
        self.write_with(&mut shapes, vector, steps, out);
        self.shapes = shapes;
    }

    fn advance(&mut self, _: usize, _: &mut Successors, _: &mut Vec<u32>) {}

    fn layout_and_shapes(&mut self) -> (&Layout, &mut Shapes) {
        (&self.layout, &mut self.shapes)
    }

    fn unpack(&self, vector: &[u8], shape: ShapeId) -> State {
        self.layout.unpack(self.interpreter.system(), &self.shapes[shape], vector)
    }

    fn valuation(&mut self, _: &[u8], _: ShapeId) -> Option<u64> {
        None
    }
}
