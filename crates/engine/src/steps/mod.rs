//! Successors of state vectors: one interface, two ways.
//!
//! [`Interpreted`] asks the reference semantics, [`Compiled`](crate::compile::Compiled) runs machine
//! code. Both write the successors of a vector into one [`Successors`] buffer, in the
//! order of the reference; the tests compare them on every model.

mod edges;
mod interpreted;
mod successors;

pub use edges::EdgeNumbers;
pub use interpreted::Interpreted;
pub use successors::{Noted, Record, Successors};

use crate::vector::{Layout, ShapeId, Shapes};
use resy_system::{Control, Interpreter, State};

/// A way to make steps.
pub trait Stepper {
    /// What it runs.
    fn interpreter(&self) -> &Interpreter<'_>;

    /// Where things lie in its vectors.
    fn layout(&self) -> &Layout;

    /// The shapes met so far.
    fn shapes(&mut self) -> &mut Shapes;

    /// Both.
    fn layout_and_shapes(&mut self) -> (&Layout, &mut Shapes);

    /// The state of a vector.
    fn unpack(&self, vector: &[u8], shape: ShapeId) -> State;

    /// Adds the successors of a vector. None with [`Control::Atomic`] means that
    /// the process has lost control.
    fn expand(&mut self, vector: &[u8], shape: ShapeId, control: Control, out: &mut Successors);

    /// Moves the process that has control after a successor on, in the vector of the
    /// successor, as long as there is no choice; adds the [numbers](EdgeNumbers) of the edges it
    /// takes. To stop earlier is always right.
    fn advance(&mut self, i: usize, out: &mut Successors, edges: &mut Vec<u32>);

    /// Which conditions of the monitors hold in a vector, one bit each; `None` if the
    /// interpreter must be asked.
    fn valuation(&mut self, vector: &[u8], shape: ShapeId) -> Option<u64>;
}
