//! *Check*: refine until the property is proved or disproved, regardless of the requirement.
//!
//! ```text
//! loop:
//!     if lower labels show a violation: it fails
//!     if not even upper labels can err: it holds
//!     choose a useful split; if there is none, it holds
//!     split the class
//! ```
//!
//! The module is not merged here, so that a disproof is a run: forward must edges up to some point,
//! and backward must edges from there on. The opposite order would be unsound.

use super::refinement::{RefineProgress, Refinement};
use super::strategy::Strategy;
use crate::cancellation::Cancellation;
use crate::cegar::CountedOutcome;
use crate::requirement::Conclusion;
use crate::split::Split;
use resy_automata::partition::Partition;
use std::cell::Cell;

/// The result of a check by refinement.
#[derive(Clone, Debug)]
pub struct RefineOutcome {
    /// The conclusion about the property.
    pub verdict: Conclusion,
    /// The partition of each part of the environment. If the property holds, it holds for the
    /// module with the quotients by these partitions.
    pub partitions: Vec<Partition>,
    /// What holds instead, if parts were counted.
    pub counted: Option<CountedOutcome>,
}

/// Whether the property holds; `Interrupted` if `go_on` cancels. It is called for each step, and during
/// long ones with the progress before them.
pub fn check(
    split: &Split,
    strategy: Strategy,
    mut go_on: impl FnMut(&RefineProgress) -> bool,
) -> RefineOutcome {
    if split.fails_at_once() {
        let partitions = split.environment.iter().map(|p| Partition::single(p.lts.n_states()));
        return RefineOutcome {
            verdict: Conclusion::Fails(Vec::new()),
            partitions: partitions.collect(),
            counted: None,
        };
    }
    let split = split.until_settled();
    let progress = Cell::new(RefineProgress::default());
    let cancellation = Cancellation::new(|| go_on(&progress.get()));
    let mut refinement = Refinement::new(&split, &cancellation);
    let verdict = decide(&mut refinement, strategy, |now| {
        progress.set(*now);
        cancellation.goes_on_now()
    });
    RefineOutcome { verdict, partitions: refinement.abstraction.partitions(), counted: None }
}

fn decide(
    refinement: &mut Refinement<'_>,
    strategy: Strategy,
    mut go_on: impl FnMut(&RefineProgress) -> bool,
) -> Conclusion {
    let mut ask_at = 0;
    loop {
        if refinement.is_cancelled() {
            return Conclusion::Interrupted;
        }
        if let Some(run) = refinement.violation() {
            return Conclusion::Fails(refinement.split.steps(&run));
        }
        // A proof needs upper labels, which are computed from scratch: not at each step.
        if refinement.steps >= ask_at {
            if refinement.cannot_err() {
                return Conclusion::Holds;
            }
            ask_at = refinement.steps + refinement.steps / 4 + 1;
        }
        if !go_on(&refinement.progress()) {
            return Conclusion::Interrupted;
        }
        // Labels that are exact in one direction show every violation.
        let Some(cut) = refinement.cut(strategy(refinement.steps)) else {
            return match refinement.is_cancelled() {
                true => Conclusion::Interrupted,
                false => Conclusion::Holds,
            };
        };
        refinement.split(&cut);
    }
}
