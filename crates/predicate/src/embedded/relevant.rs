//! The terms that matter for one query, by kind: subterms of the assertions and assumptions, and what
//! lemmas about them added.

use resy_symbolic::{Sort, SymbolId, Term, TermId, Terms};
use rustc_hash::FxHashSet;

#[derive(Debug, Default)]
pub(super) struct Relevant {
    seen: FxHashSet<TermId>,
    symbols: Vec<TermId>,
    /// Boolean terms, parts before wholes.
    pub(super) booleans: Vec<TermId>,
    /// Atomic numeric terms of sort integer.
    pub(super) integers: Vec<TermId>,
    pub(super) selects: Vec<TermId>,
    /// Numeric conditionals.
    pub(super) conditionals: Vec<TermId>,
    pub(super) quotients: Vec<TermId>,
    pub(super) same_arrays: Vec<TermId>,
    /// Terms that index arrays.
    pub(super) indices: Vec<TermId>,
    /// Terms outside the fragment.
    pub(super) opaque: Vec<TermId>,
}

impl Relevant {
    pub(super) fn contains(&self, id: TermId) -> bool {
        self.seen.contains(&id)
    }

    pub(super) fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether a numeric term consists of relevant atomic terms.
    pub(super) fn covers(&self, terms: &Terms, id: TermId) -> bool {
        match terms.term(id) {
            Term::Sum(sum) => sum.summands.iter().all(|&(part, _)| self.contains(part)),
            _ => self.contains(id),
        }
    }

    /// The variables, and themselves as terms.
    pub(super) fn symbols(&self, terms: &Terms) -> impl Iterator<Item = (SymbolId, TermId)> {
        self.symbols.iter().filter_map(|&id| match *terms.term(id) {
            Term::Symbol(symbol) => Some((symbol, id)),
            _ => None,
        })
    }

    /// Adds terms and their parts.
    pub(super) fn add(&mut self, terms: &Terms, roots: &[TermId]) {
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            self.classify(terms, id);
            terms.for_each_part(id, |part| stack.push(part));
        }
        self.booleans.sort_unstable();
    }

    fn classify(&mut self, terms: &Terms, id: TermId) {
        let sort = terms.sort(id);
        if sort == Sort::Boolean {
            self.booleans.push(id);
        }
        if sort == Sort::Integer && !matches!(terms.term(id), Term::Sum(_)) {
            self.integers.push(id);
        }
        match terms.term(id) {
            Term::Symbol(_) => self.symbols.push(id),
            Term::Select(_, index) => {
                self.selects.push(id);
                self.add_index(*index);
            }
            Term::Store(_, index, _) => self.add_index(*index),
            Term::If(..) if sort.is_numeric() => self.conditionals.push(id),
            Term::TruncatedQuotient(..) => self.quotients.push(id),
            Term::SameArray(..) => self.same_arrays.push(id),
            Term::Product(..) | Term::Overflow(..) | Term::Exists(..) => self.opaque.push(id),
            _ => {}
        }
    }

    fn add_index(&mut self, index: TermId) {
        if !self.indices.contains(&index) {
            self.indices.push(index);
        }
    }
}
