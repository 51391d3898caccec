//! Plain refinement and refinement with counting in turns.
//!
//! Most properties of many processes are about few of them, and need no sums. So counting begins
//! only when plain refinement has spent a budget. Turns end by work, not by time.

use super::counting::{self, Counted};
use super::{Parts, refine};
use crate::refine::{RefineOutcome, RefineProgress};
use crate::requirement::Conclusion;
use crate::split::Split;

/// The work of the first turn.
pub(super) const FIRST_TURN: usize = 1_000_000;
/// The factor by which turns become longer.
const LONGER: usize = 2;
/// How much longer turns of counting are: its last search finds all combinations of counters.
const COUNTING: usize = 4;

/// Whether the property holds; `first_turn` is the work after which parts that are alike are counted.
pub(super) fn check(
    split: &Split,
    whole: &[usize],
    first_turn: usize,
    mut go_on: impl FnMut(&RefineProgress) -> bool,
) -> RefineOutcome {
    let mut parts = Parts::unsplit(split);
    whole.iter().for_each(|&part| parts.keep_whole(part));
    let mut turns = Turns { before: RefineProgress::default(), go_on: &mut go_on };
    if let Some(verdict) = turns.take(first_turn, &mut |go_on| refine(&mut parts, go_on)) {
        return plainly(verdict, &parts);
    }
    let fused = counting::fused(split, whole);
    let mut counted = Counted::unsplit(fused.as_ref().unwrap_or(split), whole);
    let mut budget = first_turn.max(FIRST_TURN);
    loop {
        if !counted.has_groups() {
            budget = usize::MAX;
        } else if let Some(verdict) = turns.take(budget.saturating_mul(COUNTING), &mut |go_on| {
            counting::refine(&mut counted, go_on)
        }) {
            let verdict = match (verdict, &fused) {
                (Conclusion::Fails(run), Some(_)) => {
                    Conclusion::Fails(counting::unfused(split, &run))
                }
                (verdict, _) => verdict,
            };
            let counted = Some(counted.outcome());
            return RefineOutcome { counted, ..plainly(verdict, &parts) };
        }
        budget = budget.saturating_mul(LONGER);
        if let Some(verdict) = turns.take(budget, &mut |go_on| refine(&mut parts, go_on)) {
            return plainly(verdict, &parts);
        }
    }
}

/// The outcome without counting.
fn plainly(verdict: Conclusion, parts: &Parts<'_>) -> RefineOutcome {
    RefineOutcome { verdict, partitions: parts.partitions(), counted: None }
}

/// What a turn asks: whether it may go on, given its progress and work.
type GoOn<'g> = dyn FnMut(&RefineProgress, usize) -> bool + 'g;

/// Turns of one computation.
struct Turns<'g> {
    /// The progress of all turns so far.
    before: RefineProgress,
    go_on: &'g mut dyn FnMut(&RefineProgress) -> bool,
}

impl Turns<'_> {
    /// A turn with this budget; `None` if it ended for that reason.
    fn take(
        &mut self,
        budget: usize,
        refine: &mut dyn FnMut(&mut GoOn<'_>) -> Conclusion,
    ) -> Option<Conclusion> {
        let (before, mut now) = (self.before, self.before);
        let mut is_spent = false;
        let verdict = refine(&mut |progress, work| {
            now = before.and(progress);
            is_spent = work > budget;
            !is_spent && (self.go_on)(&now)
        });
        self.before = now;
        (verdict != Conclusion::Interrupted || !is_spent).then_some(verdict)
    }
}
