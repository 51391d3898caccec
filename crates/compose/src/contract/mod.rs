//! Requirements of all components, proved together.
//!
//! [Network refinement](crate::cegar) abstracts every component, for one obligation after the
//! other. The common refinement of a component's partitions is its requirement, and each obligation
//! is proved again from the requirements that it needs. For pipelines and trees, where an
//! abstraction would have to count, refinement does not terminate; then the components are
//! [folded](mod@folded), and the reduced components are the requirements. Finally each requirement
//! is made smaller and more permissive while all proofs succeed.
//!
//! Tried and dropped: requirements that are found one by one, each with the other components as they
//! are, as the oracle. They accept unsafe networks.

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

/// Proofs with more states are not repeated with other requirements.
const MAX_STATES: usize = 200_000;

/// How much a proof may grow when requirements become more permissive: by a factor, plus some
/// states. A contract is proved again at each check.
const GROWTH: (usize, usize) = (2, 1_000);

/// The cost of a transition of a joined product, relative to a state of the joint exploration.
const JOINING: usize = 4;

/// The number of polls after which refinement gives way to folding, at least and per component.
/// Refinement polls at each step and once per few hundred contexts. What is not decided by then, in
/// about a second, rarely is soon after. A step count, not a clock: contracts are deterministic.
const POLLS: usize = 100;
const POLLS_EACH: usize = 4;

/// The requirements of all parts of a split without a module.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The quotients of the parts, in the order of the environment.
    pub quotients: Vec<Quotient>,
    /// The requirements: the quotients, possibly with more transitions.
    pub requirements: Vec<Lts>,
    /// The premises that they prove; clauses are positions of parts.
    pub premises: Vec<Premise>,
    /// For each premise, the data of its proof.
    proofs: Vec<PremiseProof>,
}

/// What is needed to repeat the proof of a premise.
#[derive(Clone, Debug)]
struct PremiseProof {
    /// The monitor, restricted to errors by the actions of the premise.
    monitor: Monitor,
    /// The maximal number of states; 0 if the proof is too large to be repeated.
    limit: usize,
    /// The cost of the first proof.
    price: usize,
}

/// Requirements that together prove the property of a network, or else the conclusion without them.
/// `split` is the network's split without a module.
pub fn agree(
    network: &Network,
    split: &Split,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<Agreement, Conclusion> {
    let max_polls = POLLS.max(POLLS_EACH * network.components.len());
    let mut n_polls = 0;
    let refined = by_refinement(split, |progress| {
        n_polls += 1;
        n_polls <= max_polls && go_on(&FoldStage::Refining(*progress))
    });
    match &refined {
        Err(Conclusion::Interrupted) if n_polls > max_polls => {}
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
    /// The agreement whose requirements are the quotients by these partitions; they prove the
    /// property.
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

    /// Whether every proof is small enough to be repeated.
    fn is_checkable(&self) -> bool {
        self.proofs.iter().all(|proof| proof.limit > 0)
    }
}

/// The result of an attempted proof.
struct Tried {
    holds: bool,
    /// The number of states explored.
    n_states: usize,
    /// The cost, in states and transitions.
    price: usize,
}

/// Tries to prove a property from requirements, within `limit` states.
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
