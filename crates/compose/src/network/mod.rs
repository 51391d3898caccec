//! Many processes at once: every component is abstracted, and none is the module.
//!
//! One partition for each component, a single class at first; the monitor is not abstracted. As long
//! as the abstract product has a path to the error state, its word is replayed in each component
//! alone, which costs the sum of the components and not their product. If all can follow, it
//! is a run of the network. Otherwise a component that cannot is refined, where it
//! gets stuck on the classes of the path.
//!
//! Two things keep this small. A component that has never been split takes part in nothing that
//! changes, so that it is left out: what is explored is the part of the network that the property
//! has been found to depend on. And the path is looked for where it is expected, not in
//! breadth: only the last round, which finds none, has to see everything.

mod outline;
mod parts;
mod plan;
mod replay;
mod search;
mod trail;

use crate::refine::{RefineOutcome, RefineProgress};
use crate::requirement::Conclusion;
use crate::split::Split;
use outline::Outline;
use parts::Parts;
use search::SearchResult;

/// Whether the property holds of a split without a module; unknown if `go_on` says no before this
/// is decided.
pub fn check(split: &Split, mut go_on: impl FnMut(&RefineProgress) -> bool) -> RefineOutcome {
    let mut parts = Parts::unsplit(split);
    if split.fails_at_once() {
        return RefineOutcome {
            verdict: Conclusion::Fails(Vec::new()),
            partitions: parts.partitions(),
        };
    }
    let mut steps = 0;
    let verdict = loop {
        let n_classes = parts.n_classes();
        let mut go_on = |n_contexts| go_on(&RefineProgress { steps, n_classes, n_contexts });
        let outline = Outline::of(&parts);
        let path = match search::to_error(&outline, &mut go_on) {
            SearchResult::Path(path) => path,
            SearchResult::Nothing => break Conclusion::Holds,
            SearchResult::Interrupted => break Conclusion::Interrupted,
        };
        match replay::run_or_conflict(&parts, &outline, &path) {
            Ok(run) => break Conclusion::Fails(run),
            Err(conflict) => parts.split(&conflict),
        }
        steps += 1;
    };
    RefineOutcome { verdict, partitions: parts.partitions() }
}
