//! The state of the procedure: which literal and which column stands for which term, and propagation
//! through clauses and bounds.
//!
//! All clauses are valid: they are axioms, linear clauses, or follow from such. Assertions and
//! assumptions are decisions at the first levels, so whatever is learned remains true when they go.

use super::clauses::{AddedClause, ClauseNumber, ClauseOrigin, Clauses, Lit};
use super::delta::Delta;
use super::simplex::{Column, End, Simplex, Trouble};
use resy_symbolic::Rational;
use resy_symbolic::derivation::{Axiom, axiom_clause};
use resy_symbolic::{LinearSum, Relation, Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a comparison says about its column.
#[derive(Debug, Clone, Copy)]
struct BoundAtom {
    column: Column,
    /// The upper bound if it holds.
    upper: Delta,
    /// The lower bound if it does not.
    lower: Delta,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) clauses: Clauses,
    pub(super) simplex: Simplex,
    literals: FxHashMap<TermId, Lit>,
    term_of: Vec<TermId>,
    bounds: Vec<Option<BoundAtom>>,
    columns: FxHashMap<TermId, Column>,
    sums: FxHashMap<Vec<(TermId, Rational)>, Column>,
    /// What each column is the sum of.
    summands: Vec<Vec<(TermId, Rational)>>,
    /// For each column the comparisons of it, by their upper bounds.
    neighbours: FxHashMap<Column, BTreeMap<Delta, Lit>>,
    axioms: FxHashMap<Axiom, Option<ClauseNumber>>,
    /// How much of the trail the bounds have, and the marks before each level.
    n_asserted: usize,
    marks: Vec<usize>,
    /// A clause that was false when it was added.
    pending: Option<ClauseNumber>,
}

impl State {
    /// The literal of a registered Boolean term that is no truth value.
    pub(super) fn literal(&self, terms: &Terms, id: TermId) -> Option<Lit> {
        let (atom, is_positive) = terms.literal(id);
        let literal = *self.literals.get(&atom)?;
        Some(if is_positive { literal } else { literal.negated() })
    }

    /// The term of a literal.
    pub(super) fn term(&self, terms: &mut Terms, literal: Lit) -> TermId {
        let atom = self.term_of[literal.variable()];
        if literal.is_positive() { atom } else { terms.not(atom) }
    }

    pub(super) fn column(&self, id: TermId) -> Option<Column> {
        self.columns.get(&id).copied()
    }

    /// The column of a comparison's sum.
    pub(super) fn column_of_sum(&self, sum: &LinearSum) -> Option<Column> {
        match sum.summands[..] {
            [(term, Rational::ONE)] => self.column(term),
            _ => self.sums.get(&sum.summands).copied(),
        }
    }

    /// The sum of atomic terms that a column stands for.
    pub(super) fn summands_of(&self, column: Column) -> &[(TermId, Rational)] {
        &self.summands[column]
    }

    fn is_registered(&self, id: TermId) -> bool {
        self.literals.contains_key(&id)
    }

    /// Gives literals and columns to a term and its parts; `None` if a number does not fit.
    pub(super) fn register(&mut self, terms: &mut Terms, root: TermId) -> Option<()> {
        if self.is_registered(terms.literal(root).0) {
            return Some(());
        }
        for id in terms.closure(&[root]) {
            self.register_one(terms, id)?;
        }
        Some(())
    }

    fn register_one(&mut self, terms: &mut Terms, id: TermId) -> Option<()> {
        if self.literals.contains_key(&id) || self.columns.contains_key(&id) {
            return Some(());
        }
        let is_atomic = !matches!(terms.term(id), Term::Sum(_));
        match terms.sort(id) {
            Sort::Integer | Sort::Rational if is_atomic => {
                let column = self.simplex.add_column();
                self.columns.insert(id, column);
                self.summands.push(vec![(id, Rational::ONE)]);
            }
            Sort::Boolean if !matches!(terms.term(id), Term::Not(_) | Term::Boolean(_)) => {
                self.register_boolean(terms, id)?;
            }
            _ => {}
        }
        Some(())
    }

    fn register_boolean(&mut self, terms: &mut Terms, id: TermId) -> Option<()> {
        let literal = Lit::new(self.clauses.add_variable(), true);
        self.literals.insert(id, literal);
        self.term_of.push(id);
        self.bounds.push(None);
        match terms.term(id).clone() {
            Term::And(parts) => {
                for part in 0..parts.len() {
                    self.add_axiom(terms, Axiom::Part(id, part))?;
                }
                self.add_axiom(terms, Axiom::Conjunction(id))?;
            }
            Term::If(..) => {
                for (holds, value) in [(true, true), (true, false), (false, true), (false, false)] {
                    self.add_axiom(terms, Axiom::Branch(id, holds, value))?;
                }
            }
            Term::Compare(Relation::Equal, sum, _) => {
                self.ensure_column(&sum)?;
                for which in 0..3 {
                    self.add_axiom(terms, Axiom::Equality(id, which))?;
                }
            }
            Term::Compare(relation, sum, bound) => {
                self.register_bound(terms, literal, relation, &sum, bound)?;
            }
            _ => {}
        }
        Some(())
    }

    fn ensure_column(&mut self, sum: &LinearSum) -> Option<Column> {
        if let Some(column) = self.column_of_sum(sum) {
            return Some(column);
        }
        let mut entries = Vec::new();
        for &(term, coefficient) in &sum.summands {
            entries.push((self.column(term)?, coefficient));
        }
        let column = self.simplex.add_row(&entries)?;
        self.sums.insert(sum.summands.clone(), column);
        self.summands.push(sum.summands.clone());
        Some(column)
    }

    fn register_bound(
        &mut self,
        terms: &Terms,
        literal: Lit,
        relation: Relation,
        sum: &LinearSum,
        bound: Rational,
    ) -> Option<()> {
        let column = self.ensure_column(sum)?;
        let is_integral = sum.summands.iter().all(|&(t, _)| terms.sort(t) == Sort::Integer);
        let beside = |infinitesimal| Delta { real: bound, infinitesimal };
        let minus_one = Rational::integer(-1);
        let (upper, lower) = match (relation, is_integral) {
            (_, true) => (Delta::real(bound), Delta::real(bound.plus(Rational::ONE)?)),
            (Relation::AtMost, false) => (Delta::real(bound), beside(Rational::ONE)),
            _ => (beside(minus_one), Delta::real(bound)),
        };
        self.bounds[literal.variable()] = Some(BoundAtom { column, upper, lower });
        self.add_neighbours(literal, column, upper);
        Some(())
    }

    /// A smaller upper bound implies a larger one: one clause for each neighbour.
    fn add_neighbours(&mut self, literal: Lit, column: Column, upper: Delta) {
        let others = self.neighbours.entry(column).or_default();
        let below = others.range(..upper).next_back().map(|(_, &low)| (low, literal));
        let above = others.range(upper..).next().map(|(_, &high)| (literal, high));
        others.insert(upper, literal);
        for (low, high) in [below, above].into_iter().flatten() {
            let origin = ClauseOrigin::Linear(vec![Rational::ONE; 2]);
            self.add_clause(vec![low.negated(), high], origin);
        }
    }

    /// Adds a clause of distinct literals, none complementary.
    pub(super) fn add_clause(&mut self, literals: Vec<Lit>, origin: ClauseOrigin) -> ClauseNumber {
        if self.clauses.add(literals, origin) == AddedClause::Conflict {
            self.pending = Some(self.clauses.stored.len() - 1);
        }
        self.clauses.stored.len() - 1
    }

    pub(super) fn has_axiom(&self, axiom: &Axiom) -> bool {
        self.axioms.contains_key(axiom)
    }

    /// The clause of an axiom, added if it is new; the inner `None` if it holds trivially.
    pub(super) fn add_axiom(
        &mut self,
        terms: &mut Terms,
        axiom: Axiom,
    ) -> Option<Option<ClauseNumber>> {
        if let Some(&known) = self.axioms.get(&axiom) {
            return Some(known);
        }
        let clause = axiom_clause(terms, &axiom)?;
        let mut literals = Vec::new();
        let mut is_trivial = false;
        for &term in &clause {
            match terms.as_truth(term) {
                Some(value) => is_trivial |= value,
                None => {
                    self.register(terms, term)?;
                    literals.push(self.literal(terms, term)?);
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        is_trivial |= literals.windows(2).any(|pair| pair[0] == pair[1].negated());
        let number =
            (!is_trivial).then(|| self.add_clause(literals, ClauseOrigin::Axiom(axiom.clone())));
        self.axioms.insert(axiom, number);
        Some(number)
    }

    pub(super) fn decide(&mut self, literal: Lit) {
        self.open_level();
        self.clauses.assign(literal, None);
    }

    pub(super) fn open_level(&mut self) {
        self.clauses.open_level();
        self.marks.push(self.simplex.mark());
    }

    pub(super) fn backtrack(&mut self, level: usize) {
        if let Some(&mark) = self.marks.get(level) {
            self.clauses.backtrack(level);
            self.simplex.backtrack(mark);
            self.marks.truncate(level);
            self.n_asserted = self.n_asserted.min(self.clauses.trail.len());
        }
    }

    /// Propagates through clauses and bounds; a violated clause is in the `Ok`.
    pub(super) fn propagate(&mut self, budget: &mut u64) -> Result<Option<ClauseNumber>, Trouble> {
        if let Some(pending) = self.pending.take() {
            let literals = &self.clauses.stored[pending].literals;
            if literals.iter().all(|&literal| self.clauses.value(literal) == Some(false)) {
                return Ok(Some(pending));
            }
        }
        if let Some(conflict) = self.clauses.propagate() {
            return Ok(Some(conflict));
        }
        match self.assert_bounds().and_then(|()| self.simplex.check(budget)) {
            Ok(()) => Ok(None),
            Err(Trouble::Conflict(conflict)) => {
                let negated = conflict.into_iter().map(|(literal, m)| (literal.negated(), m));
                Ok(Some(self.add_linear(negated.collect())))
            }
            Err(trouble) => Err(trouble),
        }
    }

    /// Watching reorders the literals of a clause; the multipliers are in the order of the sorted ones.
    fn add_linear(&mut self, mut pairs: Vec<(Lit, Rational)>) -> ClauseNumber {
        pairs.sort_unstable_by_key(|pair| pair.0);
        let literals = pairs.iter().map(|pair| pair.0).collect();
        let multipliers = pairs.iter().map(|pair| pair.1).collect();
        self.clauses.add(literals, ClauseOrigin::Linear(multipliers));
        self.clauses.stored.len() - 1
    }

    fn assert_bounds(&mut self) -> Result<(), Trouble> {
        while self.n_asserted < self.clauses.trail.len() {
            let literal = self.clauses.trail[self.n_asserted];
            if let Some(bound) = self.bounds[literal.variable()] {
                let (end, value) = if literal.is_positive() {
                    (End::Upper, bound.upper)
                } else {
                    (End::Lower, bound.lower)
                };
                self.simplex.assert(bound.column, end, value, literal)?;
            }
            self.n_asserted += 1;
        }
        Ok(())
    }
}
