//! Folding through the module: the module is composed and reduced like every other component.
//!
//! In a pipeline whose messages matter, what comes after the module can only be reduced together with
//! what comes before it; around the module it would be exponential. So the module becomes a leaf of
//! the tree like the others, and a trial folds the network again with the joined image as that leaf.
//! Such trials are expensive: words by which earlier ones have failed are tried first (`merge.rs`).

use super::budget::{Polls, Round};
use super::merge::{Mergeable, Merged, Refutation, Trial, joining, merge, with};
use super::whole::{Whole, module_id};
use super::{Attempt, AutoProgress, Grounds};
use crate::fold::{self, FoldLimits, FoldOutcome, FoldProgress, FoldStage, Folded, Folding};
use crate::requirement::Conclusion;
use resy_automata::lts::{Lts, StateId};
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_automata::quotient::Quotient;
use resy_certificate::ProofEvidence;

/// The folding of a whole, as far as it has come.
pub(super) struct ThroughFolding<'w> {
    whole: &'w Whole<'w>,
    folding: Option<Folding<'w>>,
    folded: Option<Folded<'w>>,
}

impl<'w> ThroughFolding<'w> {
    /// Nothing is folded.
    pub(super) fn new(whole: &'w Whole<'w>) -> Self {
        Self { whole, folding: None, folded: None }
    }

    /// Goes on with folding within the budget, and decides what is left.
    pub(super) fn attempt(&mut self, round: Round, polls: &mut Polls<'_>) -> Attempt {
        if !round.is_late() {
            return Attempt::Undecided;
        }
        self.fold(round, polls);
        let Some(folded) = &self.folded else { return Attempt::Undecided };
        let decided = counted(round.polls(), polls, |go_on| {
            fold::decide(folded.clone(), FoldLimits::default(), go_on).ok()
        });
        match decided.map(|decided| (decided.verdict.clone(), decided)) {
            Some((Conclusion::Holds, decided)) => self.merged(&decided, round, polls),
            Some((Conclusion::Fails(run), _)) => Attempt::Fails(self.whole.run(&run)),
            _ => Attempt::Undecided,
        }
    }

    fn fold(&mut self, round: Round, polls: &mut Polls<'_>) {
        if self.folded.is_some() {
            return;
        }
        let mut is_open = |progress: &FoldProgress| polls.go_on(&AutoProgress::Folding(*progress));
        let mut folding = self.folding.take().unwrap_or_else(|| {
            Folding::start(&self.whole.network, None, FoldLimits::default(), &mut is_open)
        });
        let is_done = folding.run(round.clusters(), &mut is_open);
        match is_done {
            true => self.folded = Some(folding.folded()),
            false => self.folding = Some(folding),
        }
    }

    fn merged(&self, decided: &FoldOutcome<'_>, round: Round, polls: &mut Polls<'_>) -> Attempt {
        let module = self.whole.module();
        let mut proof = ThroughProof {
            whole: self.whole,
            classes: Partition::discrete(module.n_states()),
            image: module.clone(),
            group_of: (0..module.n_states()).collect(),
            round,
            polls,
        };
        // The reduced leaf is enough, unless it was reduced for reasons of this one network.
        if let Some(leaf) = decided.folded.leaves().next()
            && let Trial::Joined = proof.tried(Quotient::of(module, leaf.clone()).lts())
        {
            proof.classes = leaf.clone();
            proof.image = Quotient::of(module, leaf.clone()).into_lts();
            proof.group_of = (0..leaf.n_blocks()).collect();
        }
        let Merged { partition, quality, is_cancelled } = merge(&mut proof);
        let reached = vec![true; partition.n_blocks()];
        let grounds = Grounds::Through(partition.clone());
        Attempt::Proved { partition, quality, is_cancelled, reached, grounds }
    }
}

/// Runs a folding with a bounded number of polls.
fn counted<T>(
    limit: usize,
    polls: &mut Polls<'_>,
    run: impl FnOnce(&mut dyn FnMut(&FoldStage) -> bool) -> T,
) -> T {
    let mut n_polls = 0;
    run(&mut |stage| {
        n_polls += 1;
        let progress = match stage {
            FoldStage::Folding(progress) => AutoProgress::Folding(*progress),
            // What is not decided by its product is not worth the time.
            FoldStage::Refining(_) => return false,
        };
        n_polls <= limit && polls.go_on(&progress)
    })
}

struct ThroughProof<'p, 'w, 'g> {
    whole: &'p Whole<'w>,
    classes: Partition,
    image: Lts,
    group_of: Vec<usize>,
    round: Round,
    polls: &'p mut Polls<'g>,
}

impl ThroughProof<'_, '_, '_> {
    /// The verdict with an image of the module.
    fn tried(&mut self, image: &Lts) -> Trial {
        let network = with_module(&self.whole.network, image);
        let decided = counted(self.round.polls(), self.polls, |go_on| {
            fold::check(&network, FoldLimits::default(), go_on).ok().map(|found| found.verdict)
        });
        match decided {
            Some(Conclusion::Holds) => Trial::Joined,
            Some(Conclusion::Fails(run)) => Trial::Refused(word(&run, image)),
            _ if self.polls.is_cancelled() => Trial::Cancelled,
            _ => Trial::GivenUp,
        }
    }
}

impl Mergeable for ThroughProof<'_, '_, '_> {
    fn module(&self) -> &Lts {
        self.whole.module()
    }

    fn classes(&self) -> &Partition {
        &self.classes
    }

    fn join(&mut self, class: usize, group: usize) -> Trial {
        let candidate = with(&self.group_of, class, group);
        let image = Quotient::of(&self.image, candidate).into_lts();
        let trial = self.tried(&image);
        if trial == Trial::Joined {
            self.group_of[class] = group;
        }
        trial
    }

    fn are_apart(&mut self, one: StateId, other: StateId) -> bool {
        let module = self.whole.module();
        let image = Quotient::of(module, joining(module.n_states(), one, other));
        matches!(self.tried(image.lts()), Trial::Refused(_))
    }
}

/// The actions of the module in a run.
pub(super) fn word(run: &[ProductStep], module: &Lts) -> Option<Refutation> {
    let actions = run.iter().filter_map(|step| step.label().action());
    Some(actions.filter(|&action| module.alphabet().contains(action)).collect())
}

fn with_module(network: &Network, image: &Lts) -> Network {
    let mut network = network.clone();
    network.components[module_id()].lts = image.clone();
    network
}

/// Why the property holds with a quotient of the first component: folded once more.
pub(super) fn evidence(
    whole: &Whole<'_>,
    partition: &Partition,
    limit: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<ProofEvidence> {
    let image = Quotient::of(whole.module(), partition.clone());
    let network = with_module(&whole.network, image.lts());
    let decided = fold::check(&network, FoldLimits::default(), |_| go_on()).ok()?;
    let found = decided.evidence(limit)?;
    Some(whole.evidence(&found, &whole.start().then(partition), image.lts()))
}
