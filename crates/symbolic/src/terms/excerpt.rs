//! Terms by themselves: a list in which a term names its parts by their positions, for files.

use super::{LinearSum, Relation, Sort, SymbolId, Term, TermId, Terms};
use crate::rational::Rational;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// Some terms with all their parts. The ids in it are positions in its list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TermExcerpt {
    /// The terms, parts before wholes.
    pub terms: Vec<Term>,
}

impl Terms {
    /// The terms with all their parts, and where each of them is.
    pub fn excerpt(&self, roots: &[TermId]) -> (TermExcerpt, FxHashMap<TermId, TermId>) {
        let (mut excerpt, mut positions) = (TermExcerpt::default(), FxHashMap::default());
        for id in self.closure(roots) {
            positions.insert(id, TermId::from_index(excerpt.terms.len()));
            excerpt.terms.push(self.term(id).with_parts(|part| positions[&part]));
        }
        (excerpt, positions)
    }

    /// Makes the terms of an excerpt, in order; a message if it is none. Nothing about it is believed.
    pub fn adopt(&mut self, excerpt: &TermExcerpt) -> Result<Vec<TermId>, String> {
        let mut made = Vec::new();
        for (number, term) in excerpt.terms.iter().enumerate() {
            let mut is_known = true;
            visit_parts(term, &mut |part| is_known &= part.index() < number);
            let own =
                if is_known { self.make(&term.with_parts(|p| made[p.index()])) } else { None };
            made.push(own.ok_or_else(|| format!("term {number} is none"))?);
        }
        Ok(made)
    }

    /// Removes the terms that were made after there were `n`.
    pub fn truncate(&mut self, n: usize) {
        while self.terms.len() > n {
            let Some(term) = self.terms.pop() else { break };
            self.sorts.pop();
            self.known.remove(&term);
        }
    }

    /// The term by the constructors, which check and normalise; `None` if its parts do not fit.
    fn make(&mut self, term: &Term) -> Option<TermId> {
        let has = |terms: &Self, id: TermId, sort: Sort| terms.sort(id) == sort;
        Some(match term {
            Term::Boolean(value) => self.truth(*value),
            Term::Symbol(symbol) => self.known_symbol(*symbol)?,
            Term::Not(inner) if has(self, *inner, Sort::Boolean) => self.not(*inner),
            Term::And(parts) if parts.iter().all(|&p| has(self, p, Sort::Boolean)) => {
                self.and(parts)
            }
            Term::If(a, b, c) if has(self, *a, Sort::Boolean) && self.sort(*b) == self.sort(*c) => {
                self.ite(*a, *b, *c)
            }
            Term::Sum(sum) => self.make_sum(sum)?,
            Term::Compare(relation, sum, bound) => self.make_comparison(*relation, sum, *bound)?,
            Term::Select(a, i)
                if self.sort(*a).element().is_some() && has(self, *i, Sort::Integer) =>
            {
                self.select(*a, *i)
            }
            Term::Store(a, i, v)
                if self.sort(*a).element() == Some(self.sort(*v))
                    && has(self, *i, Sort::Integer) =>
            {
                self.store(*a, *i, *v)
            }
            Term::SameArray(a, b) if self.are_alike(*a, *b) => self.same_array(*a, *b),
            Term::Difference(a, b) if self.are_alike(*a, *b) => self.difference(*a, *b),
            Term::TruncatedQuotient(a, divisor) if has(self, *a, Sort::Integer) => {
                self.divide(*a, *divisor)?
            }
            _ => return None,
        })
    }

    fn known_symbol(&mut self, symbol: SymbolId) -> Option<TermId> {
        (symbol.index() < self.symbols.len()).then(|| self.symbol(symbol))
    }

    fn are_alike(&self, a: TermId, b: TermId) -> bool {
        self.sort(a) == self.sort(b) && self.sort(a).element().is_some()
    }

    fn make_sum(&mut self, sum: &LinearSum) -> Option<TermId> {
        let mut total = self.number(sum.constant);
        for &(part, coefficient) in &sum.summands {
            if !self.sort(part).is_numeric() {
                return None;
            }
            let product = self.scale(coefficient, part);
            total = self.add(total, product);
        }
        Some(total)
    }

    fn make_comparison(
        &mut self,
        relation: Relation,
        sum: &LinearSum,
        bound: Rational,
    ) -> Option<TermId> {
        let (left, right) = (self.make_sum(sum)?, self.number(bound));
        Some(match relation {
            Relation::AtMost => self.at_most(left, right),
            Relation::Less => self.less(left, right),
            Relation::Equal => self.equal(left, right),
        })
    }
}

impl Term {
    /// The term with other ids for its parts.
    pub fn with_parts(&self, mut part: impl FnMut(TermId) -> TermId) -> Self {
        let mut in_sum = |sum: &LinearSum| LinearSum {
            summands: sum.summands.iter().map(|&(id, c)| (part(id), c)).collect(),
            constant: sum.constant,
        };
        match self {
            Self::Sum(sum) => return Self::Sum(in_sum(sum)),
            Self::Compare(relation, sum, bound) => {
                return Self::Compare(*relation, in_sum(sum), *bound);
            }
            _ => {}
        }
        match *self {
            Self::Not(a) => Self::Not(part(a)),
            Self::And(ref parts) => Self::And(parts.iter().map(|&p| part(p)).collect()),
            Self::If(a, b, c) => Self::If(part(a), part(b), part(c)),
            Self::Select(a, b) => Self::Select(part(a), part(b)),
            Self::Store(a, b, c) => Self::Store(part(a), part(b), part(c)),
            Self::SameArray(a, b) => Self::SameArray(part(a), part(b)),
            Self::Difference(a, b) => Self::Difference(part(a), part(b)),
            Self::TruncatedQuotient(a, divisor) => Self::TruncatedQuotient(part(a), divisor),
            Self::Product(a, b) => Self::Product(part(a), part(b)),
            Self::Overflow(a, b) => Self::Overflow(part(a), part(b)),
            Self::Exists(ref symbols, a) => Self::Exists(symbols.clone(), part(a)),
            _ => self.clone(),
        }
    }
}

/// Calls `visit` for the ids in a term.
fn visit_parts(term: &Term, visit: &mut dyn FnMut(TermId)) {
    term.with_parts(|part| {
        visit(part);
        part
    });
}
