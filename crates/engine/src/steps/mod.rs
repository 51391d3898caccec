//! Successors of state vectors: one interface, two ways.
//!
//! [`Interpreted`] asks the reference semantics, [`Compiled`](crate::compile::Compiled) runs machine
//! code. Both write the successors of a vector into one [`Successors`] buffer, in the
//! order of the reference; the tests compare them on every model.

mod interpreted;
mod successors;

pub use interpreted::Interpreted;
pub use successors::{Noted, Record, Successors};

use crate::vector::{Layout, ShapeId, Shapes};
use resy_system::{Control, Interpreter, ViolationKind};

/// A way to make steps.
pub trait Stepper {
    /// What it runs.
    fn interpreter(&self) -> &Interpreter<'_>;

    /// Where things lie in its vectors.
    fn layout(&self) -> &Layout;

    /// The shapes met so far.
    fn shapes(&mut self) -> &mut Shapes;

    /// Adds the successors of a vector. None with [`Control::Atomic`] means that
    /// the process has lost control.
    fn expand(&mut self, vector: &[u8], shape: ShapeId, control: Control, out: &mut Successors);

    /// Which propositions of the monitors hold in a vector, one bit each.
    fn valuation(&mut self, vector: &[u8], shape: ShapeId) -> Result<u64, ViolationKind>;
}
