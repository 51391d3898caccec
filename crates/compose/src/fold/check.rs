//! Fold, and decide what is left.

use super::{FoldLimits, FoldProgress, Folded, fold};
use crate::patience::Patience;
use crate::requirement::Conclusion;
use crate::split::{Split, SplitError};
use crate::{evidence, explicit, network, refine};
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::oldest_first;
use resy_certificate::ProofEvidence;

/// How many transitions the images of a proof may have for each state of the inductive sets that it may have.
const DEGREE: usize = 16;

/// What a check found.
#[derive(Clone, Debug)]
pub struct FoldOutcome<'n> {
    /// What is known of the property. A run is one of the original network, and each of its components has
    /// followed it.
    pub verdict: Conclusion,
    /// What was decided instead.
    pub folded: Folded<'n>,
    /// What was decided about it: if the property holds, it holds of the quotients of the clusters
    /// by these partitions.
    decided: refine::RefineOutcome,
}

/// How far a check is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FoldStage {
    /// The network becomes smaller.
    Folding(FoldProgress),
    /// What is left is abstracted, and the abstraction refined.
    Refining(refine::RefineProgress),
}

/// Whether the property of a network holds; unknown if `go_on` says no before this is decided.
pub fn check(
    network: &Network,
    limits: FoldLimits,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<FoldOutcome<'_>, SplitError> {
    let (mut goes_on, mut last) = (true, FoldProgress::default());
    let folded = fold(network, limits, |progress| {
        (goes_on, last) = (go_on(&FoldStage::Folding(*progress)), *progress);
        goes_on
    });
    let split = Split::without_module(&folded.network)?;
    let explicitly = goes_on.then(|| {
        let patience = Patience::new(|| go_on(&FoldStage::Folding(last)));
        let decided = explicitly(&folded.network, limits, &patience);
        goes_on = !patience.is_over();
        decided
    });
    let decided = match explicitly.flatten() {
        Some(decided) => decided,
        None if goes_on => network::check(&split.until_settled(), |progress| {
            go_on(&FoldStage::Refining(*progress))
        }),
        None => unknown(&folded.network),
    };
    let verdict = match &decided.verdict {
        Conclusion::Fails(run) => {
            let run = folded.unfold(run);
            Conclusion::Fails(run.expect("branching bisimulation keeps runs"))
        }
        other => other.clone(),
    };
    Ok(FoldOutcome { verdict, folded, decided })
}

impl FoldOutcome<'_> {
    /// Why the property holds, if it does, with at most `limit` states of the inductive sets, and a few
    /// transitions for each of them.
    pub fn evidence(&self, limit: usize) -> Option<ProofEvidence> {
        let split = Split::without_module(&self.folded.network).ok()?;
        let found = evidence::of_check(&split, &self.decided, limit)?;
        self.folded.evidence(&found, limit.saturating_mul(DEGREE))
    }
}

/// The product of what is left, if it is small: with its tuples no larger than the largest product of two.
fn explicitly(
    network: &Network,
    limits: FoldLimits,
    patience: &Patience<'_>,
) -> Option<refine::RefineOutcome> {
    let limit = limits.product * 2 / (network.components.len() + 1);
    let go_on = |n_states| n_states <= limit && patience.lasts();
    let verdict = explicit::check(network, oldest_first, go_on);
    (verdict != Conclusion::Interrupted)
        .then(|| refine::RefineOutcome { verdict, ..unknown(network) })
}

/// Nothing is known, and nothing abstracted.
fn unknown(network: &Network) -> refine::RefineOutcome {
    let discrete = network.components.iter().map(|c| Partition::discrete(c.lts.n_states()));
    refine::RefineOutcome { verdict: Conclusion::Interrupted, partitions: discrete.collect() }
}
