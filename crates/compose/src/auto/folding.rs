//! Folding: the environment is composed and reduced around the module.
//!
//! The folded environment has the same words, which is all that a safety property can observe,
//! whatever is in the module's place. So it has the same verdict with every image of the module, and
//! the rows of its reached pairs give a requirement. (It is not the canonical one: contexts with the
//! same future and different pasts are one.) Clashes in it are clashes of the environment: one word
//! leads a state of the module to a context, a second one leads from there to the error by another
//! state, and both together are a word of the environment. The proof is a tree with the module as one more leaf.

use super::budget::{Polls, Round};
use super::contexts::ContextSystems;
use super::merge::{Merged, merge};
use super::pairs::Closing;
use super::rows::RowProof;
use super::whole::{Whole, module_id};
use super::{Attempt, AutoProgress, Grounds};
use crate::cancellation::Cancellation;
use crate::evidence;
use crate::fold::{FoldLimits, FoldProgress, Folded, Folding};
use crate::settled::until_settled;
use crate::split::{Split, SplitPart};
use resy_automata::network::{Monitor, Network};
use resy_automata::partition::Partition;
use resy_certificate::ProofEvidence;

/// The maximal number of transitions of a proof's images, per allowed state of its inductive sets.
const DEGREE: usize = 16;

/// The folding of a whole around its module, as far as it has come.
pub(super) struct EnvironmentFolding<'w> {
    whole: &'w Whole<'w>,
    stage: FoldingStage<'w>,
}

enum FoldingStage<'w> {
    /// Not even the leaves have been reduced.
    Begun,
    Joining(Box<Folding<'w>>),
    Done(Box<Folded<'w>>),
}

impl<'w> EnvironmentFolding<'w> {
    /// Nothing is folded.
    pub(super) fn new(whole: &'w Whole<'w>) -> Self {
        Self { whole, stage: FoldingStage::Begun }
    }

    /// Goes on with folding within the budget, and then explores the product with the module.
    pub(super) fn attempt(
        &mut self,
        monitor: &Monitor,
        round: Round,
        polls: &mut Polls<'_>,
    ) -> Attempt {
        self.fold(round, polls);
        let FoldingStage::Done(folded) = &self.stage else { return Attempt::Undecided };
        let Some(module) = folded.component(module_id()) else { return Attempt::Undecided };
        let components = folded.network.components.iter_enumerated();
        let environment = components.filter(|(id, _)| *id != module).map(|(_, c)| &c.lts);
        let lts = &folded.network.components[module].lts;
        let monitor = until_settled(monitor);
        let systems = ContextSystems::new(environment, &monitor, lts.alphabet());
        let mut proof = match RowProof::new(&systems, lts, round.proof(), round, polls) {
            Ok(proof) => proof,
            Err(Closing::Error) => return run(self.whole, folded, polls),
            Err(_) => return Attempt::Undecided,
        };
        let Merged { partition, quality, is_cancelled } = merge(&mut proof);
        let reached = proof.reached(&partition);
        let folded = Folded::clone(folded).into_owned();
        let grounds = Grounds::Folding(Box::new(folded), partition.clone());
        Attempt::Proved { partition, quality, is_cancelled, reached, grounds }
    }

    fn fold(&mut self, round: Round, polls: &mut Polls<'_>) {
        let mut is_open = |progress: &FoldProgress| polls.go_on(&AutoProgress::Folding(*progress));
        let begun = std::mem::replace(&mut self.stage, FoldingStage::Begun);
        let mut folding = match begun {
            FoldingStage::Done(folded) => {
                self.stage = FoldingStage::Done(folded);
                return;
            }
            FoldingStage::Joining(folding) => folding,
            FoldingStage::Begun => {
                let (network, module) = (&self.whole.network, Some(module_id()));
                let limits = FoldLimits::default();
                Box::new(Folding::start(network, module, limits, &mut is_open))
            }
        };
        let is_done = folding.run(round.clusters(), &mut is_open);
        self.stage = match is_done {
            true => FoldingStage::Done(Box::new(folding.folded())),
            false => FoldingStage::Joining(folding),
        };
    }
}

/// A run of the network from a run of the folded one.
fn run(whole: &Whole<'_>, folded: &Folded<'_>, polls: &mut Polls<'_>) -> Attempt {
    let Some(run) = super::product::run(&folded.network, polls) else { return Attempt::Undecided };
    let n_clusters = folded.network.components.len();
    let last = FoldProgress { n_clusters, n_states: folded.n_states };
    let cancellation = Cancellation::new(|| polls.go_on(&AutoProgress::Folding(last)));
    match folded.unfold_while(&run, || cancellation.goes_on()) {
        Some(run) => Attempt::Fails(whole.run(&run)),
        None => Attempt::Undecided,
    }
}

/// Why the property holds with a quotient of the first component.
pub(super) fn evidence(
    folded: &Folded<'_>,
    partition: &Partition,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<ProofEvidence> {
    let module = vec![folded.component(module_id())?];
    let network = Network { module, ..folded.network.clone() };
    let split = Split::around_module(&network, usize::MAX, &mut |_| go_on()).ok()?;
    let discrete = |part: &SplitPart| Partition::discrete(part.lts.n_states());
    let environment: Vec<Partition> = split.environment.iter().map(discrete).collect();
    let found = evidence::proof_while(&split, partition, &environment, limit, go_on)?;
    folded.evidence(&found, limit.saturating_mul(DEGREE))
}
