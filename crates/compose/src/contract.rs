//! Requirements of all components, proved together.
//!
//! Network refinement abstracts every component, for one obligation after the other. What all obligations need
//! of a component is its requirement, and each obligation is proved again by the requirements of those that matter to it. Then each
//! requirement is made smaller as long as all these proofs go through: what it does not tell apart, nobody has
//! to care about. At last it permits what it has no reason to forbid. An image of the component forbids whatever the component
//! happens not to do, and a contract that does so is broken by harmless changes.

use crate::evidence::{invariant, takes_all};
use crate::minimize::smallest;
use crate::obligations::{self, restricted};
use crate::refine::Progress;
use crate::requirement::Verdict;
use crate::split::Split;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_automata::partition::Partition;
use resy_automata::quotient::Quotient;
use resy_certificate::contract::Premise;

/// Requirements that have more states together are left as they are.
const MAX_STATES: usize = 200_000;

/// So much larger may a proof become when requirements permit more, because it is checked each time: by a factor, and by some
/// states in any case.
const GROWTH: (usize, usize) = (2, 1_000);

/// What is required of each part of a split without a module.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// The parts, made smaller, in the order of the environment.
    pub quotients: Vec<Quotient>,
    /// The requirements: the quotients, perhaps with more transitions.
    pub requirements: Vec<Lts>,
    /// What they show; the clauses are the positions of the parts.
    pub premises: Vec<Premise>,
    /// For each premise the monitor that errs by its actions only, and how many states a proof may have.
    proofs: Vec<(Monitor, usize)>,
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
    let quotients: Vec<Quotient> = parts.map(|(part, p)| Quotient::of(&part.lts, p)).collect();
    let requirements: Vec<Lts> = quotients.iter().map(|q| q.lts().clone()).collect();
    let proof = |premise: &Premise| {
        let monitor = restricted(&split.monitor, &premise.about);
        let images: Vec<&Lts> = premise.clauses.iter().map(|&i| &requirements[i]).collect();
        let found = invariant(&monitor, &images, MAX_STATES);
        let limit = found.map_or(0, |states| GROWTH.0 * states.len() + GROWTH.1);
        (monitor, limit)
    };
    let proofs = premises.iter().map(proof).collect();
    Ok(Agreement { quotients, requirements, premises, proofs })
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
        for &i in order {
            if self.requirements[i].n_states() == 1 || !go_on() {
                continue;
            }
            let mut proves = |lts: &Lts| go_on().then(|| self.is_proved_with(i, lts));
            let merged = smallest(self.quotients[i].lts(), &mut proves);
            let partition = self.quotients[i].partition().then(&merged);
            self.quotients[i] = Quotient::of(&split.environment[i].lts, partition);
            self.requirements[i] = self.quotients[i].lts().clone();
        }
        self.without_idlers()
    }

    /// The same with requirements that permit more, as long as `go_on` says so: where an action is forbidden without need,
    /// it becomes possible, best without a consequence.
    #[must_use]
    pub fn widened(mut self, order: &[usize], mut go_on: impl FnMut() -> bool) -> Self {
        for &i in order {
            let forbidden = forbidden(&self.requirements[i]);
            for (state, label) in forbidden {
                let targets = targets(&self.requirements[i], state, label);
                let mut wider = targets
                    .into_iter()
                    .map(|to| with_transition(&self.requirements[i], (state, label, to)));
                let permitted = wider.find(|lts| go_on() && self.is_proved_with(i, lts));
                if let Some(lts) = permitted {
                    self.requirements[i] = lts;
                }
            }
        }
        self.without_idlers()
    }

    /// Whether all that this part matters to is proved with this system in its place.
    fn is_proved_with(&self, part: usize, lts: &Lts) -> bool {
        let premises = self.premises.iter().zip(&self.proofs);
        let mut concerned = premises.filter(|(premise, _)| premise.clauses.contains(&part));
        concerned.all(|(premise, (monitor, limit))| {
            let image = |&i: &usize| if i == part { lts } else { &self.requirements[i] };
            let images: Vec<&Lts> = premise.clauses.iter().map(image).collect();
            invariant(monitor, &images, *limit).is_some()
        })
    }

    /// Premises without the parts that may do anything.
    fn without_idlers(mut self) -> Self {
        for premise in &mut self.premises {
            premise.clauses.retain(|&i| {
                let lts = &self.requirements[i];
                lts.n_states() > 1 || !takes_all(lts)
            });
        }
        self
    }
}

/// The actions that a system does not permit, and where.
fn forbidden(lts: &Lts) -> Vec<(StateId, Label)> {
    let labels = || lts.alphabet().iter().map(Label::Visible);
    let all = lts.states().flat_map(|state| labels().map(move |label| (state, label)));
    all.filter(|&(state, label)| lts.transitions_by(state, label).is_empty()).collect()
}

/// Where an action may lead: best nowhere, else to where it leads from other states, else anywhere.
fn targets(lts: &Lts, state: StateId, label: Label) -> Vec<StateId> {
    let usual = lts.states().flat_map(|s| lts.transitions_by(s, label)).map(|t| t.1);
    let mut targets: Vec<StateId> = Vec::new();
    for target in [state].into_iter().chain(usual).chain(lts.states()) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

fn with_transition(lts: &Lts, (source, label, target): (StateId, Label, StateId)) -> Lts {
    let mut builder = LtsBuilder::with_states(lts.n_states());
    lts.transitions().for_each(|(from, by, to)| builder.add_transition(from, by, to));
    builder.add_transition(source, label, target);
    builder.finish(lts.initial(), lts.alphabet().clone())
}
