//! Derivations of contradictions, and their checker. This file is trusted; the procedure that finds
//! derivations is not.
//!
//! A derivation is a list of clauses, disjunctions of Boolean terms, that ends with the empty one.
//! A clause is a hypothesis; an axiom, valid by the meaning of a term; a *linear* clause, whose
//! negation is a set of inequalities with a positive combination that says `0 < 0` (Farkas); or it
//! follows from earlier clauses by unit propagation in a given order. A case split is two clauses with
//! complementary terms; splitting an integer at `s <= c` needs no step of its own, because the negation
//! of `s <= c` is read as `s >= c + 1` here: this is where integers are rounded.

use crate::rational::Rational;
use crate::terms::{LinearSum, Relation, Sort, Term, TermId, Terms};
use rustc_hash::FxHashSet;

/// Why a conjunction has no model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Derivation {
    /// The clauses, in order.
    pub steps: Vec<DerivationStep>,
}

/// One clause, and why it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DerivationStep {
    /// The clause that has only this hypothesis.
    Hypothesis(TermId),
    /// An instance of an axiom.
    Axiom(Axiom),
    /// The negated terms are inequalities; their sum with these positive multipliers is contradictory.
    Linear(Vec<TermId>, Vec<Rational>),
    /// If all terms are false, then each of the earlier clauses (by number) has one term left, which is
    /// then true, and the last has none.
    Propagation(Vec<TermId>, Vec<usize>),
}

/// A clause that holds by the meaning of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Axiom {
    /// `!(a && b) || a`: a conjunction implies its part with this number.
    Part(TermId, usize),
    /// `(a && b) || !a || !b`.
    Conjunction(TermId),
    /// A Boolean conditional equals the part that its condition selects. The condition holds or not
    /// (first), the conditional is true or not (second).
    Branch(TermId, bool, bool),
    /// A conditional of numbers is equal to the part that its condition, true or not, selects.
    Selected(TermId, bool),
    /// An equality implies `<=` (first), `>=` (second), or follows from both (third).
    Equality(TermId, u8),
    /// `i != j || a[i := v][j] == v`.
    ReadWritten(TermId),
    /// `i == j || a[i := v][j] == a[j]`.
    ReadOther(TermId),
    /// A read of a conditional array is a read of the part that its condition, true or not, selects.
    ReadSelected(TermId, bool),
    /// `i != j || a[i] == a[j]`.
    Congruence(TermId, TermId),
    /// `a != b || a[i] == b[i]`.
    SameElements(TermId, TermId),
    /// `a == b || a[d] != b[d]`, where `d` is the index at which they differ.
    Differ(TermId),
    /// The remainder of a truncated division by `k`: `>= 0` and `< |k|` if the dividend is not negative
    /// (0, 1), `<= 0` and `> -|k|` otherwise (2, 3).
    Division(TermId, u8),
}

/// Whether the derivation shows that the hypotheses have no common model; else what is wrong.
pub fn check(
    terms: &mut Terms,
    hypotheses: &[TermId],
    derivation: &Derivation,
) -> Result<(), String> {
    let mut clauses: Vec<Vec<TermId>> = Vec::new();
    for (number, step) in derivation.steps.iter().enumerate() {
        let clause = match step {
            DerivationStep::Hypothesis(term) => hypotheses.contains(term).then(|| vec![*term]),
            DerivationStep::Axiom(axiom) => axiom_clause(terms, axiom),
            DerivationStep::Linear(clause, multipliers) => {
                is_contradictory(terms, clause, multipliers).then(|| clause.clone())
            }
            DerivationStep::Propagation(clause, premises) => {
                follows(terms, clause, premises, &clauses).then(|| clause.clone())
            }
        };
        clauses.push(clause.ok_or_else(|| format!("step {number} is wrong: {step:?}"))?);
    }
    match clauses.last() {
        Some(last) if last.is_empty() => Ok(()),
        _ => Err("the last clause is not empty".to_owned()),
    }
}

/// The clause of an axiom; `None` if the term is not of the axiom's kind.
pub fn axiom_clause(terms: &mut Terms, axiom: &Axiom) -> Option<Vec<TermId>> {
    match *axiom {
        Axiom::Part(whole, part) => {
            let Term::And(parts) = terms.term(whole) else { return None };
            let part = *parts.get(part)?;
            Some(vec![terms.not(whole), part])
        }
        Axiom::Conjunction(whole) => {
            let Term::And(parts) = terms.term(whole).clone() else { return None };
            let negated = parts.iter().map(|&part| terms.not(part));
            Some([whole].into_iter().chain(negated).collect())
        }
        Axiom::Branch(whole, holds, value) => {
            let (condition, part) = selected(terms, whole, holds)?;
            if terms.sort(whole) != Sort::Boolean {
                return None;
            }
            let (not_part, not_whole) = (terms.not(part), terms.not(whole));
            Some(if value {
                vec![condition, whole, not_part]
            } else {
                vec![condition, not_whole, part]
            })
        }
        Axiom::Selected(whole, holds) => {
            let (condition, part) = selected(terms, whole, holds)?;
            let is_number = terms.sort(whole).is_numeric();
            is_number.then(|| vec![condition, terms.equal(whole, part)])
        }
        Axiom::Equality(equality, which) => equality_clause(terms, equality, which),
        Axiom::Division(quotient, which) => division_clause(terms, quotient, which),
        _ => array_clause(terms, axiom),
    }
}

/// The negated condition, or the condition, and the part of a conditional that is selected otherwise.
fn selected(terms: &mut Terms, whole: TermId, holds: bool) -> Option<(TermId, TermId)> {
    let Term::If(condition, yes, no) = *terms.term(whole) else { return None };
    Some(if holds { (terms.not(condition), yes) } else { (condition, no) })
}

fn equality_clause(terms: &mut Terms, equality: TermId, which: u8) -> Option<Vec<TermId>> {
    let Term::Compare(Relation::Equal, sum, bound) = terms.term(equality).clone() else {
        return None;
    };
    let (sum, bound) = (terms.of_sum(sum), terms.number(bound));
    Some(match which {
        0 => vec![terms.not(equality), terms.at_most(sum, bound)],
        1 => vec![terms.not(equality), terms.at_least(sum, bound)],
        _ => vec![equality, terms.less(sum, bound), terms.greater(sum, bound)],
    })
}

fn division_clause(terms: &mut Terms, quotient: TermId, which: u8) -> Option<Vec<TermId>> {
    let Term::TruncatedQuotient(dividend, divisor) = *terms.term(quotient) else { return None };
    let product = terms.scale(Rational::integer(divisor), quotient);
    let remainder = terms.subtract(dividend, product);
    let (zero, size) = (terms.number(0), divisor.checked_abs()?);
    let (above, below) = (terms.number(size), terms.number(-size));
    let negative = terms.less(dividend, zero);
    let natural = terms.not(negative);
    Some(match which {
        0 => vec![negative, terms.at_least(remainder, zero)],
        1 => vec![negative, terms.less(remainder, above)],
        2 => vec![natural, terms.at_most(remainder, zero)],
        _ => vec![natural, terms.greater(remainder, below)],
    })
}

fn array_clause(terms: &mut Terms, axiom: &Axiom) -> Option<Vec<TermId>> {
    match *axiom {
        Axiom::ReadWritten(read) | Axiom::ReadOther(read) => {
            let Term::Select(store, j) = *terms.term(read) else { return None };
            let Term::Store(array, i, value) = *terms.term(store) else { return None };
            let same = terms.equal(i, j);
            Some(if matches!(axiom, Axiom::ReadWritten(_)) {
                vec![terms.not(same), terms.equal(read, value)]
            } else {
                let other = terms.select(array, j);
                vec![same, terms.equal(read, other)]
            })
        }
        Axiom::ReadSelected(read, holds) => {
            let Term::Select(array, index) = *terms.term(read) else { return None };
            let (condition, part) = selected(terms, array, holds)?;
            let other = terms.select(part, index);
            Some(vec![condition, terms.equal(read, other)])
        }
        Axiom::Congruence(left, right) => {
            let Term::Select(a, i) = *terms.term(left) else { return None };
            let Term::Select(b, j) = *terms.term(right) else { return None };
            (a == b).then(|| vec![terms.not_equal(i, j), terms.equal(left, right)])
        }
        Axiom::SameElements(same, index) => {
            let Term::SameArray(a, b) = *terms.term(same) else { return None };
            if terms.sort(index) != Sort::Integer {
                return None;
            }
            let (left, right) = (terms.select(a, index), terms.select(b, index));
            Some(vec![terms.not(same), terms.equal(left, right)])
        }
        Axiom::Differ(same) => {
            let Term::SameArray(a, b) = *terms.term(same) else { return None };
            let index = terms.difference(a, b);
            let (left, right) = (terms.select(a, index), terms.select(b, index));
            Some(vec![same, terms.not_equal(left, right)])
        }
        _ => None,
    }
}

/// Whether the negations of the terms are inequalities whose combination is `0 < 0` or worse.
fn is_contradictory(terms: &Terms, clause: &[TermId], multipliers: &[Rational]) -> bool {
    let mut total = LinearSum::default();
    let mut is_strict = false;
    for (&term, &multiplier) in clause.iter().zip(multipliers) {
        let Some((sum, strict)) = negated_inequality(terms, term) else { return false };
        let Some(next) = total.plus(multiplier, &sum) else { return false };
        if multiplier <= Rational::ZERO {
            return false;
        }
        total = next;
        is_strict |= strict;
    }
    let excess = total.constant.signum();
    clause.len() == multipliers.len()
        && total.summands.is_empty()
        && (excess > 0 || excess == 0 && is_strict)
}

/// The negation of the term as `sum <= 0`, or `sum < 0` if strict.
pub fn negated_inequality(terms: &Terms, term: TermId) -> Option<(LinearSum, bool)> {
    let (atom, is_positive) = terms.literal(term);
    let Term::Compare(relation, sum, bound) = terms.term(atom) else { return None };
    let (factor, bound) = (Rational::integer(if is_positive { -1 } else { 1 }), *bound);
    // The bound is on the other side of the sum.
    let constant = factor.times(bound)?.negate()?;
    let is_integral = bound.is_integer()
        && sum.summands.iter().all(|&(t, c)| c.is_integer() && terms.sort(t) == Sort::Integer);
    let sum = LinearSum::number(constant).plus(factor, sum)?;
    match (relation, is_positive) {
        (Relation::AtMost, false) => Some((sum, false)),
        (Relation::Less, false) => Some((sum, true)),
        // Of integers, s > c is s >= c + 1.
        (Relation::AtMost, true) if is_integral => {
            Some((sum.plus(Rational::ONE, &LinearSum::number(Rational::ONE))?, false))
        }
        (Relation::AtMost, true) => Some((sum, true)),
        (Relation::Less, true) => Some((sum, false)),
        (Relation::Equal, _) => None,
    }
}

/// Whether the clause follows from the premises by unit propagation in their order.
fn follows(
    terms: &mut Terms,
    clause: &[TermId],
    premises: &[usize],
    clauses: &[Vec<TermId>],
) -> bool {
    let mut false_terms: FxHashSet<TermId> = clause.iter().copied().collect();
    false_terms.insert(terms.truth(false));
    for &premise in premises {
        let Some(premise) = clauses.get(premise) else { return false };
        let mut left = premise.iter().filter(|&term| !false_terms.contains(term));
        let Some(&term) = left.next() else { return true };
        if left.any(|&other| other != term) {
            return false;
        }
        false_terms.insert(terms.not(term));
    }
    false
}
