//! Successors of state vectors: one interface, two implementations.
//!
//! [`Interpreted`] uses the reference semantics, [`Compiled`](crate::compile::Compiled) runs machine code.
//! Both write the successors of a vector into a [`Successors`] buffer, in the order of the reference
//! semantics. The tests compare them on every model.

mod edges;
mod interpreted;
mod successors;

pub use edges::EdgeNumbers;
pub use interpreted::Interpreted;
pub use successors::{Noted, Record, Successors};

use crate::vector::{Layout, ShapeId, Shapes};
use resy_system::{Control, Interpreter, State};

/// Makes the steps of a system. It may go from one thread to another.
pub trait Stepper: Send {
    /// The interpreter of the system.
    fn interpreter(&self) -> &Interpreter<'_>;

    /// The layout of the vectors.
    fn layout(&self) -> &Layout;

    /// The shapes found so far.
    fn shapes(&mut self) -> &mut Shapes;

    /// Both of them.
    fn layout_and_shapes(&mut self) -> (&Layout, &mut Shapes);

    /// The state of a vector.
    fn unpack(&self, vector: &[u8], shape: ShapeId) -> State;

    /// Appends the successors of a vector. If there are none with [`Control::Atomic`], the process has lost
    /// control.
    fn expand(&mut self, vector: &[u8], shape: ShapeId, control: Control, out: &mut Successors);

    /// Advances the process that has control after a successor, in the vector of the successor, while there
    /// is no choice; appends the [numbers](EdgeNumbers) of the edges it takes. Stopping earlier is always
    /// correct.
    fn advance(&mut self, i: usize, out: &mut Successors, edges: &mut Vec<u32>);

    /// The conditions of the monitors that hold in a vector, one bit each; `None` if the interpreter must
    /// evaluate them.
    fn valuation(&mut self, vector: &[u8], shape: ShapeId) -> Option<u64>;
}
