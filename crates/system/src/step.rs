//! Steps: what a call of the interpreter returns.

use crate::state::State;
use crate::violation::Violation;

/// Who may move next.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Every process.
    Free,
    /// This process only, while it can: it is inside an `atomic`.
    Atomic(usize),
}

/// An edge taken by a process.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The process.
    pub pid: usize,
    /// Its position in the list of edges of the location where it stood.
    pub edge: usize,
}

/// A step from a state to the next.
#[derive(Clone, Debug)]
pub struct Step {
    /// The process that moves; in a rendezvous, the sender.
    pub actor: Move,
    /// The receiver of a rendezvous.
    pub partner: Option<Move>,
    /// The state after the step, and who may move there. `None` if an error
    /// leaves no state to go on with.
    pub next: Option<(State, Control)>,
    /// What went wrong in the step.
    pub violations: Vec<Violation>,
    /// What the step printed.
    pub output: String,
}

/// All the steps out of a state.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// The steps, in the order in which spin tries them.
    pub steps: Vec<Step>,
    /// What went wrong in looking for steps, at edges that cannot be taken.
    pub violations: Vec<Violation>,
}
