//! Fold, and decide what is left.

use super::{FoldLimits, FoldProgress, Folded, fold};
use crate::cancellation::Cancellation;
use crate::requirement::Conclusion;
use crate::split::{Split, SplitError};
use crate::{cegar, evidence, explicit, refine};
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::oldest_first;
use resy_certificate::ProofEvidence;

/// The maximal number of transitions of a proof's images, per allowed state of its inductive sets.
const DEGREE: usize = 16;

/// The result of a check by folding.
#[derive(Clone, Debug)]
pub struct FoldOutcome<'n> {
    /// The conclusion. A run is one of the original network, and has been replayed in each
    /// component.
    pub verdict: Conclusion,
    /// The folded network that was decided instead.
    pub folded: Folded<'n>,
    /// The result for the folded network: if the property holds, it holds for the quotients of the
    /// clusters by these partitions.
    decided: refine::RefineOutcome,
}

/// The progress of a check.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FoldStage {
    /// The network is being folded.
    Folding(FoldProgress),
    /// The folded network is being decided by refinement.
    Refining(refine::RefineProgress),
}

/// Whether the property of a network holds; `Interrupted` if `go_on` cancels.
pub fn check(
    network: &Network,
    limits: FoldLimits,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<FoldOutcome<'_>, SplitError> {
    let mut goes_on = true;
    let folded = fold(network, limits, |progress| {
        goes_on = go_on(&FoldStage::Folding(*progress));
        goes_on
    });
    if goes_on {
        return decide(folded, limits, go_on);
    }
    let decided = unknown(&folded.network);
    Ok(FoldOutcome { verdict: Conclusion::Interrupted, folded, decided })
}

/// Whether the property of a folded network holds; `Interrupted` if `go_on` cancels.
pub(crate) fn decide<'n>(
    folded: Folded<'n>,
    limits: FoldLimits,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<FoldOutcome<'n>, SplitError> {
    let n_clusters = folded.network.components.len();
    let last = FoldProgress { n_clusters, n_states: folded.n_states };
    let split = Split::without_module(&folded.network)?;
    let cancellation = Cancellation::new(|| go_on(&FoldStage::Folding(last)));
    let explicitly = explicitly(&folded.network, limits, &cancellation);
    let goes_on = !cancellation.is_cancelled();
    drop(cancellation);
    let decided = match explicitly {
        Some(decided) => decided,
        None if goes_on => {
            cegar::check(&split.until_settled(), |progress| go_on(&FoldStage::Refining(*progress)))
        }
        None => unknown(&folded.network),
    };
    let cancellation = Cancellation::new(|| go_on(&FoldStage::Folding(last)));
    let verdict = match &decided.verdict {
        Conclusion::Fails(run) => match folded.unfold_while(run, || cancellation.goes_on()) {
            Some(run) => Conclusion::Fails(run),
            None if cancellation.is_cancelled() => Conclusion::Interrupted,
            None => unreachable!("a cluster has the words of its parts"),
        },
        other => other.clone(),
    };
    drop(cancellation);
    Ok(FoldOutcome { verdict, folded, decided })
}

impl FoldOutcome<'_> {
    /// Why the property holds, if it does; with at most `limit` states of the inductive sets, and a
    /// bounded number of transitions per state.
    pub fn evidence(&self, limit: usize) -> Option<ProofEvidence> {
        let split = Split::without_module(&self.folded.network).ok()?;
        let found = evidence::of_check(&split, &self.decided, limit)?;
        self.folded.evidence(&found, limit.saturating_mul(DEGREE))
    }
}

/// If so few clusters are left, their product may be larger: it is only traversed, not reduced.
const FEW_CLUSTERS: usize = 3;
/// How much larger. A pipeline that is folded from both ends meets in the middle.
const TRAVERSED: usize = 20;

/// Decides the folded network by its product, if that is small: its tuples take no more space than
/// the largest product of two clusters, or a few times as much if few clusters are left.
fn explicitly(
    network: &Network,
    limits: FoldLimits,
    cancellation: &Cancellation<'_>,
) -> Option<refine::RefineOutcome> {
    let n_clusters = network.components.len();
    let times = if n_clusters <= FEW_CLUSTERS { TRAVERSED } else { 1 };
    let limit = limits.product.saturating_mul(2 * times) / (n_clusters + 1);
    let go_on = |n_states| n_states <= limit && cancellation.goes_on();
    let verdict = explicit::check(network, oldest_first, go_on);
    (verdict != Conclusion::Interrupted)
        .then(|| refine::RefineOutcome { verdict, ..unknown(network) })
}

/// The result without a decision and without abstraction.
fn unknown(network: &Network) -> refine::RefineOutcome {
    let discrete = network.components.iter().map(|c| Partition::discrete(c.lts.n_states()));
    let (verdict, partitions) = (Conclusion::Interrupted, discrete.collect());
    refine::RefineOutcome { verdict, partitions, counted: None }
}
