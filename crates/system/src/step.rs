//! Steps: what a call of the interpreter returns.

use crate::message::Offer;
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
pub struct Step<M = State> {
    /// The process that moves; in a rendezvous, the sender.
    pub actor: Move,
    /// The receiver of a rendezvous.
    pub partner: Option<Move>,
    /// The state after the step, and who may move there. `None` if an error
    /// leaves no state to go on with.
    pub next: Option<(M, Control)>,
    /// If an error leaves no state, the memory as the error left it, where there is one.
    pub wreck: Option<M>,
    /// What went wrong in the step.
    pub violations: Vec<Violation>,
    /// What the step printed.
    pub output: String,
}

/// All the steps out of a state.
#[derive(Clone, Debug)]
pub struct Steps<M = State> {
    /// The steps, in the order in which spin tries them.
    pub steps: Vec<Step<M>>,
    /// What went wrong in looking for steps, at edges that cannot be taken.
    pub violations: Vec<Violation>,
}

impl<M> Default for Steps<M> {
    fn default() -> Self {
        Self { steps: Vec::new(), violations: Vec::new() }
    }
}

/// What becomes of an edge that a process tries to take.
pub enum Attempt<M> {
    /// It cannot be taken.
    Impossible,
    /// It was taken.
    Done(Step<M>),
    /// It is a send on a rendezvous channel: the sender has moved on, and somebody must
    /// accept what it offers.
    Offers {
        /// What is offered.
        offer: Offer,
        /// The state with the sender at its next location.
        sender: M,
        /// What went wrong in the sender.
        violations: Vec<Violation>,
    },
}
