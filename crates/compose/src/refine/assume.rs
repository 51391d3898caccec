//! *Assume*: refine until the requirement is the canonical one.
//!
//! ```text
//! loop:
//!     choose a useful split, in the preferred direction of time or in the other
//!     if there is none, the labels are exact and the requirement is canonical
//!     split the class; contexts, edges and labels follow
//! ```

use super::abstraction::Direction;
use super::choose::Cut;
use super::refinement::{RefineProgress, Refinement};
use super::strategy::Strategy;
use crate::cancellation::Cancellation;
use crate::requirement::{Conclusion, Requirement};
use crate::split::Split;
use resy_automata::partition::Partition;

/// A requirement during refinement.
#[derive(Debug)]
pub struct RequirementDraft<'r, 'a> {
    refinement: &'r mut Refinement<'a>,
    hurry: bool,
}

/// The canonical requirement; or, if `go_on` cancels, the one reached so far, which is sound as
/// well, but larger.
pub fn assume(
    split: &Split,
    strategy: Strategy,
    go_on: impl FnMut(&mut RequirementDraft<'_, '_>) -> bool,
) -> Requirement {
    assume_while(split, strategy, go_on, || true)
}

/// Like [`assume`]; `in_step` may cancel in the middle of a step. Then the result is what was merged
/// before that step.
pub fn assume_while(
    split: &Split,
    strategy: Strategy,
    mut go_on: impl FnMut(&mut RequirementDraft<'_, '_>) -> bool,
    in_step: impl FnMut() -> bool,
) -> Requirement {
    if split.fails_at_once() {
        let all = Partition::single(split.module.lts.n_states());
        return Requirement::new(&split.module.lts, all, Conclusion::Fails(Vec::new()));
    }
    let cancellation = Cancellation::new(in_step);
    let mut refinement = Refinement::new(split, &cancellation);
    let mut last = Direction::Forward;
    loop {
        let mut draft = RequirementDraft { refinement: &mut refinement, hurry: false };
        if draft.refinement.is_cancelled() {
            return draft.as_it_is();
        }
        if !go_on(&mut draft) {
            return if draft.hurry { draft.as_it_is() } else { draft.requirement() };
        }
        let Some(cut) = next_cut(&mut refinement, strategy, &mut last) else {
            if refinement.is_cancelled() {
                continue;
            }
            debug_assert!(refinement.is_exact() || refinement.is_cancelled());
            return RequirementDraft { refinement: &mut refinement, hurry: false }.requirement();
        };
        refinement.split(&cut);
    }
}

/// A useful split in the preferred direction, or in the other. There is none if the labels of both
/// directions are exact, the backward ones on the module's final quotient, and if it is known for
/// every context where it matters whether the context is reachable.
fn next_cut(
    refinement: &mut Refinement<'_>,
    strategy: Strategy,
    last: &mut Direction,
) -> Option<Cut> {
    let first = strategy(refinement.steps);
    loop {
        for direction in [first, first.other()] {
            if direction == Direction::Backward && *last == Direction::Forward {
                refinement.merge();
            }
            if let Some(cut) = refinement.cut(direction) {
                *last = direction;
                return Some(cut);
            }
        }
        if !refinement.merge() {
            return refinement.cut_at_doubt();
        }
    }
}

impl RequirementDraft<'_, '_> {
    /// The progress of the refinement.
    pub fn progress(&self) -> RefineProgress {
        self.refinement.progress()
    }

    /// The requirement so far. It is expensive to compute, and only computed on request. If it is
    /// cancelled meanwhile, it is what was merged before.
    pub fn requirement(&mut self) -> Requirement {
        let (partition, verdict) = (self.refinement.partition(), self.refinement.verdict());
        if self.refinement.is_cancelled() {
            return self.as_it_is();
        }
        self.with(partition, verdict)
    }

    /// Requests that a cancelled refinement returns what it has already computed.
    pub fn hurry(&mut self) {
        self.hurry = true;
    }

    /// The classes merged so far, and a violation if one is known. This is sound as well.
    fn as_it_is(&self) -> Requirement {
        // In the middle of a step not all contexts have labels.
        let is_whole = !self.refinement.is_cancelled();
        let violation = is_whole.then(|| self.refinement.forward_violation()).flatten();
        let fails = violation.map(|run| Conclusion::Fails(self.refinement.split.steps(&run)));
        let partition = self.refinement.quotient.partition().clone();
        self.with(partition, fails.unwrap_or(Conclusion::Interrupted))
    }

    fn with(&self, partition: Partition, verdict: Conclusion) -> Requirement {
        let requirement = Requirement::new(&self.refinement.split.module.lts, partition, verdict);
        requirement.with_environment(self.refinement.abstraction.partitions())
    }
}

impl Refinement<'_> {
    /// The conclusion so far.
    fn verdict(&self) -> Conclusion {
        match self.forward_violation() {
            Some(run) => Conclusion::Fails(self.split.steps(&run)),
            None if self.cannot_err() => Conclusion::Holds,
            None => Conclusion::Interrupted,
        }
    }
}
