//! Simultaneous substitution, by rebuilding: the result is in normal form.

use super::{LinearSum, SymbolId, Term, TermId, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// Replaces all variables of `map` in `id` at once. A bound variable that is in `map` is replaced
    /// as well: quantified terms should have variables of their own.
    pub fn substitute(&mut self, id: TermId, map: &FxHashMap<SymbolId, TermId>) -> TermId {
        self.rebuild(&[id], |terms, part| match terms.term(part) {
            Term::Symbol(symbol) => map.get(symbol).copied(),
            _ => None,
        })[0]
    }

    /// Replaces subterms: where `replace` has a term, this is put in place of the whole subterm. It is
    /// asked about the original subterms, parts first.
    pub fn rebuild(
        &mut self,
        roots: &[TermId],
        mut replace: impl FnMut(&mut Self, TermId) -> Option<TermId>,
    ) -> Vec<TermId> {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in self.closure(roots) {
            let image = replace(self, id).unwrap_or_else(|| self.rebuild_one(id, &new));
            new.insert(id, image);
        }
        roots.iter().map(|root| new[root]).collect()
    }

    fn rebuild_one(&mut self, id: TermId, new: &FxHashMap<TermId, TermId>) -> TermId {
        let mut is_same = true;
        self.for_each_part(id, |part| is_same &= new[&part] == part);
        if is_same {
            return id;
        }
        match self.term(id).clone() {
            Term::Boolean(_) | Term::Symbol(_) => id,
            Term::Not(inner) => self.not(new[&inner]),
            Term::And(parts) => {
                let parts: Vec<TermId> = parts.iter().map(|part| new[part]).collect();
                self.and(&parts)
            }
            Term::If(a, b, c) => self.ite(new[&a], new[&b], new[&c]),
            Term::Sum(sum) => self.rebuild_sum(&sum, new),
            Term::Compare(relation, sum, bound) => {
                let left = self.rebuild_sum(&sum, new);
                let right = self.number(bound);
                self.compare(relation, left, right)
            }
            Term::Select(a, b) => self.select(new[&a], new[&b]),
            Term::Store(a, b, c) => self.store(new[&a], new[&b], new[&c]),
            Term::SameArray(a, b) => self.same_array(new[&a], new[&b]),
            Term::Difference(a, b) => self.difference(new[&a], new[&b]),
            Term::TruncatedQuotient(a, divisor) => {
                self.divide(new[&a], divisor).expect("a divisor that is not zero")
            }
            Term::Product(a, b) => self.multiply(new[&a], new[&b]),
            Term::Overflow(a, b) => self.add(new[&a], new[&b]),
            Term::Exists(symbols, body) => self.exists(&symbols, new[&body]),
        }
    }

    fn rebuild_sum(&mut self, sum: &LinearSum, new: &FxHashMap<TermId, TermId>) -> TermId {
        let mut total = self.number(sum.constant);
        for (part, coefficient) in &sum.summands {
            let scaled = self.scale(*coefficient, new[part]);
            total = self.add(total, scaled);
        }
        total
    }
}
