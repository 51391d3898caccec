//! The candidate model: values of the columns, and what every relevant term is under them.
//!
//! Nothing is decided that the candidate satisfies already. If it makes an assertion false, the first
//! open literal inside that could make it true is decided.

use super::clauses::Lit;
use super::delta::Delta;
use super::relevant::Relevant;
use super::state::State;
use resy_symbolic::Rational;
use resy_symbolic::{
    ArrayValue, DataValue, Interpretation, LinearSum, Relation, Sort, Term, TermId, Terms,
};
use rustc_hash::FxHashMap;

/// How often δ is made smaller.
const ATTEMPTS: usize = 20;

/// Truth values of the relevant Boolean terms.
#[derive(Debug, Default)]
pub(super) struct Truths(FxHashMap<TermId, bool>);

impl Truths {
    pub(super) fn get(&self, id: TermId) -> bool {
        self.0.get(&id).copied().unwrap_or(false)
    }
}

impl State {
    /// The value of a numeric term.
    pub(super) fn number(&self, terms: &Terms, id: TermId) -> Option<Delta> {
        match terms.term(id) {
            Term::Sum(sum) => self.sum(sum),
            _ => Some(self.simplex.value(self.column(id)?)),
        }
    }

    fn sum(&self, sum: &LinearSum) -> Option<Delta> {
        let mut total = Delta::real(sum.constant);
        for &(term, coefficient) in &sum.summands {
            total = total.plus(self.simplex.value(self.column(term)?).times(coefficient)?)?;
        }
        Some(total)
    }

    /// What the candidate makes of the relevant terms; `None` if a number does not fit.
    pub(super) fn truths(&self, terms: &Terms, relevant: &Relevant) -> Option<Truths> {
        let mut truths = Truths::default();
        for &id in &relevant.booleans {
            let value = self.truth(terms, id, &truths)?;
            truths.0.insert(id, value);
        }
        Some(truths)
    }

    fn truth(&self, terms: &Terms, id: TermId, truths: &Truths) -> Option<bool> {
        Some(match terms.term(id) {
            Term::Boolean(value) => *value,
            Term::Not(inner) => !truths.get(*inner),
            Term::And(parts) => parts.iter().all(|&part| truths.get(part)),
            Term::If(condition, yes, no) => {
                truths.get(if truths.get(*condition) { *yes } else { *no })
            }
            Term::Compare(relation, sum, bound) => {
                let order = self.value_of_sum(sum)?.cmp(&Delta::real(*bound));
                match relation {
                    Relation::AtMost => order.is_le(),
                    Relation::Less => order.is_lt(),
                    Relation::Equal => order.is_eq(),
                }
            }
            // Variables, equalities of arrays, and what is outside the fragment.
            _ => self.clauses.value(self.literal(terms, id)?) == Some(true),
        })
    }

    fn value_of_sum(&self, sum: &LinearSum) -> Option<Delta> {
        match self.column_of_sum(sum) {
            Some(column) => Some(self.simplex.value(column)),
            None => self.sum(sum),
        }
    }

    /// The literal to decide so that a term, which the candidate makes false, may become true.
    pub(super) fn repair(&self, terms: &mut Terms, truths: &Truths, id: TermId) -> Option<Lit> {
        let (mut id, mut wanted) = terms.literal(id);
        loop {
            let literal = self.literal(terms, id)?;
            if self.clauses.value(literal).is_none() {
                return Some(if wanted { literal } else { literal.negated() });
            }
            let next = match terms.term(id).clone() {
                Term::And(parts) if wanted => parts.into_iter().find(|&part| !truths.get(part))?,
                Term::And(parts) => {
                    let part = self.part_to_refute(terms, truths, &parts)?;
                    terms.not(part)
                }
                Term::If(condition, yes, no) => {
                    let holds = truths.get(condition);
                    let value = self.clauses.value(self.literal(terms, condition)?);
                    match (value == Some(holds), holds) {
                        // Open: as the candidate has it. Decided otherwise: that must be repaired.
                        (false, _) => {
                            let wanted = value.unwrap_or(holds);
                            if wanted { condition } else { terms.not(condition) }
                        }
                        (true, _) => {
                            let part = if holds { yes } else { no };
                            if wanted { part } else { terms.not(part) }
                        }
                    }
                }
                Term::Compare(Relation::Equal, sum, bound) if !wanted => {
                    let (sum, bound) = (terms.of_sum(sum), terms.number(bound));
                    terms.less(sum, bound)
                }
                _ => return None,
            };
            (id, wanted) = terms.literal(next);
        }
    }

    /// A part of a conjunction that is to be false, though the candidate makes all of them true.
    fn part_to_refute(&self, terms: &Terms, truths: &Truths, parts: &[TermId]) -> Option<TermId> {
        let value = |&part: &TermId| self.clauses.value(self.literal(terms, part)?);
        let decided = parts.iter().find(|part| value(part) == Some(false));
        let open = parts.iter().find(|part| value(part).is_none() && truths.get(**part));
        decided.or(open).copied()
    }

    /// The literal to decide so that a clause, which the candidate makes false, may become true: the
    /// conclusion is last.
    pub(super) fn repair_clause(
        &self,
        terms: &mut Terms,
        truths: &Truths,
        clause: &[TermId],
    ) -> Option<Lit> {
        for &term in clause.iter().rev() {
            let Some(literal) = self.literal(terms, term) else { continue };
            match self.clauses.value(literal) {
                None => return Some(literal),
                Some(true) => return self.repair(terms, truths, term),
                Some(false) => {}
            }
        }
        None
    }

    /// The candidate as values of the variables, checked by the definition of terms. A δ for strict
    /// bounds may have to be smaller because of what is not bounded: `x != y`.
    pub(super) fn interpretation(
        &self,
        terms: &Terms,
        roots: &[TermId],
        relevant: &Relevant,
    ) -> Option<Interpretation> {
        let mut delta = self.small_delta();
        for _ in 0..ATTEMPTS {
            let found = self.interpretation_at(terms, relevant, delta)?;
            let values = terms.evaluate_all(roots, &found);
            if roots.iter().all(|root| values.get(root) == Some(&DataValue::Boolean(true))) {
                return Some(found);
            }
            delta = delta.over(Rational::integer(3))?;
        }
        None
    }

    fn interpretation_at(
        &self,
        terms: &Terms,
        relevant: &Relevant,
        delta: Rational,
    ) -> Option<Interpretation> {
        let mut found = Interpretation::default();
        for (symbol, id) in relevant.symbols(terms) {
            let value = match terms.sort(id) {
                Sort::Boolean => {
                    DataValue::Boolean(self.clauses.value(self.literal(terms, id)?) == Some(true))
                }
                Sort::Integer | Sort::Rational => {
                    DataValue::Number(self.simplex.value(self.column(id)?).at(delta)?)
                }
                _ => DataValue::Array(self.array(terms, relevant, delta, id)?),
            };
            found.set(symbol, value);
        }
        Some(found)
    }

    fn array(
        &self,
        terms: &Terms,
        relevant: &Relevant,
        delta: Rational,
        array: TermId,
    ) -> Option<ArrayValue> {
        let mut value = ArrayValue::default();
        for &read in &relevant.selects {
            if let Term::Select(of, index) = *terms.term(read)
                && of == array
            {
                let index = self.number(terms, index)?.real.to_integer()?;
                value.set(index, self.number(terms, read)?.at(delta)?);
            }
        }
        Some(value)
    }

    /// A δ that is small enough for all bounds.
    fn small_delta(&self) -> Rational {
        let mut delta = Rational::ONE;
        for column in 0..self.simplex.n_columns() {
            for (small, large) in self.simplex.ordered_pairs(column) {
                // small <= large, lexicographically: real parts may be too close.
                let room = large.real.minus(small.real);
                let need = small.infinitesimal.minus(large.infinitesimal);
                if let (Some(room), Some(need)) = (room, need)
                    && need.signum() > 0
                    && let Some(limit) = room.over(need)
                {
                    delta = delta.min(limit);
                }
            }
        }
        delta
    }
}
