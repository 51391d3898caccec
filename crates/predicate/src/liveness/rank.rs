//! Rankings: a number that is not negative cannot fall again and again without rising again and again.

use super::enabled::is_refuted;
use crate::abstraction::{AbstractGraph, AbstractId, Basis, literals_of};
use resy_symbolic::{GuardedCommand, OutOfReach};
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

/// Terms that may be rankings of a cycle: the distance to the bound of each guard on it, and each integer that
/// may fall on it.
pub(crate) fn guesses<'c>(
    program: &SymbolicProgram<'_>,
    commands: impl Iterator<Item = &'c GuardedCommand> + Clone,
) -> Vec<TermId> {
    let mut terms = program.terms().borrow_mut();
    let mut found: Vec<TermId> = Vec::new();
    for command in commands.clone() {
        for &literal in &command.guard {
            for part in conjuncts(&terms, literal) {
                let Some(distance) = distance(&mut terms, part) else { continue };
                let symbols = terms.symbols_in(&[distance]);
                let moves = |s: &resy_symbolic::SymbolId| {
                    commands.clone().any(|c| c.updates.contains_key(s))
                };
                if symbols.iter().any(moves) && !found.contains(&distance) {
                    found.push(distance);
                }
            }
        }
    }
    for command in commands {
        let mut updates: Vec<_> = command.updates.iter().map(|(&s, &value)| (s, value)).collect();
        updates.sort_unstable();
        for (symbol, value) in updates {
            let own = terms.symbol(symbol);
            if !found.contains(&own) && may_fall(&mut terms, own, value) {
                found.push(own);
            }
        }
    }
    found.truncate(MOST_GUESSES);
    found
}

/// Whether an integer is changed, and neither to a number nor by a number upwards.
fn may_fall(terms: &mut Terms, old: TermId, new: TermId) -> bool {
    if terms.sort(old) != Sort::Integer || terms.as_number(new).is_some() {
        return false;
    }
    let change = terms.subtract(new, old);
    terms.as_number(change).is_none_or(|change| change.signum() < 0)
}

/// What has to be known for the guessed rankings to fall on commands that change them: they are not negative, and the
/// new value is less.
pub(crate) fn conditions(
    program: &SymbolicProgram<'_>,
    commands: &[GuardedCommand],
) -> Vec<TermId> {
    let ranks = guesses(program, commands.iter());
    let mut terms = program.terms().borrow_mut();
    let zero = terms.number(0);
    let mut found = Vec::new();
    for rank in ranks {
        for command in commands {
            let after = terms.substitute(rank, &command.updates);
            let has_inputs = terms.symbols_in(&[after]).iter().any(|s| command.inputs.contains(s));
            if after != rank && !has_inputs {
                found.extend([terms.at_least(rank, zero), terms.less(after, rank)]);
            }
        }
    }
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
