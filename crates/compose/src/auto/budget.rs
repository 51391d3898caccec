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

/// Merging may cost as much as this many trials that are given up.
const TRIALS: usize = 64;

/// To compose and reduce a state takes longer than to explore it.
const CLUSTER: usize = 16;

/// The first round of the method with expensive trials.
const LATE: usize = 100_000;

impl Round {
    /// Every round may cost four times as much as the one before.
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_mul(4))
    }

    /// The round after the next: for what is worth more than an attempt.
    pub(super) fn ahead(self) -> Self {
        self.next().next()
    }

    /// The work of an attempt to prove the property.
    pub(super) fn proof(self) -> usize {
        self.0.saturating_mul(STATE)
    }

    /// The work of refinement, most of which is done in the small rounds.
    pub(super) fn refinement(self) -> usize {
        self.proof().saturating_mul(4)
    }

    /// The work of a trial to join two classes.
    pub(super) fn trial(self) -> usize {
        self.proof().saturating_mul(4)
    }

    /// The work of all trials of a merging that refines. A module of a hundred states has thousands of pairs.
    pub(super) fn trials(self) -> usize {
        self.trial().saturating_mul(TRIALS)
    }

    /// The pairs of states and contexts of the backward labels.
    pub(super) fn labels(self) -> usize {
        self.0.saturating_mul(50)
    }

    /// The states and transitions of products of clusters.
    pub(super) fn clusters(self) -> usize {
        self.0.saturating_mul(CLUSTER)
    }

    /// The number of polls of a trial that folds the network again.
    pub(super) fn polls(self) -> usize {
        self.0
    }

    /// Whether a method may be tried whose trials are expensive.
    pub(super) fn is_late(self) -> bool {
        self.0 >= LATE
    }
}

/// The callback that may cancel; once it has cancelled it is not called again.
pub(crate) struct Polls<'g> {
    go_on: &'g mut dyn FnMut(&AutoProgress) -> bool,
    is_cancelled: bool,
}

impl<'g> Polls<'g> {
    pub(crate) fn new(go_on: &'g mut dyn FnMut(&AutoProgress) -> bool) -> Self {
        Self { go_on, is_cancelled: false }
    }

    /// Whether to go on.
    pub(crate) fn go_on(&mut self, progress: &AutoProgress) -> bool {
        if !self.is_cancelled {
            self.is_cancelled = !(self.go_on)(progress);
        }
        !self.is_cancelled
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }
}
