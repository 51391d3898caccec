//! The formulas that must have no model, from the program and the evidence.
//!
//! They are made in one order, by the same calls, whoever asks: a derivation is about terms whose normal form depends on
//! the order in which terms were made.

use super::evidence::{AbstractValuation, DataEvidence};
use super::steps::cycle_obligations;
use crate::obligation::{Obligation, Rejection};
use resy_index::Id;
use resy_symbolic::{
    ControlId, FairnessAssumptions, GuardedCommand, OutOfReach, SymbolicProgram, TermId, Terms,
};
use resy_system::{LivenessClaim, Property};

/// Formulas that must have no common model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofObligation {
    /// What they are for.
    pub obligation: Obligation,
    /// Where, in words.
    pub place: String,
    /// The formulas.
    pub formulas: Vec<TermId>,
}

/// What is proved of a program.
pub struct DataQuestion<'q> {
    /// The property.
    pub property: &'q Property,
    /// The automaton of the runs that violate a property of infinite runs.
    pub claim: Option<&'q LivenessClaim>,
    /// What is assumed about the scheduler.
    pub fairness: &'q FairnessAssumptions,
}

/// A program whose commands were derived as far as the evidence goes, with its predicates as terms.
pub struct DerivedProgram<'p, 'a> {
    /// The program.
    pub program: &'p mut SymbolicProgram<'a>,
    /// The predicates.
    pub predicates: Vec<TermId>,
    /// The rankings.
    pub ranks: Vec<TermId>,
}

/// Derives the commands of the control states that have valuations.
pub fn derive_commands(
    program: &mut SymbolicProgram<'_>,
    has_states: &mut dyn FnMut(&SymbolicProgram<'_>, ControlId) -> bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<()>, OutOfReach> {
    program.start()?;
    let mut next = 0;
    while next < program.controls().len() {
        let control = ControlId::from_index(next);
        next += 1;
        if !go_on() {
            return Ok(None);
        }
        if has_states(program, control) {
            program.commands(control)?;
        }
    }
    Ok(Some(()))
}

/// Makes the obligations one after the other; what `visit` adds to the terms is removed.
pub fn obligations(
    derived: &mut DerivedProgram<'_, '_>,
    evidence: &DataEvidence,
    question: &DataQuestion<'_>,
    visit: &mut dyn FnMut(&mut Terms, &ProofObligation) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let mut ask = |program: &SymbolicProgram<'_>, asked: ProofObligation| {
        let mut terms = program.terms().borrow_mut();
        if asked.formulas.iter().any(|&formula| terms.as_truth(formula) == Some(false)) {
            return Ok(());
        }
        let n_terms = terms.len();
        let answer = visit(&mut terms, &asked);
        terms.truncate(n_terms);
        answer
    };
    if evidence.cycles.is_some() {
        return cycle_obligations(derived, evidence, question, &mut ask);
    }
    let fails = |why: OutOfReach| Obligation::Text.fails(why.why);
    for command in derived.program.start().map_err(fails)?.iter() {
        let inside = |derived: &mut DerivedProgram<'_, '_>, target| {
            derived.invariant(target, valuations(evidence, target))
        };
        if let Some(asked) = step(derived, question, None, command, &inside)? {
            ask(derived.program, asked)?;
        }
    }
    for (number, listed) in evidence.controls.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
        let control = ControlId::from_index(number);
        for command in derived.program.commands(control).map_err(fails)?.iter() {
            let before = derived.invariant(control, listed);
            let inside = |derived: &mut DerivedProgram<'_, '_>, target| {
                derived.invariant(target, valuations(evidence, target))
            };
            let source = Some((control, vec![before]));
            if let Some(asked) = step(derived, question, source, command, &inside)? {
                ask(derived.program, asked)?;
            }
        }
    }
    Ok(())
}

/// The valuations of a control state.
pub(super) fn valuations(evidence: &DataEvidence, control: ControlId) -> &[AbstractValuation] {
    evidence.controls.get(control.index()).map_or(&[], |list| &list[..])
}

/// What a command must not do: violate the property, or leave what `inside` says of its target. The source is a
/// control state with what is known of its data.
pub(super) fn step(
    derived: &mut DerivedProgram<'_, '_>,
    question: &DataQuestion<'_>,
    source: Option<(ControlId, Vec<TermId>)>,
    command: &GuardedCommand,
    inside: &dyn Fn(&mut DerivedProgram<'_, '_>, ControlId) -> TermId,
) -> Result<Option<ProofObligation>, Rejection> {
    let is_violated = |outcome| question.property.is_violated_by(outcome);
    let is_bad = command.outcomes.iter().any(is_violated);
    let place = match &source {
        Some((control, _)) => format!("control state {}, `{}`", control.index(), command.text),
        None => "the start".to_owned(),
    };
    let obligation = match (is_bad, &source) {
        (true, _) => Obligation::DataSafe,
        (false, Some(_)) => Obligation::DataStep,
        (false, None) => Obligation::DataStart,
    };
    let mut formulas = Vec::new();
    if let Some((control, known)) = source {
        formulas.extend(derived.assumptions(control)?);
        formulas.extend(known);
    }
    formulas.extend(&command.guard);
    match command.target {
        None if !is_bad => return Ok(None),
        None => {}
        Some(target) => {
            let mut after = derived.assumptions(target)?;
            if !is_bad {
                let inside = inside(derived, target);
                after.push(derived.program.terms().borrow_mut().not(inside));
            }
            let mut terms = derived.program.terms().borrow_mut();
            formulas.extend(after.into_iter().map(|f| terms.substitute(f, &command.updates)));
        }
    }
    Ok(Some(ProofObligation { obligation, place, formulas }))
}

impl DerivedProgram<'_, '_> {
    /// What is assumed of the data in a control state.
    pub(super) fn assumptions(&mut self, control: ControlId) -> Result<Vec<TermId>, Rejection> {
        let assumed = self.program.assumptions(control);
        assumed.map(|list| list.to_vec()).map_err(|why| Obligation::Text.fails(why.why))
    }

    /// What a valuation says about the data in a control state.
    pub(super) fn literals(&self, control: ControlId, values: &[bool]) -> Vec<TermId> {
        let read = self.predicates.iter().map(|&p| self.program.read_in(control, p));
        let read: Vec<TermId> = read.collect();
        let mut terms = self.program.terms().borrow_mut();
        let signed = read.into_iter().zip(values);
        signed.map(|(f, &value)| if value { f } else { terms.not(f) }).collect()
    }

    /// What some valuations say: one of them holds.
    pub(super) fn invariant(&self, control: ControlId, list: &[AbstractValuation]) -> TermId {
        let cases: Vec<TermId> = list
            .iter()
            .map(|values| {
                let literals = self.literals(control, values);
                self.program.terms().borrow_mut().and(&literals)
            })
            .collect();
        self.program.terms().borrow_mut().or(&cases)
    }
}
