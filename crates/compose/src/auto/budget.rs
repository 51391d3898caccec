//! Budgets: how much each attempt may cost.
//!
//! Work is counted, never timed, so that a model has one requirement on every machine. The unit is
//! a visited state of a single system; a state of a product of ten systems costs ten.

use super::AutoProgress;

/// The budget of one round of attempts.
#[derive(Copy, Clone, Debug)]
pub(super) struct Round(pub usize);

/// The cost of a state of a small network with its steps.
const STATE: usize = 64;

/// Folding polls for each pair of clusters, and once per few hundred states, whose reduction takes
/// longer than their exploration.
const STATES_PER_POLL: usize = 16;

impl Round {
    /// Every round may cost four times as much as the one before.
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_mul(4))
    }

    /// The work of an attempt to prove the property.
    pub(super) fn proof(self) -> usize {
        self.0.saturating_mul(STATE)
    }

    /// The work of a trial to join two classes.
    pub(super) fn trial(self) -> usize {
        self.proof().saturating_mul(4)
    }

    /// The number of polls of a folding.
    pub(super) fn polls(self) -> usize {
        self.0 / STATES_PER_POLL
    }

    /// The pairs of states and contexts of the backward labels.
    pub(super) fn labels(self) -> usize {
        self.0.saturating_mul(50)
    }
}

/// The callback that may cancel; once it has cancelled it is not called again.
pub(super) struct Polls<'g> {
    go_on: &'g mut dyn FnMut(&AutoProgress) -> bool,
    is_cancelled: bool,
}

impl<'g> Polls<'g> {
    pub(super) fn new(go_on: &'g mut dyn FnMut(&AutoProgress) -> bool) -> Self {
        Self { go_on, is_cancelled: false }
    }

    /// Whether to go on.
    pub(super) fn go_on(&mut self, progress: &AutoProgress) -> bool {
        if !self.is_cancelled {
            self.is_cancelled = !(self.go_on)(progress);
        }
        !self.is_cancelled
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }
}
