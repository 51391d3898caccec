//! Axioms that the candidate model violates: conditionals, divisions, reads and equalities of arrays.
//! Only these are added, one at a time: most instances are never needed.

use super::candidate::Truths;
use super::delta::Delta;
use super::relevant::Relevant;
use super::state::State;
use resy_symbolic::derivation::Axiom;
use resy_symbolic::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

impl State {
    /// An axiom that the candidate violates. Terms that it needs may be new.
    pub(super) fn violated_axiom(
        &mut self,
        terms: &mut Terms,
        relevant: &mut Relevant,
        truths: &Truths,
    ) -> Option<Axiom> {
        let found = self.violated_conditional(terms, relevant, truths);
        let found = found.or_else(|| self.violated_division(terms, relevant));
        let found = found.or_else(|| self.violated_read(terms, relevant, truths));
        let found = found.or_else(|| self.violated_congruence(terms, relevant));
        found.or_else(|| self.violated_equality(terms, relevant, truths))
    }

    fn differ(&self, terms: &Terms, left: TermId, right: TermId) -> bool {
        // A term without a value yet is new: it differs until it has one.
        let (left, right) = (self.number(terms, left), self.number(terms, right));
        left.is_none() || left != right
    }

    fn violated_conditional(
        &self,
        terms: &Terms,
        relevant: &Relevant,
        truths: &Truths,
    ) -> Option<Axiom> {
        relevant.conditionals.iter().find_map(|&id| {
            let Term::If(condition, yes, no) = *terms.term(id) else { return None };
            let holds = truths.get(condition);
            let part = if holds { yes } else { no };
            self.differ(terms, id, part).then_some(Axiom::Selected(id, holds))
        })
    }

    fn violated_division(&self, terms: &Terms, relevant: &Relevant) -> Option<Axiom> {
        relevant.quotients.iter().find_map(|&id| {
            let Term::TruncatedQuotient(dividend, divisor) = *terms.term(id) else { return None };
            let dividend = self.number(terms, dividend)?.real.to_integer()?;
            let quotient = self.number(terms, id)?.real.to_integer()?;
            let product = quotient.checked_mul(divisor)?;
            let remainder = dividend.checked_sub(product)?;
            let size = divisor.checked_abs()?;
            let violated = match dividend >= 0 {
                true if remainder < 0 => 0,
                true if remainder >= size => 1,
                false if remainder > 0 => 2,
                false if remainder <= -size => 3,
                _ => return None,
            };
            Some(Axiom::Division(id, violated))
        })
    }

    fn violated_read(
        &mut self,
        terms: &mut Terms,
        relevant: &Relevant,
        truths: &Truths,
    ) -> Option<Axiom> {
        for &read in &relevant.selects {
            let Term::Select(array, index) = *terms.term(read) else { continue };
            match *terms.term(array) {
                Term::Store(inner, written, value) => {
                    if !self.differ(terms, written, index) {
                        if self.differ(terms, read, value) {
                            return Some(Axiom::ReadWritten(read));
                        }
                        continue;
                    }
                    let other = terms.select(inner, index);
                    if self.differ(terms, read, other) || !relevant.covers(terms, other) {
                        return Some(Axiom::ReadOther(read));
                    }
                }
                Term::If(condition, yes, no) => {
                    let holds = truths.get(condition);
                    let other = terms.select(if holds { yes } else { no }, index);
                    if self.differ(terms, read, other) || !relevant.covers(terms, other) {
                        return Some(Axiom::ReadSelected(read, holds));
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn violated_congruence(&self, terms: &Terms, relevant: &Relevant) -> Option<Axiom> {
        let mut reads: FxHashMap<(TermId, resy_symbolic::Rational), TermId> = FxHashMap::default();
        for &read in &relevant.selects {
            let Term::Select(array, index) = *terms.term(read) else { continue };
            if !matches!(terms.term(array), Term::Symbol(_)) {
                continue;
            }
            let Delta { real, .. } = self.number(terms, index)?;
            let first = *reads.entry((array, real)).or_insert(read);
            if self.differ(terms, first, read) {
                return Some(Axiom::Congruence(first, read));
            }
        }
        None
    }

    fn violated_equality(
        &mut self,
        terms: &mut Terms,
        relevant: &Relevant,
        truths: &Truths,
    ) -> Option<Axiom> {
        for &same in &relevant.same_arrays {
            let Term::SameArray(a, b) = *terms.term(same) else { continue };
            if !truths.get(same) {
                let index = terms.difference(a, b);
                let (left, right) = (terms.select(a, index), terms.select(b, index));
                let are_known = relevant.covers(terms, left) && relevant.covers(terms, right);
                if !are_known || !self.differ(terms, left, right) {
                    return Some(Axiom::Differ(same));
                }
                continue;
            }
            for &index in &relevant.indices {
                let (left, right) = (terms.select(a, index), terms.select(b, index));
                let are_known = relevant.covers(terms, left) && relevant.covers(terms, right);
                if left != right && (!are_known || self.differ(terms, left, right)) {
                    return Some(Axiom::SameElements(same, index));
                }
            }
        }
        None
    }
}
