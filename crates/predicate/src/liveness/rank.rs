//! Rankings: a number that is not negative cannot fall again and again without rising again and again.

use super::enabled::is_refuted;
use crate::abstraction::{AbstractGraph, AbstractId, Basis, literals_of};
use resy_symbolic::{ControlId, GuardedCommand, OutOfReach};
use resy_symbolic::{Relation, Solver, Sort, SymbolicProgram, Term, TermId, Terms};

/// What a ranking does on an edge.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct RankChange {
    /// Every concrete step under the edge makes it smaller, from a value that is not negative.
    pub falls: bool,
    /// Some concrete step may make it greater.
    pub rises: bool,
}

/// What a ranking does on an edge from one abstract state to another.
pub(crate) fn change(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    basis: &mut Basis,
    graph: &AbstractGraph,
    (source, command, target): (AbstractId, &GuardedCommand, AbstractId),
    rank: TermId,
) -> Result<RankChange, OutOfReach> {
    let (from, to) = (graph.states[source].clone(), graph.states[target].clone());
    let before = program.read_in(from.control, rank);
    let after = program.read_in(to.control, rank);
    let after = program.terms().borrow_mut().substitute(after, &command.updates);
    if before == after {
        return Ok(RankChange { falls: false, rises: false });
    }
    let mut context = literals_of(program, basis, from.control, &from.values);
    context.extend(program.assumptions(from.control)?.iter());
    context.extend(&command.guard);
    let assumed = program.assumptions(to.control)?;
    let reached = literals_of(program, basis, to.control, &to.values);
    let mut terms = program.terms().borrow_mut();
    let later = assumed.iter().chain(&reached);
    context.extend(later.map(|&f| terms.substitute(f, &command.updates)));
    let zero = terms.number(0);
    let (is_bounded, is_less) = (terms.at_least(before, zero), terms.less(after, before));
    let falls = terms.and(&[is_bounded, is_less]);
    let (stays, more) = (terms.not(falls), terms.greater(after, before));
    let mut refuted = |formula: TermId| {
        let query: Vec<TermId> = context.iter().copied().chain([formula]).collect();
        is_refuted(&mut terms, solver, &query)
    };
    Ok(RankChange { falls: refuted(stays), rises: !refuted(more) })
}

/// More guesses than this are not tried.
const MOST_GUESSES: usize = 24;

/// Terms that may be rankings of a cycle: the distance to the bound of each guard on it.
pub(crate) fn guesses(
    program: &SymbolicProgram<'_>,
    commands: &[(ControlId, GuardedCommand)],
) -> Vec<TermId> {
    let mut terms = program.terms().borrow_mut();
    let mut found: Vec<TermId> = Vec::new();
    for (_, command) in commands {
        for &literal in &command.guard {
            for part in conjuncts(&terms, literal) {
                let Some(distance) = distance(&mut terms, part) else { continue };
                let symbols = terms.symbols_in(&[distance]);
                let moves = |s: &resy_symbolic::SymbolId| {
                    commands.iter().any(|(_, c)| c.updates.contains_key(s))
                };
                if symbols.iter().any(moves) && !found.contains(&distance) {
                    found.push(distance);
                }
            }
        }
    }
    found.truncate(MOST_GUESSES);
    found
}

fn conjuncts(terms: &Terms, formula: TermId) -> Vec<TermId> {
    match terms.term(formula) {
        Term::And(parts) => parts.clone(),
        _ => vec![formula],
    }
}

/// For `e1 <= e2` the number `e2 - e1`, which is not negative; only for integers.
fn distance(terms: &mut Terms, literal: TermId) -> Option<TermId> {
    let (atom, is_positive) = terms.literal(literal);
    let Term::Compare(Relation::AtMost, sum, bound) = terms.term(atom).clone() else { return None };
    let (left, right) = (terms.of_sum(sum), terms.number(bound));
    if terms.sort(left) != Sort::Integer {
        return None;
    }
    Some(match is_positive {
        true => terms.subtract(right, left),
        false => {
            let (above, one) = (terms.subtract(left, right), terms.number(1));
            terms.subtract(above, one)
        }
    })
}
