//! Better requirements: smaller, and more permissive.
//!
//! A requirement should distinguish no more states than the proofs need, and permit what it has no
//! reason to forbid: a quotient of the component forbids whatever the component happens not to do,
//! and a contract that does so is broken by harmless changes.

use super::folded::{is_idle, without};
use super::{Agreement, PremiseProof, prove};
use crate::minimize::smallest;
use crate::split::Split;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::quotient::Quotient;
use resy_certificate::contract::Premise;

/// A work budget: a count of states and transitions, so that results do not depend on the machine.
pub struct WorkBudget<'a> {
    left: usize,
    /// The part that is reserved for other shares.
    reserved: usize,
    go_on: Box<dyn FnMut(usize) -> bool + 'a>,
}

impl<'a> WorkBudget<'a> {
    /// A work budget of `amount`; `go_on(remaining)` may cancel it.
    pub fn new(amount: usize, go_on: impl FnMut(usize) -> bool + 'a) -> Self {
        Self { left: amount, reserved: 0, go_on: Box::new(go_on) }
    }

    fn lasts(&mut self) -> bool {
        if !(self.go_on)(self.left + self.reserved) {
            self.left = 0;
        }
        self.left > 0
    }

    /// Runs one of `among` tasks with its equal share of the budget.
    fn share<T>(&mut self, among: usize, does: impl FnOnce(&mut Self) -> T) -> T {
        let rest = self.left - self.left / among;
        (self.left, self.reserved) = (self.left - rest, rest);
        let done = does(self);
        (self.left, self.reserved) = (self.left + rest, 0);
        done
    }
}

impl Agreement {
    /// Merges states of the requirements, one part after the other in this order. The order
    /// matters: a merge in one part can preclude a merge in another.
    #[must_use]
    pub fn merged(mut self, split: &Split, order: &[usize], work: &mut WorkBudget<'_>) -> Self {
        for (n_done, &i) in order.iter().enumerate() {
            work.share(order.len() - n_done, |work| self.merge(split, i, work));
        }
        self.without_idlers()
    }

    /// Makes the requirements more permissive: a transition is added for a forbidden action if all
    /// proofs still succeed, preferably a self-loop.
    #[must_use]
    pub fn widened(mut self, order: &[usize], work: &mut WorkBudget<'_>) -> Self {
        for (n_done, &i) in order.iter().enumerate() {
            work.share(order.len() - n_done, |work| self.widen(i, work));
        }
        self.without_idlers()
    }

    fn merge(&mut self, split: &Split, i: usize, work: &mut WorkBudget<'_>) {
        if self.requirements[i].n_states() == 1 || !self.is_affordable(i, work) {
            return;
        }
        let mut proves = |lts: &Lts| work.lasts().then(|| self.is_proved_with(i, lts, work));
        let merged = smallest(self.quotients[i].lts(), &mut proves);
        let partition = self.quotients[i].partition().then(&merged);
        self.quotients[i] = Quotient::of(&split.environment[i].lts, partition);
        self.requirements[i] = self.quotients[i].lts().clone();
    }

    fn widen(&mut self, i: usize, work: &mut WorkBudget<'_>) {
        if !self.is_affordable(i, work) {
            return;
        }
        for (state, label) in forbidden(&self.requirements[i]) {
            for to in targets(&self.requirements[i], state, label) {
                if !work.lasts() {
                    return;
                }
                let wider = with_transition(&self.requirements[i], (state, label, to));
                if self.is_proved_with(i, &wider, work) {
                    self.requirements[i] = wider;
                    break;
                }
            }
        }
    }

    /// Whether all proofs that use this part succeed with `lts` in its place.
    fn is_proved_with(&self, part: usize, lts: &Lts, work: &mut WorkBudget<'_>) -> bool {
        work.left = work.left.saturating_sub(lts.n_transitions());
        self.concerned(part).all(|(premise, proof)| {
            let requirement = |i: usize| if i == part { lts } else { &self.requirements[i] };
            let tried = prove(&proof.monitor, &premise.parts, requirement, proof.limit);
            work.left = work.left.saturating_sub(tried.price);
            tried.holds
        })
    }

    /// The premises that use a part, with their proofs.
    fn concerned(&self, part: usize) -> impl Iterator<Item = (&Premise, &PremiseProof)> {
        let premises = self.premises.iter().zip(&self.proofs);
        premises.filter(move |(premise, _)| premise.clauses().any(|i| i == part))
    }

    /// Whether the proofs that use a part are small enough to be repeated within the budget.
    fn is_affordable(&self, part: usize, work: &WorkBudget<'_>) -> bool {
        let price: usize = self.concerned(part).map(|(_, proof)| proof.price).sum();
        price < work.left && self.concerned(part).all(|(_, proof)| proof.limit > 0)
    }

    /// Removes parts that permit everything from the premises.
    fn without_idlers(mut self) -> Self {
        for premise in &mut self.premises {
            premise.parts = without(&premise.parts, |i| is_idle(&self.requirements[i]));
        }
        self
    }
}

/// The actions without a transition, with the states.
fn forbidden(lts: &Lts) -> Vec<(StateId, Label)> {
    let labels = || lts.alphabet().iter().map(Label::Visible);
    let all = lts.states().flat_map(|state| labels().map(move |label| (state, label)));
    all.filter(|&(state, label)| lts.transitions_by(state, label).is_empty()).collect()
}

/// Candidates for the target of an action: the state itself, then the usual targets of the action,
/// then all states.
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
