//! Steps, the results of the interpreter.

use crate::message::Offer;
use crate::state::State;
use crate::violation::Violation;

/// The processes that may move next.
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
    /// The state after the step, and the processes that may move there. `None` if a violation
    /// ends the run.
    pub next: Option<(M, Control)>,
    /// The memory at the violation that ended the run, if there is one.
    pub wreck: Option<M>,
    /// The violations of the step.
    pub violations: Vec<Violation>,
    /// What the step printed.
    pub output: String,
}

/// All the steps out of a state.
#[derive(Clone, Debug)]
pub struct Steps<M = State> {
    /// The steps, in the order in which spin tries them.
    pub steps: Vec<Step<M>>,
    /// Violations of edges that are not possible.
    pub violations: Vec<Violation>,
}

impl<M> Default for Steps<M> {
    fn default() -> Self {
        Self { steps: Vec::new(), violations: Vec::new() }
    }
}

/// The result of trying an edge.
pub enum Attempt<M> {
    /// It is not possible.
    Impossible,
    /// It was taken.
    Done(Step<M>),
    /// It is a send on a rendezvous channel: the sender is at its next location, and another
    /// process must accept the offer.
    Offers {
        /// What is offered.
        offer: Offer,
        /// The state with the sender at its next location.
        sender: M,
        /// The violations of the sender.
        violations: Vec<Violation>,
    },
}
