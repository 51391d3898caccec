//! Refinement: the partitions that [network refinement](crate::cegar) finds, then merging with replay.
//!
//! One proof for each obligation; the module's classes are the common refinement of its partitions in
//! them. A trial puts the joined image into the module's place, as it is, and refines the other
//! components further: a path to the error is replayed in each of them, and where one cannot follow
//! it is split. So the answer is that of the concrete environment, whatever the abstraction was.

use super::budget::{Polls, Round};
use super::merge::{Mergeable, Merged, Trial, joining, merge, with};
use super::through::word;
use super::whole::Whole;
use super::{Attempt, AutoProgress, Grounds};
use crate::cegar::{self, Parts};
use crate::obligations::{obligations, restricted};
use crate::requirement::Conclusion;
use crate::settled::until_settled;
use crate::split::Split;
use resy_automata::lts::{Lts, StateId};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_certificate::About;

/// The part that is the module.
const MODULE: usize = 0;

/// So few classes are joined by replay in any case.
const FEW_CLASSES: usize = 4;

/// The refinement of all obligations, as far as it has come.
pub(super) struct Refinement<'w> {
    /// The obligations that are left, the next one last.
    left: Vec<(About, Parts<'w>)>,
    proved: Vec<(About, Parts<'w>)>,
    /// Whether folding had its turn since the property was proved.
    has_waited: bool,
}

/// With more classes than this, folding has a turn first: it knows which states clash, and merging
/// needs no search to tell apart what is counted. A trial here costs a refinement.
const MANY_CLASSES: usize = 24;

impl<'w> Refinement<'w> {
    /// No component is split. The split has no module.
    pub(super) fn new(split: &'w Split) -> Self {
        let base = Parts::unsplit(split);
        let parts = |about: &About| base.about(until_settled(&restricted(&split.monitor, about)));
        let all = obligations(split).into_iter().rev();
        let left = all.map(|about| {
            let parts = parts(&about);
            (about, parts)
        });
        Self { left: left.collect(), proved: Vec::new(), has_waited: false }
    }

    /// Goes on with the refinement, within the budget for each obligation.
    pub(super) fn prove(&mut self, round: Round, polls: &mut Polls<'_>) -> Conclusion {
        while let Some((about, mut parts)) = self.left.pop() {
            match refined(&mut parts, round.refinement(), polls).0 {
                Conclusion::Holds => self.proved.push((about, parts)),
                Conclusion::Fails(run) => return Conclusion::Fails(run),
                Conclusion::Interrupted => {
                    self.left.push((about, parts));
                    return Conclusion::Interrupted;
                }
            }
        }
        Conclusion::Holds
    }

    /// Whether the proof has so many classes of the module that joining them by replay takes longer than the product,
    /// if that is not too large.
    pub(super) fn is_fine(&self) -> bool {
        self.proved.iter().any(|(_, parts)| parts.partition(MODULE).n_blocks() > FEW_CLASSES)
    }

    /// Joins the classes of the module in the proof.
    pub(super) fn merged(
        &mut self,
        whole: &Whole<'_>,
        round: Round,
        polls: &mut Polls<'_>,
    ) -> Attempt {
        let n_classes = self.classes(whole.module()).n_blocks();
        if n_classes > MANY_CLASSES && !std::mem::replace(&mut self.has_waited, true) {
            return Attempt::Undecided;
        }
        let mut proof = RefinedProof::new(self, whole, round, polls);
        let Merged { partition, quality, is_cancelled } = merge(&mut proof);
        let proofs = proof.proofs.into_iter().map(|proof| (proof.about, proof.environment));
        let grounds = Grounds::Refinement(proofs.collect());
        // An abstraction reaches more than there is.
        let reached = vec![true; partition.n_blocks()];
        Attempt::Proved { partition, quality, is_cancelled, reached, grounds }
    }

    /// Whether all obligations are proved.
    pub(super) fn is_proved(&self) -> bool {
        self.left.is_empty()
    }

    /// The common refinement of the module's partitions in all proofs.
    fn classes(&self, module: &Lts) -> Partition {
        let single = Partition::single(module.n_states());
        self.proved.iter().fold(single, |classes, (_, parts)| {
            let own = parts.partition(MODULE);
            classes.refined_by(|state| own.block_of(state))
        })
    }
}

/// Refines within a work budget; the result, and the work that is known of.
fn refined(parts: &mut Parts<'_>, budget: usize, polls: &mut Polls<'_>) -> (Conclusion, usize) {
    let mut done = 0;
    let conclusion = cegar::refine(parts, &mut |progress, work| {
        done = work;
        work <= budget && polls.go_on(&AutoProgress::Refining(*progress))
    });
    (conclusion, done)
}

/// The proofs of all obligations.
struct RefinedProof<'p, 'w, 'g> {
    module: &'p Lts,
    classes: Partition,
    image: Lts,
    group_of: Vec<usize>,
    proofs: Vec<OneProof<'w>>,
    round: Round,
    /// The work that is left for trials.
    left: usize,
    polls: &'p mut Polls<'g>,
}

struct OneProof<'w> {
    about: About,
    parts: Parts<'w>,
    /// The partition of the classes by which it was proved. Finer ones need no trial.
    known: Partition,
    /// The partitions of the environment's parts by which it was proved. Those in `parts` may be finer: trials that
    /// fail refine as well, and the product of all that they have split can be exponential.
    environment: Vec<Partition>,
}

impl<'p, 'w, 'g> RefinedProof<'p, 'w, 'g> {
    fn new(
        refinement: &mut Refinement<'w>,
        whole: &'p Whole<'_>,
        round: Round,
        polls: &'p mut Polls<'g>,
    ) -> Self {
        let module = whole.module();
        let classes = refinement.classes(module);
        let members = classes.members();
        let proofs = refinement.proved.drain(..).map(|(about, parts)| {
            let own = parts.partition(MODULE);
            let known = (0..classes.n_blocks()).map(|c| own.block_of(members.row(c)[0]));
            let environment = parts.partitions().split_off(MODULE + 1);
            OneProof { about, known: Partition::by_keys(known), parts, environment }
        });
        let proofs = proofs.collect();
        let image = Quotient::of(module, classes.clone()).into_lts();
        let group_of = (0..classes.n_blocks()).collect();
        let left = round.trials();
        Self { module, classes, image, group_of, proofs, round, left, polls }
    }
}

impl Mergeable for RefinedProof<'_, '_, '_> {
    fn module(&self) -> &Lts {
        self.module
    }

    fn classes(&self) -> &Partition {
        &self.classes
    }

    fn join(&mut self, class: usize, group: usize) -> Trial {
        let candidate = with(&self.group_of, class, group);
        let image = Quotient::of(&self.image, candidate.clone()).into_lts();
        for proof in self.proofs.iter_mut().filter(|proof| !candidate.refines(&proof.known)) {
            if self.left == 0 {
                return Trial::Spent;
            }
            proof.parts.replace(MODULE, image.clone());
            let budget = self.round.trial().min(self.left);
            let (conclusion, work) = refined(&mut proof.parts, budget, self.polls);
            self.left = self.left.saturating_sub(work);
            match conclusion {
                Conclusion::Holds => {
                    proof.known = candidate.clone();
                    proof.environment = proof.parts.partitions().split_off(MODULE + 1);
                }
                Conclusion::Fails(run) => return Trial::Refused(word(&run, &image)),
                Conclusion::Interrupted if self.polls.is_cancelled() => return Trial::Cancelled,
                Conclusion::Interrupted => return Trial::GivenUp,
            }
        }
        self.group_of[class] = group;
        Trial::Joined
    }

    fn are_apart(&mut self, one: StateId, other: StateId) -> bool {
        let joined = joining(self.module.n_states(), one, other);
        let image = Quotient::of(self.module, joined).into_lts();
        self.proofs.iter_mut().any(|proof| {
            proof.parts.replace(MODULE, image.clone());
            let found = refined(&mut proof.parts, self.round.trial(), self.polls);
            matches!(found.0, Conclusion::Fails(_))
        })
    }
}
