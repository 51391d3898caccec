//! Runs of module, environment and monitor together.

use resy_automata::lts::{Label, StateId};

/// States and labels in turn: one more state than labels. A state has places for the
/// module, each part of the environment, and the monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states, the initial one first.
    pub states: Vec<Vec<StateId>>,
    /// What leads from each to the next.
    pub labels: Vec<Label>,
}
