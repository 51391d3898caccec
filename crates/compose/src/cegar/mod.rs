//! Network refinement: counterexample-guided refinement in which every component is abstracted.
//!
//! ```text
//! one partition per component, a single class at first
//! loop:
//!     outline:  the quotients of the components that have been split, and the monitor
//!     search:   a path of the outline to the error; if there is none, the property holds
//!     replay:   follow the path in each component alone; if all can, it is a run: a violation
//!     split:    a class of a component that cannot follow, where it gets stuck
//! ```
//!
//! Replaying costs the sum of the components, not their product. The path is followed *on its
//! classes*: a component is split by whether its states can take the path's step into the path's
//! next class. Splitting where it gets stuck on the labels alone need not make progress. The monitor
//! is not abstracted.
//!
//! Two things keep this small. A component that has never been split is left out, so that only the
//! part of the network is explored on which the property has been found to depend. And the search
//! is guided by plans instead of breadth-first: only the last round, which finds no path, explores
//! everything.
//!
//! Tried and dropped: after a proof, to merge the classes of each component again. None of the
//! components of five families could be made whole, and 7 of 126 in 24 models of the suite.

mod counting;
mod outline;
mod parts;
mod plan;
mod replay;
mod search;
mod trail;
mod turns;

pub use counting::CountedOutcome;
pub(crate) use counting::Multiset;
pub(crate) use parts::Parts;

use crate::refine::{RefineOutcome, RefineProgress};
use crate::requirement::Conclusion;
use crate::split::Split;
use outline::Outline;
use search::SearchResult;

/// The work of a context, and how many states of a long tuple are copied for one unit of it.
const CONTEXT: usize = 8;
const COPIED: usize = 8;

/// Whether the property holds for a split without a module; `Interrupted` if `go_on` cancels.
pub fn check(split: &Split, go_on: impl FnMut(&RefineProgress) -> bool) -> RefineOutcome {
    check_with(split, &[], go_on)
}

/// Like [`check`]; these parts, by their places in the environment, are not abstracted.
pub fn check_with(
    split: &Split,
    whole: &[usize],
    go_on: impl FnMut(&RefineProgress) -> bool,
) -> RefineOutcome {
    turns::check(split, whole, turns::FIRST_TURN, go_on)
}

/// Like [`check`], with parts that are alike counted from the beginning, if there are any.
pub fn check_counting(split: &Split, go_on: impl FnMut(&RefineProgress) -> bool) -> RefineOutcome {
    turns::check(split, &[], 0, go_on)
}

/// Refines the present partitions until the property is decided; `Interrupted` if
/// `go_on(progress, work)` cancels. Work is counted in states of single systems that were visited,
/// so that it does not depend on the machine; to copy one of a long tuple is the least of it.
pub(crate) fn refine(
    parts: &mut Parts<'_>,
    go_on: &mut dyn FnMut(&RefineProgress, usize) -> bool,
) -> Conclusion {
    if parts.fails_at_once() {
        return Conclusion::Fails(Vec::new());
    }
    let (mut steps, mut work) = (0, 0);
    loop {
        let n_classes = parts.n_classes();
        let outline = Outline::of(parts);
        let context = CONTEXT + outline.systems.len() / COPIED;
        work += outline.n_transitions();
        let mut go_on = |n_contexts: usize| {
            let progress = RefineProgress { steps, n_classes, n_contexts };
            go_on(&progress, work + n_contexts * context)
        };
        let (result, n_contexts) = search::to_error(&outline, &mut go_on);
        work += n_contexts * context;
        let path = match result {
            SearchResult::Path(path) => path,
            SearchResult::Nothing => return Conclusion::Holds,
            SearchResult::Interrupted => return Conclusion::Interrupted,
        };
        match replay::run_or_conflict(parts, &outline, &path) {
            Ok(run) => return Conclusion::Fails(run),
            Err(conflict) => {
                work += 2 * parts.lts(conflict.part).n_transitions();
                parts.split(&conflict);
            }
        }
        steps += 1;
    }
}
