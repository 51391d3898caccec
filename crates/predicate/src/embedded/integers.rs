//! What to do when the candidate has a fraction for an integer.
//!
//! First the equations among the bounds are solved over the integers: if that is impossible, a sum
//! of variables would have to be a fraction, and splitting there refutes both sides at once. Then a cube
//! is tried. Then the bounds that hold the candidate in its corner are taken as equations: plain
//! branching on `x <= 2 || x >= 3` need not end, a sum that is a fraction in this corner separates it for good
//! (Dillig, Dillig, Aiken: Cuts from proofs, CAV 2009).

use super::delta::Delta;
use super::equations::{Equations, Solution};
use super::relevant::Relevant;
use super::simplex::{Column, End};
use super::state::State;
use resy_symbolic::Rational;
use resy_symbolic::{LinearSum, Sort, TermId, Terms};

/// Sums with larger coefficients are not split: they lead to ever larger ones.
const LARGEST_COEFFICIENT: u128 = 1000;

/// After so many decisions integers are guessed to be small, so small at least.
const SHALLOW: usize = 6;
const SMALL: i128 = 40;

/// What became of the fractions.
pub(super) enum Integrality {
    /// There are none.
    Whole,
    /// The candidate was replaced by one without.
    Replaced,
    /// An atom that the fractions violate whichever way it is decided, and the better way.
    Split(TermId, bool),
}

impl State {
    /// Finds integers or a split; `None` if a number does not fit. The depth is the number of decisions
    /// so far.
    pub(super) fn integrality(
        &mut self,
        terms: &mut Terms,
        relevant: &Relevant,
        depth: usize,
    ) -> Option<Integrality> {
        let is_fraction =
            |&&id: &&TermId| self.number(terms, id).is_some_and(|value: Delta| !value.is_integer());
        let Some(&fraction) = relevant.integers.iter().find(is_fraction) else {
            return Some(Integrality::Whole);
        };
        match self.equations(terms, true).and_then(Equations::solve) {
            Some(Solution::Unsolvable(sum, value)) => {
                if let Some(split) = self.split_sum(terms, sum, value) {
                    return Some(split);
                }
            }
            Some(Solution::Solved(solved)) if self.round_in_cube(terms, &solved) => {
                return Some(Integrality::Replaced);
            }
            _ => {}
        }
        if depth > SHALLOW
            && let Some(split) = self.split_range(terms, relevant)
        {
            return Some(split);
        }
        if let Some(Solution::Unsolvable(sum, value)) =
            self.equations(terms, false).and_then(Equations::solve)
            && let Some(split) = self.split_sum(terms, sum, value)
        {
            return Some(split);
        }
        let value = self.number(terms, fraction)?;
        let floor = value.floor()?;
        let below = value.real.minus(Rational::integer(floor))? <= Rational::new(1, 2)?;
        let floor = terms.number(floor);
        Some(Integrality::Split(terms.at_most(fraction, floor), below))
    }

    /// The guess that an integer without an end is small: then the number of splits is finite.
    fn split_range(&self, terms: &mut Terms, relevant: &Relevant) -> Option<Integrality> {
        for &id in &relevant.integers {
            let column = self.column(id)?;
            let lower = self.simplex.bound(column, End::Lower).and_then(Delta::floor);
            let upper = self.simplex.bound(column, End::Upper).and_then(Delta::floor);
            let (bound, holds) = match (lower, upper) {
                (Some(_), Some(_)) => continue,
                (None, None) => (-SMALL, false),
                (None, Some(upper)) => (upper.checked_sub(2 * SMALL)?.min(-SMALL), false),
                (Some(lower), None) => (lower.checked_add(2 * SMALL)?.max(SMALL), true),
            };
            let bound = terms.number(bound);
            let atom = terms.at_most(id, bound);
            let literal = self.literal(terms, atom);
            if literal.is_none_or(|literal| self.clauses.value(literal).is_none()) {
                return Some(Integrality::Split(atom, holds));
            }
        }
        None
    }

    fn split_sum(
        &self,
        terms: &mut Terms,
        mut sum: Vec<(TermId, i128)>,
        value: Rational,
    ) -> Option<Integrality> {
        if sum.iter().any(|summand| summand.1.unsigned_abs() > LARGEST_COEFFICIENT) {
            return None;
        }
        sum.sort_unstable_by_key(|summand| summand.0);
        let summands = sum.into_iter().map(|(term, c)| (term, Rational::integer(c))).collect();
        let sum = terms.of_sum(LinearSum { summands, constant: Rational::ZERO });
        let floor = terms.number(value.floor());
        let atom = terms.at_most(sum, floor);
        // An atom that is decided already would not advance the search.
        let literal = self.literal(terms, atom);
        let is_open = literal.is_none_or(|literal| self.clauses.value(literal).is_none());
        (is_open && terms.as_truth(atom).is_none()).then_some(Integrality::Split(atom, true))
    }

    /// The integer columns that are fixed, or at least sit at a bound, as equations.
    fn equations(&self, terms: &Terms, fixed_only: bool) -> Option<Equations> {
        let mut equations = Equations::default();
        let mut ranges = Vec::new();
        for column in self.simplex.bounded_columns() {
            let summands = self.summands_of(column);
            let are_integers = summands.iter().all(|&(t, _)| terms.sort(t) == Sort::Integer);
            for &(term, _) in summands {
                // Every bounded integer has its place, for the cube.
                if terms.sort(term) == Sort::Integer {
                    equations.position(term);
                }
            }
            if !are_integers {
                continue;
            }
            match self.equation_value(column, fixed_only) {
                Some(value) => equations.add(summands, value)?,
                None if self.simplex.has_both_bounds(column) => ranges.push(summands),
                None => {}
            }
        }
        // Sums first: a single variable is one already.
        ranges.sort_by_key(|summands| summands.len() == 1);
        for range in ranges {
            equations.add_range(range)?;
        }
        Some(equations)
    }

    fn equation_value(&self, column: Column, fixed_only: bool) -> Option<i128> {
        let value = self.simplex.value(column);
        let is_equation =
            if fixed_only { self.simplex.is_fixed(column) } else { self.simplex.is_tight(column) };
        (is_equation && value.is_integer()).then(|| value.real.floor())
    }
}
