//! Requirements: quotients of the module that can stand for it.

use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;

/// What the environment needs to know of the module: a homomorphic image, with which the property
/// holds if and only if it holds with the module itself.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The image, with the map from states of the module. It has the module's whole alphabet.
    pub quotient: Quotient,
    /// The abstraction of the environment used in synthesis: a partition of each part. Empty if the
    /// environment was not abstracted.
    pub environment: Vec<Partition>,
    /// The conclusion about the property.
    pub verdict: Conclusion,
}

/// The conclusion about the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The network satisfies the property.
    Holds,
    /// These steps of the network lead to the error state.
    Fails(Vec<ProductStep>),
    /// The computation was interrupted before a decision.
    Interrupted,
}

impl Requirement {
    /// The quotient of the module by a partition of its states.
    pub fn new(module: &Lts, partition: Partition, verdict: Conclusion) -> Self {
        let quotient = Quotient::of(module, partition);
        Self { quotient, environment: Vec::new(), verdict }
    }

    /// The requirement, found with these partitions of the environment's parts.
    #[must_use]
    pub fn with_environment(self, environment: Vec<Partition>) -> Self {
        Self { environment, ..self }
    }

    /// The requirement as a transition system.
    pub fn lts(&self) -> &Lts {
        self.quotient.lts()
    }

    /// The state of the requirement that stands for a state of the module.
    pub fn class_of(&self, state: StateId) -> StateId {
        self.quotient.state_of(state)
    }
}
