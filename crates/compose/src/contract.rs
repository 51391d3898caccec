//! Requirements of all components, proved together.
//!
//! Network refinement abstracts every component, for one obligation after the other. What all obligations need
//! of a component is its requirement, and each obligation is proved again by the requirements of those that matter to it. Then each
//! requirement is made smaller as long as all these proofs go through. A smaller one permits more:
//! what it does not tell apart, nobody has to care about.

use crate::evidence::{invariant, takes_all};
use crate::minimize::smallest;
use crate::obligations::{self, restricted};
use crate::refine::Progress;
use crate::requirement::Verdict;
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::network::Monitor;
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::Premise;

/// A proof with more states is not tried when requirements are made smaller.
const MAX_STATES: usize = 200_000;

/// What is required of each part of a split without a module.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The requirements: quotients of the parts, in the order of the environment.
    pub requirements: Vec<Quotient>,
    /// What they show; the clauses are the positions of the parts.
    pub premises: Vec<Premise>,
}

/// Requirements that prove the property together, or else what is known of it.
pub fn agree(split: &Split, go_on: impl FnMut(&Progress) -> bool) -> Result<Agreement, Verdict> {
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
        let clauses = needed.map(|(i, _)| i).collect();
        premises.push(Premise { about: about.clone(), clauses });
    });
    if verdict != Verdict::Holds {
        return Err(verdict);
    }
    let parts = split.environment.iter().zip(partitions);
    let requirements = parts.map(|(part, p)| Quotient::of(&part.lts, p)).collect();
    Ok(Agreement { requirements, premises })
}

impl Agreement {
    /// The same with requirements that are no larger, as long as `go_on` says so: one part after the other, in this order,
    /// because what one gains another may lose.
    #[must_use]
    pub fn merged(
        mut self,
        split: &Split,
        order: &[usize],
        mut go_on: impl FnMut() -> bool,
    ) -> Self {
        let monitors: Vec<Monitor> =
            self.premises.iter().map(|p| restricted(&split.monitor, &p.about)).collect();
        for &i in order {
            let requirement = &self.requirements[i];
            if requirement.lts().n_states() == 1 || !go_on() {
                continue;
            }
            let mut proves =
                |lts: &Lts| go_on() && self.is_proved_with(&monitors, i, lts).is_some();
            let merged = smallest(requirement.lts(), &mut proves);
            let partition = requirement.partition().then(&merged);
            self.requirements[i] = Quotient::of(&split.environment[i].lts, partition);
        }
        self.without_idlers()
    }

    /// Whether all that this part matters to is proved with this system in its place.
    fn is_proved_with(&self, monitors: &[Monitor], part: usize, lts: &Lts) -> Option<()> {
        for (premise, monitor) in self.premises.iter().zip(monitors) {
            if !premise.clauses.contains(&part) {
                continue;
            }
            let image = |&i: &usize| if i == part { lts } else { self.requirements[i].lts() };
            let images: Vec<&Lts> = premise.clauses.iter().map(image).collect();
            invariant(monitor, &images, MAX_STATES)?;
        }
        Some(())
    }

    /// Premises without the parts that may do anything.
    fn without_idlers(mut self) -> Self {
        for premise in &mut self.premises {
            premise.clauses.retain(|&i| {
                let lts = self.requirements[i].lts();
                lts.n_states() > 1 || !takes_all(lts)
            });
        }
        self
    }
}
