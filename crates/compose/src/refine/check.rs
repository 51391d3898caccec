//! *Check*: refine until the property is proved or disproved, whatever the requirement.
//!
//! Nothing of the module is merged here, so that a disproof is a run: forward must edges
//! up to some point, and backward must edges from there on. The other way round would be unsound.

use super::refinement::{RefineProgress, Refinement};
use super::strategy::Strategy;
use crate::requirement::Conclusion;
use crate::split::Split;
use resy_automata::partition::Partition;

/// What a check found.
#[derive(Clone, Debug)]
pub struct RefineOutcome {
    /// What is known of the property.
    pub verdict: Conclusion,
    /// The partition of each part of the environment. If the property holds, it holds of the
    /// module with the quotients by these.
    pub partitions: Vec<Partition>,
}

/// Whether the property holds; unknown if `go_on` says no before this is decided.
pub fn check(
    split: &Split,
    strategy: Strategy,
    go_on: impl FnMut(&RefineProgress) -> bool,
) -> RefineOutcome {
    if split.fails_at_once() {
        let partitions = split.environment.iter().map(|p| Partition::single(p.lts.n_states()));
        return RefineOutcome {
            verdict: Conclusion::Fails(Vec::new()),
            partitions: partitions.collect(),
        };
    }
    let split = split.until_settled();
    let mut refinement = Refinement::new(&split);
    let verdict = decide(&mut refinement, strategy, go_on);
    RefineOutcome { verdict, partitions: refinement.abstraction.partitions() }
}

fn decide(
    refinement: &mut Refinement<'_>,
    strategy: Strategy,
    mut go_on: impl FnMut(&RefineProgress) -> bool,
) -> Conclusion {
    let mut ask_at = 0;
    loop {
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
        // Labels that are exact in either direction show every violation.
        let Some(cut) = refinement.cut(strategy(refinement.steps)) else {
            return Conclusion::Holds;
        };
        refinement.split(&cut);
    }
}
