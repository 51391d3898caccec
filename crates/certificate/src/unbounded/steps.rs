//! The obligations of a proof about infinite runs: each abstract step, and what the decomposition of cycles rests on.

use super::evidence::{AbstractStep, AbstractValuation, CycleEvidence, DataEvidence};
use super::obligations::{DataQuestion, DerivedProgram, ProofObligation, step};
use crate::obligation::{Obligation, Rejection};
use resy_index::Id;
use resy_symbolic::{ControlId, FairAction, GuardedCommand, SymbolicProgram, TermId};
use std::rc::Rc;

/// An abstract state of some evidence.
pub(super) type ListedState<'e> = (ControlId, &'e AbstractValuation);

/// The abstract states of some evidence, in the order of their numbers.
pub(super) fn states_of(evidence: &DataEvidence) -> Vec<ListedState<'_>> {
    let controls = evidence.controls.iter().enumerate();
    let in_control = |(number, list)| {
        let valuations: &Vec<AbstractValuation> = list;
        valuations.iter().map(move |values| (ControlId::from_index(number), values))
    };
    controls.flat_map(in_control).collect()
}

/// Makes the obligations of a proof about infinite runs.
pub(super) fn cycle_obligations(
    derived: &mut DerivedProgram<'_, '_>,
    evidence: &DataEvidence,
    question: &DataQuestion<'_>,
    ask: &mut dyn FnMut(&SymbolicProgram<'_>, ProofObligation) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let Some(cycles) = &evidence.cycles else { return Ok(()) };
    let states = states_of(evidence);
    let listed = |numbers: &[usize], control: ControlId| -> Vec<AbstractValuation> {
        let own = numbers.iter().filter_map(|&n| states.get(n)).filter(|s| s.0 == control);
        own.map(|state| state.1.clone()).collect()
    };
    let fails = |why: resy_symbolic::OutOfReach| Obligation::Text.fails(why.why);
    for command in derived.program.start().map_err(fails)?.iter() {
        let inside = |derived: &mut DerivedProgram<'_, '_>, target| {
            derived.invariant(target, &listed(&cycles.initial, target))
        };
        if let Some(asked) = step(derived, question, None, command, &inside)? {
            ask(derived.program, asked)?;
        }
    }
    for (number, &(control, values)) in states.iter().enumerate() {
        let steps = cycles.steps.get(number).map_or(&[][..], |steps| &steps[..]);
        for (n, command) in derived.commands(control)?.iter().enumerate() {
            let targets: Vec<usize> =
                steps.iter().filter(|s| s.command == n).map(|s| s.target).collect();
            let inside = |derived: &mut DerivedProgram<'_, '_>, target| {
                derived.invariant(target, &listed(&targets, target))
            };
            let source = Some((control, derived.literals(control, values)));
            if let Some(asked) = step(derived, question, source, command, &inside)? {
                ask(derived.program, asked)?;
            }
        }
    }
    facts(derived, cycles, &states, question, ask)
}

/// Makes the obligations of what is listed about states and steps.
fn facts(
    derived: &mut DerivedProgram<'_, '_>,
    cycles: &CycleEvidence,
    states: &[ListedState<'_>],
    question: &DataQuestion<'_>,
    ask: &mut dyn FnMut(&SymbolicProgram<'_>, ProofObligation) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let missing = |obligation: Obligation| move || obligation.fails("there is no such state");
    let state_of = |n: usize, obligation| states.get(n).copied().ok_or_else(missing(obligation));
    for &(state, proposition, value) in &cycles.known {
        let obligation = Obligation::Proposition;
        let formulas = derived.proposition_query(
            state_of(state, obligation)?,
            question,
            proposition,
            value,
        )?;
        let place = format!("state {state}, proposition {proposition}");
        ask(derived.program, ProofObligation { obligation, place, formulas })?;
    }
    for &(action, state) in &cycles.enabled {
        let obligation = Obligation::Enabled;
        let formulas = derived.enabled_query(state_of(state, obligation)?, action)?;
        let place = format!("state {state}, {action:?}");
        ask(derived.program, ProofObligation { obligation, place, formulas })?;
    }
    for (list, obligation) in
        [(&cycles.falling, Obligation::Falls), (&cycles.not_rising, Obligation::Rises)]
    {
        for &(rank, state, step) in list {
            let ends = (state_of(state, obligation)?, state_of(step.target, obligation)?);
            let formulas = derived.rank_query(rank, ends, step, obligation)?;
            let place = format!("ranking {rank}, state {state}, command {}", step.command);
            ask(derived.program, ProofObligation { obligation, place, formulas })?;
        }
    }
    Ok(())
}

impl DerivedProgram<'_, '_> {
    /// The commands of a control state.
    pub(super) fn commands(
        &mut self,
        control: ControlId,
    ) -> Result<Rc<[GuardedCommand]>, Rejection> {
        self.program.commands(control).map_err(|why| Obligation::Text.fails(why.why))
    }

    /// What has no model if a proposition of the claim has this value in all concrete states of a state.
    pub fn proposition_query(
        &mut self,
        (control, values): (ControlId, &AbstractValuation),
        question: &DataQuestion<'_>,
        proposition: usize,
        value: bool,
    ) -> Result<Vec<TermId>, Rejection> {
        let fails = |why: String| Obligation::Proposition.fails(why);
        let condition = question.claim.and_then(|claim| claim.propositions.get(proposition));
        let condition = condition.ok_or_else(|| fails("there is none".to_owned()))?;
        let formula = self.program.formula(control, condition).map_err(|why| fails(why.why))?;
        let mut formulas = self.literals(control, values);
        formulas.extend(self.assumptions(control)?);
        let mut terms = self.program.terms().borrow_mut();
        formulas.push(if value { terms.not(formula) } else { formula });
        Ok(formulas)
    }

    /// What has no model if an action is enabled in all concrete states of a state.
    pub fn enabled_query(
        &mut self,
        (control, values): (ControlId, &AbstractValuation),
        action: FairAction,
    ) -> Result<Vec<TermId>, Rejection> {
        let mut formulas = self.literals(control, values);
        formulas.extend(self.assumptions(control)?);
        // A command with inputs or unknown values may be closed for all that is known.
        let commands = self.commands(control)?;
        let own = commands.iter().filter(|c| action.is_begun_by(c));
        let mut terms = self.program.terms().borrow_mut();
        for command in own.filter(|c| c.inputs.is_empty() && c.is_exact) {
            let guard = terms.and(&command.guard);
            formulas.push(terms.not(guard));
        }
        Ok(formulas)
    }

    /// What has no model if a ranking falls on a step from a value that is not negative, or does not rise.
    pub fn rank_query(
        &mut self,
        rank: usize,
        (from, to): ((ControlId, &AbstractValuation), (ControlId, &AbstractValuation)),
        step: AbstractStep,
        obligation: Obligation,
    ) -> Result<Vec<TermId>, Rejection> {
        let fails = |why: &str| obligation.fails(why);
        let rank = *self.ranks.get(rank).ok_or_else(|| fails("there is no such ranking"))?;
        let commands = self.commands(from.0)?;
        let command = commands.get(step.command).filter(|c| c.target == Some(to.0));
        let command = command.ok_or_else(|| fails("there is no such step"))?;
        let mut formulas = self.literals(from.0, from.1);
        formulas.extend(self.assumptions(from.0)?);
        formulas.extend(&command.guard);
        let mut after = self.literals(to.0, to.1);
        after.extend(self.assumptions(to.0)?);
        let (before, later) =
            (self.program.read_in(from.0, rank), self.program.read_in(to.0, rank));
        let mut terms = self.program.terms().borrow_mut();
        formulas.extend(after.into_iter().map(|f| terms.substitute(f, &command.updates)));
        let later = terms.substitute(later, &command.updates);
        formulas.push(match obligation {
            Obligation::Falls => {
                let zero = terms.number(0);
                let (is_bounded, is_less) =
                    (terms.at_least(before, zero), terms.less(later, before));
                let falls = terms.and(&[is_bounded, is_less]);
                terms.not(falls)
            }
            _ => terms.greater(later, before),
        });
        Ok(formulas)
    }
}
