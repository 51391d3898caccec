//! The requirement of a module, by whichever method proves the property first, then merged.
//!
//! ```text
//! budget b = b0, 4·b0, ...           counts of work, so that a model has one requirement
//!     product on the fly, b states       → rows of the reached pairs
//!     refinement, b abstract states      → the module's partition
//!     folding, around the module         → rows of the reached pairs
//!     folding, through the module        → the module's reduced leaf
//! the first to prove: join classes of the module while the proof holds; if refinement has left many,
//!                                    by the product, if that is not much larger than the budget
//! ```
//!
//! A set of pairs of module states and contexts is *good* if it contains the initial pair, is closed
//! under all steps, and no step from it errs. States with equal rows of a good set can be joined: the
//! quotient is a requirement, and the image of the set proves it. So synthesis is the choice of a
//! good set with few different rows, and the certificate is free. The methods are ways to a good
//! set: small programs have few pairs; a property about two of a thousand processes needs
//! little of the others; rings and pipelines can be folded. Refinement and folding are resumed in the
//! next round, not repeated. A module of several components is also tried as the product of their own requirements
//! (`pieces.rs`).

pub(crate) mod budget;
mod clash;
mod contexts;
mod domain;
mod folding;
mod lean;
mod merge;
mod pairs;
mod pieces;
pub(crate) mod product;
mod refinement;
mod rows;
mod through;
pub(crate) mod whole;

use crate::evidence::{Proofs, of_requirement_while};
use crate::fold::{FoldProgress, Folded};
use crate::refine::RefineProgress;
use crate::requirement::{Conclusion, Requirement};
use crate::split::{Split, SplitError};
use budget::{Polls, Round};
use folding::EnvironmentFolding;
pub use lean::{LeanDomain, LeanRequirement, lean};
use product::Product;
use refinement::Refinement;
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_certificate::{About, ProofEvidence};
use through::ThroughFolding;
use whole::Whole;

/// The states that the first attempts may visit.
const FIRST_ROUND: usize = 1_000;

/// What is known of the size of a requirement.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// It is sound, but the property is not proved with it.
    Undecided,
    /// The property is proved with it; perhaps it is not the smallest.
    Proved,
    /// The property is proved with it, and no two of its states can be joined.
    Irreducible,
    /// No quotient of the module with fewer states is enough.
    Smallest,
}

/// A method that proves the property.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProvedBy {
    /// The product of all components, on the fly.
    Product,
    /// Refinement of an abstraction of every component.
    Refinement,
    /// Components of the environment, composed and reduced.
    Folding,
    /// All components, composed and reduced.
    ThroughFolding,
    /// Components of the environment, composed and reduced twice: modulo pasts, and modulo futures.
    TwoFoldings,
}

/// The progress of a synthesis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AutoProgress {
    /// The product has this many states.
    Exploring(usize),
    /// An abstraction is being refined.
    Refining(RefineProgress),
    /// The environment is being folded.
    Folding(FoldProgress),
}

/// A requirement, and why it is one.
#[derive(Clone, Debug)]
pub struct Synthesized {
    /// The requirement with the verdict.
    pub requirement: Requirement,
    /// What is known of its size.
    pub quality: Quality,
    /// The method that decided, if one has.
    pub by: Option<ProvedBy>,
    /// Whether the synthesis was cancelled.
    pub is_cancelled: bool,
    /// For each state of the requirement, whether the module may reach it.
    pub reached: Vec<bool>,
    /// The proof, if there is one.
    pub(crate) grounds: Option<Grounds>,
    /// The image of the module that the proof is about, if it is not about the module as it is.
    pub(crate) image: Option<Partition>,
}

/// What a proof needs beside the requirement.
#[derive(Clone, Debug)]
pub(crate) enum Grounds {
    /// The environment as it is.
    Product,
    /// For each obligation, the partitions of the environment's parts.
    Refinement(Vec<(About, Vec<Partition>)>),
    /// The folded whole, and the partition of its module.
    Folding(Box<Folded<'static>>, Partition),
    /// The partition of the whole's module.
    Through(Partition),
    /// The folded whole with all its components, and the partition of its module.
    Everything(Box<Folded<'static>>, Partition),
}

/// The result of one method within its budget.
enum Attempt {
    /// The property holds with the quotient of the whole's module by the partition.
    Proved {
        partition: Partition,
        quality: Quality,
        is_cancelled: bool,
        /// For each class, whether it may be reached.
        reached: Vec<bool>,
        grounds: Grounds,
    },
    /// These steps of the network violate the property.
    Fails(Vec<ProductStep>),
    /// The budget is spent, or the computation was cancelled.
    Undecided,
}

/// The order of the methods, and the first budget. Both decide which method answers, so that other
/// choices may give other requirements.
#[derive(Clone, Debug)]
pub struct AutoOptions {
    /// The methods of each round, in order.
    pub methods: Vec<ProvedBy>,
    /// The states that the attempts of the first round may visit; each round has four times as many.
    pub first_round: usize,
}

impl Default for AutoOptions {
    fn default() -> Self {
        let methods = vec![
            ProvedBy::Product,
            ProvedBy::Refinement,
            ProvedBy::Folding,
            ProvedBy::ThroughFolding,
        ];
        Self { methods, first_round: FIRST_ROUND }
    }
}

/// Synthesises a requirement of the module of a split of a network; `go_on` may cancel.
pub fn synthesize(
    network: &Network,
    split: &Split,
    options: &AutoOptions,
    mut go_on: impl FnMut(&AutoProgress) -> bool,
) -> Result<Synthesized, SplitError> {
    let found = from(None, network, split, options, &mut go_on)?;
    let is_open = found.requirement.verdict == Conclusion::Holds
        && found.quality < Quality::Smallest
        && !found.is_cancelled;
    let pieces = is_open.then(|| pieces::image(network, split, options, &mut go_on)).flatten();
    let Some(image) = pieces else { return Ok(found) };
    let other = from(Some(&image), network, split, options, &mut go_on)?;
    if !pieces::is_better(&other, &found) {
        return Ok(found);
    }
    // Of two states that cannot be joined nothing more has to be shown.
    let n_states = other.requirement.lts().n_states();
    let quality = if n_states > 2 { Quality::Irreducible } else { other.quality };
    Ok(Synthesized { quality, ..other })
}

/// Synthesises a requirement that is an image of an image of the module; of the module itself, if none is given.
fn from(
    image: Option<&Partition>,
    network: &Network,
    split: &Split,
    options: &AutoOptions,
    go_on: &mut dyn FnMut(&AutoProgress) -> bool,
) -> Result<Synthesized, SplitError> {
    let whole = Whole::from(image, network, split);
    let components = Split::without_module(&whole.network)?;
    let product = Product::new(&whole);
    let mut refinement = Refinement::new(&components);
    let mut folding = EnvironmentFolding::new(&whole);
    let mut through = ThroughFolding::new(&whole);
    let mut polls = Polls::new(go_on);
    let mut round = Round(options.first_round);
    while !polls.is_cancelled() {
        for method in &options.methods {
            let mut by = *method;
            let attempt = match method {
                ProvedBy::Product => product.attempt(&split.monitor, round, &mut polls),
                ProvedBy::Refinement => match refinement.prove(round, &mut polls) {
                    Conclusion::Interrupted => Attempt::Undecided,
                    Conclusion::Fails(run) => Attempt::Fails(whole.run(&run)),
                    Conclusion::Holds => {
                        let is_asked = options.methods.contains(&ProvedBy::Product);
                        let ahead = round.ahead();
                        let attempt = (is_asked && refinement.is_fine())
                            .then(|| product.attempt(&split.monitor, ahead, &mut polls));
                        let in_product = attempt.filter(|a| matches!(a, Attempt::Proved { .. }));
                        by = if in_product.is_some() { ProvedBy::Product } else { by };
                        in_product.unwrap_or_else(|| refinement.merged(&whole, round, &mut polls))
                    }
                },
                ProvedBy::Folding => folding.attempt(&split.monitor, round, &mut polls),
                ProvedBy::ThroughFolding => through.attempt(round, &mut polls),
                // It has no budget, and is asked for by name (`canonical`).
                ProvedBy::TwoFoldings => Attempt::Undecided,
            };
            if let Some(found) = Synthesized::of(split, &whole, attempt) {
                return Ok(Synthesized { by: Some(by), image: image.cloned(), ..found });
            }
        }
        round = round.next();
    }
    // A proof that waited for folding is better than none.
    let waiting = refinement.is_proved().then(|| refinement.merged(&whole, round, &mut polls));
    match waiting.and_then(|attempt| Synthesized::of(split, &whole, attempt)) {
        Some(found) => {
            let by = Some(ProvedBy::Refinement);
            Ok(Synthesized { by, image: image.cloned(), ..found })
        }
        None => Ok(Synthesized::undecided(split)),
    }
}

impl Synthesized {
    fn of(split: &Split, whole: &Whole<'_>, attempt: Attempt) -> Option<Self> {
        let module = &split.module.lts;
        match attempt {
            Attempt::Undecided => None,
            Attempt::Fails(run) => {
                // Every image of the module is a requirement then.
                let single = Partition::single(module.n_states());
                let requirement = Requirement::new(module, single, Conclusion::Fails(run));
                let quality = Quality::Smallest;
                let reached = vec![true];
                let (by, is_cancelled, grounds) = (None, false, None);
                Some(Self { requirement, quality, by, is_cancelled, reached, grounds, image: None })
            }
            Attempt::Proved { partition, quality, is_cancelled, mut reached, grounds } => {
                if split.until_settled().monitor != split.monitor {
                    // What happens after the property is settled was not explored.
                    reached.fill(true);
                }
                let partition = whole.start().then(&partition);
                let requirement = Requirement::new(module, partition, Conclusion::Holds);
                let (by, grounds) = (None, Some(grounds));
                Some(Self { requirement, quality, by, is_cancelled, reached, grounds, image: None })
            }
        }
    }

    /// The module itself: sound, and nothing is known.
    pub(crate) fn undecided(split: &Split) -> Self {
        let module = &split.module.lts;
        let discrete = Partition::discrete(module.n_states());
        let requirement = Requirement::new(module, discrete, Conclusion::Interrupted);
        let quality = Quality::Undecided;
        let reached = vec![true; module.n_states()];
        Self {
            requirement,
            quality,
            by: None,
            is_cancelled: true,
            reached,
            grounds: None,
            image: None,
        }
    }

    /// Why the property holds, if it does; with at most `limit` states of the inductive sets.
    pub fn evidence(
        &self,
        network: &Network,
        split: &Split,
        limit: usize,
    ) -> Option<ProofEvidence> {
        self.evidence_while(network, split, limit, &mut || true)
    }

    /// Like [`evidence`](Self::evidence); `None` also if `go_on` cancels.
    pub fn evidence_while(
        &self,
        network: &Network,
        split: &Split,
        limit: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<ProofEvidence> {
        let module = self.requirement.quotient.partition();
        match self.grounds.as_ref()? {
            Grounds::Product => of_requirement_while(split, &self.requirement, limit, go_on),
            Grounds::Refinement(obligations) => {
                let mut proofs = Proofs::new(split, limit).until(go_on);
                for (about, environment) in obligations {
                    proofs.add_with(about, module, environment);
                }
                proofs.evidence()
            }
            Grounds::Folding(folded, partition) => {
                let found = folding::evidence(folded, partition, limit, go_on)?;
                let whole = Whole::from(self.image.as_ref(), network, split);
                Some(whole.evidence(&found, whole.start(), whole.module()))
            }
            Grounds::Everything(folded, partition) => {
                let found = folding::evidence(folded, partition, limit, go_on)?;
                let whole = Whole::as_it_is(network, split);
                Some(whole.evidence(&found, whole.start(), whole.module()))
            }
            Grounds::Through(partition) => {
                let whole = Whole::from(self.image.as_ref(), network, split);
                through::evidence(&whole, partition, limit, go_on)
            }
        }
    }
}

impl Quality {
    /// The word for it in machine-readable output.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Proved => "proved",
            Self::Irreducible => "irreducible",
            Self::Smallest => "smallest",
        }
    }

    /// What it means.
    pub fn about(self) -> &'static str {
        match self {
            Self::Undecided => "sound but undecided",
            Self::Proved => "proved; perhaps not the smallest",
            Self::Irreducible => "proved; no two of its states can be joined",
            Self::Smallest => "smallest: no quotient with fewer states is enough",
        }
    }
}

impl ProvedBy {
    /// The name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Refinement => "refinement",
            Self::Folding => "folding",
            Self::ThroughFolding => "folding with the module",
            Self::TwoFoldings => "two foldings",
        }
    }
}
