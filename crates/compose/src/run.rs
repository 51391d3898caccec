//! Runs of module, environment and monitor together.

use crate::split::Split;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::Explorer;

/// States and labels in turn, with one state more than labels. A state is a tuple of the module,
/// each part of the environment, and the monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRun {
    /// The states, the initial one first.
    pub states: Vec<Vec<StateId>>,
    /// The labels between consecutive states.
    pub labels: Vec<Label>,
}

impl SplitRun {
    /// This run, followed by another that begins where this one ends.
    pub(crate) fn then(mut self, other: Self) -> Self {
        self.states.extend(other.states.into_iter().skip(1));
        self.labels.extend(other.labels);
        self
    }

    /// The run, extended by a step from its last state into the error state, which must exist.
    pub(crate) fn into_error(mut self, split: &Split) -> Self {
        let systems = [&split.module.lts].into_iter().chain(split.context_systems()).collect();
        let mut found = None;
        let last = self.states.last().expect("a run has a state");
        Explorer::new(systems).successors(last, |step, next| {
            if next.last() == Some(&split.monitor.error) {
                found.get_or_insert_with(|| (step.label(), next.to_vec()));
            }
        });
        let (label, state) = found.expect("a step leads into the error state");
        self.labels.push(label);
        self.states.push(state);
        self
    }
}
