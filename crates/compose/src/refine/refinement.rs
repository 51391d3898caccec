//! The state of a refinement: the abstraction, and the labels in both directions of time.

use super::abstraction::{Abstraction, Direction};
use super::choose::{Cut, cut, nearest};
use super::lower::Lower;
use super::upper::{mergeable, upper};
use crate::cancellation::Polling;
use crate::labels::Labels;
use crate::moves::Moves;
use crate::split::Split;
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The progress of a refinement.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct RefineProgress {
    /// The number of refinement steps so far.
    pub steps: usize,
    /// The number of classes of all parts of the environment.
    pub n_classes: usize,
    /// The number of abstract contexts.
    pub n_contexts: usize,
}

impl RefineProgress {
    /// The progress of two consecutive refinements: the sum of their steps, the maximum of their
    /// sizes.
    pub(crate) fn and(&self, next: &Self) -> Self {
        Self {
            steps: self.steps + next.steps,
            n_classes: self.n_classes.max(next.n_classes),
            n_contexts: self.n_contexts.max(next.n_contexts),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Refinement<'a> {
    pub split: &'a Split,
    pub abstraction: Abstraction<'a>,
    /// Lower labels over the module.
    pub forward: Lower<'a>,
    /// Lower labels over the quotient.
    pub backward: Lower<'a>,
    /// The module modulo the states that were known to be reachable in the same contexts at the
    /// last merge.
    pub quotient: Quotient,
    pub steps: usize,
}

impl<'a> Refinement<'a> {
    /// The coarsest abstraction, and the module unmerged.
    pub(crate) fn new(split: &'a Split, polls: &'a dyn Polling) -> Self {
        let (module, shared) = (&split.module.lts, split.shared());
        let abstraction = Abstraction::coarsest(split, polls);
        let forward = Moves::forward(module, shared);
        let backward = Moves::backward(module, shared);
        Self {
            forward: Lower::of(&abstraction, Direction::Forward, forward),
            backward: Lower::of(&abstraction, Direction::Backward, backward),
            quotient: Quotient::of(module, Partition::discrete(module.n_states())),
            split,
            abstraction,
            steps: 0,
        }
    }

    /// The progress so far.
    pub(crate) fn progress(&self) -> RefineProgress {
        self.abstraction.progress(self.steps)
    }

    /// Whether it was cancelled in the middle of a step: then only what was merged before counts.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.abstraction.polls.is_cancelled()
    }

    /// A useful split for a direction of time; `None` if its labels are exact, or if it was cancelled.
    pub(crate) fn cut(&mut self, direction: Direction) -> Option<Cut> {
        let lower = match direction {
            Direction::Forward => &mut self.forward,
            Direction::Backward => &mut self.backward,
        };
        let spot = nearest(&self.abstraction, lower)?;
        Some(cut(&self.abstraction, direction, spot))
    }

    /// Splits a class and updates the labels.
    pub(crate) fn split(&mut self, cut: &Cut) {
        let change = self.abstraction.split(cut.part, cut.class, &cut.apart);
        if self.is_cancelled() {
            return;
        }
        self.forward.absorb(&self.abstraction, &change);
        self.backward.absorb(&self.abstraction, &change);
        self.steps += 1;
    }

    /// Merges the states that are now known to be reachable in the same contexts, and transfers the
    /// backward labels; returns whether the quotient has changed.
    pub(crate) fn merge(&mut self) -> bool {
        let partition = self.same_contexts();
        if self.is_cancelled() || partition.n_blocks() == self.quotient.partition().n_blocks() {
            return false;
        }
        let quotient = Quotient::of(&self.split.module.lts, partition);
        self.backward = self.backward_on(&quotient);
        self.quotient = quotient;
        true
    }

    /// The partition of the module by the requirement so far. Merged classes are kept.
    pub(crate) fn partition(&mut self) -> Partition {
        self.merge();
        let upper = upper(&self.abstraction, Direction::Backward, &self.backward.moves);
        let outer = mergeable(&self.backward, &upper, &self.abstraction.reachable());
        if self.is_cancelled() {
            return self.quotient.partition().clone();
        }
        self.quotient.partition().then(&outer)
    }

    /// The upper labels of the forward direction.
    pub(crate) fn possible(&self) -> Labels {
        upper(&self.abstraction, Direction::Forward, &self.forward.moves)
    }

    /// Whether not even the abstraction can reach the error.
    pub(crate) fn cannot_err(&self) -> bool {
        let possible = self.possible();
        let moves = &self.forward.moves;
        let cannot_err = self.abstraction.live().all(|(id, context)| {
            let mut steps = context.errors.iter().map(|error| error.0);
            steps.all(|step| moves.permitting(step, possible.get(id)).is_none())
        });
        cannot_err && !self.is_cancelled()
    }

    /// Whether upper and lower labels are equal.
    pub(crate) fn is_exact(&self) -> bool {
        let contexts = self.abstraction.reachable();
        [&self.forward, &self.backward].into_iter().all(|lower| {
            let upper = upper(&self.abstraction, lower.direction, &lower.moves);
            contexts.iter().all(|&context| upper.get(context) == lower.get(context))
        })
    }

    fn same_contexts(&self) -> Partition {
        mergeable(&self.forward, &self.possible(), &self.abstraction.reachable())
    }

    /// The backward labels on a coarser quotient: a class is in a label if one of its members was.
    fn backward_on(&self, quotient: &Quotient) -> Lower<'a> {
        let mut class_of = vec![0; self.quotient.lts().n_states()];
        for state in self.split.module.lts.states() {
            class_of[self.quotient.state_of(state).index()] = quotient.state_of(state).index();
        }
        let moves = Moves::backward(quotient.lts(), self.split.shared());
        let mut lower = Lower::of(&self.abstraction, Direction::Backward, moves);
        for (id, _) in self.abstraction.live() {
            let label = self.backward.get(id).ones();
            lower.begin(id, label.map(|part| Id::from_index(class_of[part])));
        }
        lower.close(&self.abstraction);
        lower
    }
}
