//! *Assume*: refine until the requirement is the canonical one.

use super::abstraction::Direction;
use super::choose::Cut;
use super::refinement::{RefineProgress, Refinement};
use super::strategy::Strategy;
use crate::requirement::{Conclusion, Requirement};
use crate::split::Split;
use resy_automata::partition::Partition;

/// A requirement that is being refined.
#[derive(Debug)]
pub struct Draft<'r, 'a> {
    refinement: &'r mut Refinement<'a>,
    hurry: bool,
}

/// The canonical requirement, or the one reached when `go_on` says no: sound as well,
/// but larger.
pub fn assume(
    split: &Split,
    strategy: Strategy,
    mut go_on: impl FnMut(&mut Draft<'_, '_>) -> bool,
) -> Requirement {
    if split.fails_at_once() {
        let all = Partition::single(split.module.lts.n_states());
        return Requirement::new(&split.module.lts, all, Conclusion::Fails(Vec::new()));
    }
    let mut refinement = Refinement::new(split);
    let mut last = Direction::Forward;
    loop {
        let mut draft = Draft { refinement: &mut refinement, hurry: false };
        if !go_on(&mut draft) {
            return if draft.hurry { draft.as_it_is() } else { draft.requirement() };
        }
        let Some(cut) = next_cut(&mut refinement, strategy, &mut last) else {
            debug_assert!(refinement.is_exact());
            return Draft { refinement: &mut refinement, hurry: false }.requirement();
        };
        refinement.split(&cut);
    }
}

/// A useful split in the preferred direction, or in the other. There is none left when both
/// directions have nothing to do, the backward one on the module's final quotient, and no
/// context is left of which it matters, but is not known, whether it can be reached.
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

impl Draft<'_, '_> {
    /// How far the refinement is.
    pub fn progress(&self) -> RefineProgress {
        self.refinement.progress()
    }

    /// The requirement so far. To compute it takes a while; it is not done unless asked for.
    pub fn requirement(&mut self) -> Requirement {
        let (partition, verdict) = (self.refinement.partition(), self.refinement.verdict());
        self.with(partition, verdict)
    }

    /// There is no time: who stops now wants what is there already.
    pub fn hurry(&mut self) {
        self.hurry = true;
    }

    /// What was merged on the way, and a violation if one was seen. This is sound as well.
    fn as_it_is(&self) -> Requirement {
        let violation = self.refinement.forward_violation();
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
    /// What is known of the property.
    fn verdict(&self) -> Conclusion {
        match self.forward_violation() {
            Some(run) => Conclusion::Fails(self.split.steps(&run)),
            None if self.cannot_err() => Conclusion::Holds,
            None => Conclusion::Interrupted,
        }
    }
}
