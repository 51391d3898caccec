//! Requirements of all components, proved together.
//!
//! Network refinement abstracts every component, for one obligation after the other. What all obligations need
//! of a component is its requirement, and each obligation is proved again by the requirements of those that matter to it. Where
//! an abstraction would have to count, as in pipelines and trees, this does not end; then the components are [folded](mod@folded),
//! and each as it is, but for what nobody can see of it, is its requirement. At last each requirement is made
//! smaller and wider, as long as all proofs go through.

pub mod folded;
mod improve;

pub use improve::WorkBudget;

use crate::evidence::{invariant, takes_all};
use crate::fold::FoldStage;
use crate::obligations::{self, restricted};
use crate::refine::RefineProgress;
use crate::requirement::Conclusion;
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::network::{Monitor, Network};
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::{Premise, PremisePart, folded as joined};

/// Proofs with more states are not tried again with other requirements.
const MAX_STATES: usize = 200_000;

/// So much larger may a proof become when requirements permit more, because it is checked each time: by a factor, and by some
/// states in any case.
const GROWTH: (usize, usize) = (2, 1_000);

/// To join requirements takes so many times as much for each transition as to look at a state of requirements together.
const JOINING: usize = 4;

/// Refinement may go so far before folding is tried, and further for many components: how often it may ask whether to go on, which it does at each step
/// and after each few hundred contexts. What is not decided by then, in about a second, rarely is soon. It is no time, so that a model has
/// the same contract everywhere.
const PATIENCE: usize = 100;
const PATIENCE_EACH: usize = 4;

/// What is required of each part of a split without a module.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The parts, made smaller, in the order of the environment.
    pub quotients: Vec<Quotient>,
    /// The requirements: the quotients, perhaps with more transitions.
    pub requirements: Vec<Lts>,
    /// What they show; the clauses are the positions of the parts.
    pub premises: Vec<Premise>,
    /// For each premise what a proof of it is.
    proofs: Vec<PremiseProof>,
}

/// What a proof is.
#[derive(Clone, Debug)]
struct PremiseProof {
    /// The monitor that errs by the actions of the premise only.
    monitor: Monitor,
    /// How many states it may have; none if it is too large to be tried again.
    limit: usize,
    /// What the first one took.
    price: usize,
}

/// Requirements that prove the property of a network together, or else what is known of it. The split is that of the network without a
/// module.
pub fn agree(
    network: &Network,
    split: &Split,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<Agreement, Conclusion> {
    let patience = PATIENCE.max(PATIENCE_EACH * network.components.len());
    let mut n_asked = 0;
    let refined = by_refinement(split, |progress| {
        n_asked += 1;
        n_asked <= patience && go_on(&FoldStage::Refining(*progress))
    });
    match &refined {
        Err(Conclusion::Interrupted) if n_asked > patience => {}
        Ok(agreement) if !agreement.is_checkable() => {}
        _ => return refined,
    }
    match (folded::agree(network, split, &mut go_on), refined) {
        (Err(Conclusion::Interrupted), Ok(refined)) => Ok(refined),
        (Err(Conclusion::Interrupted), _) => {
            by_refinement(split, |progress| go_on(&FoldStage::Refining(*progress)))
        }
        (folded, _) => folded,
    }
}

fn by_refinement(
    split: &Split,
    go_on: impl FnMut(&RefineProgress) -> bool,
) -> Result<Agreement, Conclusion> {
    let single = |lts: &Lts| Partition::single(lts.n_states());
    let mut partitions: Vec<Partition> =
        split.environment.iter().map(|part| single(&part.lts)).collect();
    let mut premises = Vec::new();
    let verdict = obligations::check(split, go_on, |about, checked| {
        for (all, one) in partitions.iter_mut().zip(&checked.partitions) {
            *all = all.refined_by(|state| one.block_of(state));
        }
        let parts = split.environment.iter().zip(&checked.partitions).enumerate();
        let needed = parts.filter(|(_, (part, p))| p.n_blocks() > 1 || !takes_all(&part.lts));
        premises.push(Premise::of(about.clone(), needed.map(|(i, _)| i)));
    });
    match verdict {
        Conclusion::Holds => Ok(Agreement::new(split, partitions, premises)),
        other => Err(other),
    }
}

impl Agreement {
    /// With a requirement for each class of these partitions; together they prove the property.
    fn new(split: &Split, partitions: Vec<Partition>, premises: Vec<Premise>) -> Self {
        let parts = split.environment.iter().zip(partitions);
        let quotients: Vec<Quotient> = parts.map(|(part, p)| Quotient::of(&part.lts, p)).collect();
        let requirements: Vec<Lts> = quotients.iter().map(|q| q.lts().clone()).collect();
        let proof = |premise: &Premise| {
            let monitor = restricted(&split.monitor, &premise.about);
            let tried = prove(&monitor, &premise.parts, |i| &requirements[i], MAX_STATES);
            let limit = if tried.holds { GROWTH.0 * tried.n_states + GROWTH.1 } else { 0 };
            PremiseProof { monitor, limit, price: tried.price }
        };
        let proofs = premises.iter().map(proof).collect();
        Self { quotients, requirements, premises, proofs }
    }

    /// Whether no proof is so large that it is better not made again.
    fn is_checkable(&self) -> bool {
        self.proofs.iter().all(|proof| proof.limit > 0)
    }
}

/// What came of a proof.
struct Tried {
    holds: bool,
    /// States that were looked at.
    n_states: usize,
    /// What it took, in states and transitions.
    price: usize,
}

/// Tries to prove a property with requirements, on at most `limit` states.
fn prove<'a>(
    monitor: &'a Monitor,
    parts: &[PremisePart],
    requirement: impl Fn(usize) -> &'a Lts,
    limit: usize,
) -> Tried {
    let clauses = parts.iter().filter_map(|part| part.clause());
    let n_read: usize = clauses.map(|i| requirement(i).n_transitions()).sum();
    let Ok((systems, joined)) = joined(parts, requirement, &monitor.lts, limit, &mut |_| true)
    else {
        return Tried { holds: false, n_states: limit, price: n_read + JOINING * limit };
    };
    let images: Vec<&Lts> = systems.iter().map(|lts| &**lts).collect();
    let mut n_found = 0;
    let found = invariant(monitor, &images, |n_states| {
        n_found = n_states;
        joined.n_states + n_states <= limit
    });
    Tried {
        holds: found.is_some(),
        n_states: joined.n_states + n_found,
        price: n_read + JOINING * joined.n_steps + n_found,
    }
}
