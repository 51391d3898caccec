//! The automaton of a claim.

use super::{Automaton, LivenessClaim, refused};
use crate::monitor::{Never, RefusalReason, check_condition, opaque};
use crate::{Claim, ClaimKind, Expr, GivenAutomaton, LtlFormula, Refusal};
use resy_automata::ltl::{TemporalFormula, translate};

/// The automaton of a claim.
pub(super) fn claim(claim: &Claim) -> Result<LivenessClaim, Refusal> {
    let is_formula = !matches!(claim.kind, ClaimKind::Never(_));
    let made = match &claim.kind {
        ClaimKind::Ltl(ltl) => of_formula(ltl),
        ClaimKind::Automaton(given) => of_automaton(given),
        ClaimKind::Never(proctype) => {
            Never::read(proctype).map(|(never, propositions, accepting)| {
                (Automaton::Never(never, accepting), propositions, true)
            })
        }
    };
    let checked = made.and_then(|(automaton, propositions, counts_steps)| {
        propositions.iter().try_for_each(check_value)?;
        Ok(LivenessClaim { name: claim.name.clone(), propositions, automaton, counts_steps })
    });
    checked.map_err(|why| refused(&claim.name, is_formula, why))
}

/// A given automaton.
fn of_automaton(given: &GivenAutomaton) -> Result<(Automaton, Vec<Expr>, bool), RefusalReason> {
    if given.propositions.len() > u64::BITS as usize {
        return Err(RefusalReason::Propositions);
    }
    let automaton = Automaton::Buchi(given.automaton.live_part());
    Ok((automaton, given.propositions.clone(), given.counts_steps))
}

/// The automaton of the negation. States from which no run is accepted are left out.
fn of_formula(ltl: &LtlFormula) -> Result<(Automaton, Vec<Expr>, bool), RefusalReason> {
    if ltl.propositions.len() > u64::BITS as usize {
        return Err(RefusalReason::Propositions);
    }
    let formula = opaque(&ltl.formula);
    let negation = TemporalFormula::Not(Box::new(formula.clone()));
    let automaton = translate(&negation).map_err(RefusalReason::TooLarge)?.live_part();
    let propositions = ltl.propositions.clone();
    Ok((Automaton::Formula(formula, automaton), propositions, ltl.formula.has_next()))
}

/// Like for a monitor, a condition must have a value in every state; `np_` has one.
fn check_value(condition: &Expr) -> Result<(), RefusalReason> {
    match check_condition(condition) {
        Err(RefusalReason::Condition("np_")) => Ok(()),
        other => other,
    }
}
