//! Traversal without recursion: the subterms of some terms, in topological order.

use super::{SymbolId, Term, TermId, Terms};
use rustc_hash::FxHashSet;

impl Terms {
    /// Calls `visit` for each direct part of a term.
    pub fn for_each_part(&self, id: TermId, mut visit: impl FnMut(TermId)) {
        match self.term(id) {
            Term::Boolean(_) | Term::Symbol(_) => {}
            Term::Not(inner) | Term::Exists(_, inner) | Term::TruncatedQuotient(inner, _) => {
                visit(*inner);
            }
            Term::And(parts) => parts.iter().for_each(|&part| visit(part)),
            Term::If(a, b, c) | Term::Store(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Term::Sum(sum) | Term::Compare(_, sum, _) => {
                sum.summands.iter().for_each(|&(part, _)| visit(part));
            }
            Term::Select(a, b)
            | Term::SameArray(a, b)
            | Term::Difference(a, b)
            | Term::Product(a, b)
            | Term::Overflow(a, b) => [*a, *b].into_iter().for_each(visit),
        }
    }

    /// The terms and all their subterms, parts before wholes.
    pub fn closure(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut stack: Vec<TermId> = seen.iter().copied().collect();
        while let Some(id) = stack.pop() {
            self.for_each_part(id, |part| {
                if seen.insert(part) {
                    stack.push(part);
                }
            });
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The variables that occur in the terms, bound ones too, in ascending order.
    pub fn symbols_in(&self, roots: &[TermId]) -> Vec<SymbolId> {
        let closure = self.closure(roots);
        let symbol = |id: &TermId| match self.term(*id) {
            Term::Symbol(symbol) => Some(*symbol),
            _ => None,
        };
        let mut found: Vec<SymbolId> = closure.iter().filter_map(symbol).collect();
        found.sort_unstable();
        found
    }

    /// The atoms of a Boolean term: its variables, comparisons, equalities of arrays and quantified
    /// terms, without negations, in ascending order. Conditions inside numeric terms count.
    pub fn atoms_in(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut closure = self.closure(roots);
        closure.retain(|&id| match self.term(id) {
            Term::Compare(..) | Term::SameArray(..) | Term::Exists(..) => true,
            Term::Symbol(symbol) => self.declaration(*symbol).sort == super::Sort::Boolean,
            _ => false,
        });
        closure
    }
}
