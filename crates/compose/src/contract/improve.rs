//! Better requirements: smaller, and wider.
//!
//! What a requirement does not tell apart, nobody has to care about. And it should permit what it has no reason to forbid: an image of the
//! component forbids whatever the component happens not to do, and a contract that does so is broken by harmless changes.

use super::folded::{is_idle, without};
use super::{Agreement, prove};
use crate::minimize::smallest;
use crate::split::Split;
use resy_automata::lts::{Label, Lts, LtsBuilder, StateId};
use resy_automata::quotient::Quotient;

/// How much may be done: a count of states and transitions that are looked at, which is the same on every machine.
pub struct Work<'a> {
    left: usize,
    go_on: Box<dyn FnMut() -> bool + 'a>,
}

impl<'a> Work<'a> {
    /// So much, as long as `go_on` does not say no: then it is over.
    pub fn new(amount: usize, go_on: impl FnMut() -> bool + 'a) -> Self {
        Self { left: amount, go_on: Box::new(go_on) }
    }

    fn lasts(&mut self) -> bool {
        if !(self.go_on)() {
            self.left = 0;
        }
        self.left > 0
    }

    /// Lets one of several who have the same right do something with its share.
    fn share<T>(&mut self, among: usize, does: impl FnOnce(&mut Self) -> T) -> T {
        let rest = self.left - self.left / among;
        self.left -= rest;
        let done = does(self);
        self.left += rest;
        done
    }
}

impl Agreement {
    /// The same with requirements that are no larger: one part after the other, in this order, because what one gains another may lose.
    #[must_use]
    pub fn merged(mut self, split: &Split, order: &[usize], work: &mut Work<'_>) -> Self {
        for (n_done, &i) in order.iter().enumerate() {
            if self.requirements[i].n_states() == 1 {
                continue;
            }
            let merged = work.share(order.len() - n_done, |work| {
                let mut proves =
                    |lts: &Lts| work.lasts().then(|| self.is_proved_with(i, lts, work));
                smallest(self.quotients[i].lts(), &mut proves)
            });
            let partition = self.quotients[i].partition().then(&merged);
            self.quotients[i] = Quotient::of(&split.environment[i].lts, partition);
            self.requirements[i] = self.quotients[i].lts().clone();
        }
        self.without_idlers()
    }

    /// The same with requirements that permit more: where an action is forbidden without need, it becomes possible, best without a consequence.
    #[must_use]
    pub fn widened(mut self, order: &[usize], work: &mut Work<'_>) -> Self {
        for (n_done, &i) in order.iter().enumerate() {
            work.share(order.len() - n_done, |work| self.widen(i, work));
        }
        self.without_idlers()
    }

    fn widen(&mut self, i: usize, work: &mut Work<'_>) {
        for (state, label) in forbidden(&self.requirements[i]) {
            let targets = targets(&self.requirements[i], state, label);
            let mut wider = targets
                .into_iter()
                .map(|to| with_transition(&self.requirements[i], (state, label, to)));
            let permitted = wider.find(|lts| work.lasts() && self.is_proved_with(i, lts, work));
            if let Some(lts) = permitted {
                self.requirements[i] = lts;
            }
        }
    }

    /// Whether all that this part matters to is proved with this system in its place.
    fn is_proved_with(&self, part: usize, lts: &Lts, work: &mut Work<'_>) -> bool {
        let premises = self.premises.iter().zip(&self.proofs);
        let mut concerned = premises.filter(|(premise, _)| premise.clauses().any(|i| i == part));
        concerned.all(|(premise, (monitor, limit))| {
            let requirement = |i: usize| if i == part { lts } else { &self.requirements[i] };
            let proof = prove(monitor, &premise.parts, requirement, *limit);
            let size = |i: usize| requirement(i).n_transitions();
            let n_read: usize = premise.clauses().map(size).sum();
            let (Ok(n_states) | Err(n_states)) = proof;
            work.left = work.left.saturating_sub(n_read + n_states);
            proof.is_ok()
        })
    }

    /// Premises without the parts that may do anything.
    fn without_idlers(mut self) -> Self {
        for premise in &mut self.premises {
            premise.parts = without(&premise.parts, |i| is_idle(&self.requirements[i]));
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
