//! A quick way to integers: a point around which a whole cube of side 1 fits can be rounded
//! (Bromberger, Weidenbach: Fast cube tests for LIA constraint solving, IJCAR 2016). Regions without
//! an end in all directions have such cubes, and plain splitting may never find their integers.
//!
//! Equations have no room for a cube, so they are solved first, and the cube is one of the variables that
//! they leave free.

use super::clauses::Lit;
use super::delta::Delta;
use super::equations::Solved;
use super::simplex::{Column, End, Simplex};
use super::state::State;
use resy_symbolic::Rational;
use resy_symbolic::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

/// Pivots of one attempt.
const PIVOTS: u64 = 200;

/// The tightened problem in the free variables.
struct Cube<'a> {
    solved: &'a Solved,
    simplex: Simplex,
    /// Columns of the free variables, in the order of `solved`.
    free: Vec<Column>,
    /// Columns of rational terms.
    rationals: FxHashMap<TermId, Column>,
}

impl State {
    /// Tries to give integers to all variables under the bounds; whether that worked.
    pub(super) fn round_in_cube(&mut self, terms: &Terms, solved: &Solved) -> bool {
        self.rounded(terms, solved).is_some_and(|values| self.set_values(terms, &values).is_some())
    }

    fn rounded(&self, terms: &Terms, solved: &Solved) -> Option<FxHashMap<TermId, Delta>> {
        let mut cube = Cube::new(solved);
        for column in self.simplex.bounded_columns() {
            cube.add(terms, self, column)?;
        }
        cube.simplex.check(&mut PIVOTS.clone()).ok()?;
        cube.values()
    }

    /// Replaces the candidate, if the values satisfy all bounds.
    fn set_values(&mut self, terms: &Terms, values: &FxHashMap<TermId, Delta>) -> Option<()> {
        let mut all = Vec::new();
        for column in 0..self.simplex.n_columns() {
            let mut total = Delta::default();
            for &(term, coefficient) in self.summands_of(column) {
                let value = match values.get(&term) {
                    Some(value) => *value,
                    // Nothing bounds it.
                    None => match (terms.sort(term), self.simplex.value(self.column(term)?)) {
                        (Sort::Integer, value) => Delta::real(value.floor()?.into()),
                        (_, value) => value,
                    },
                };
                total = total.plus(value.times(coefficient)?)?;
            }
            all.push(total);
        }
        self.simplex.replace_values(all)
    }
}

impl<'a> Cube<'a> {
    fn new(solved: &'a Solved) -> Self {
        let mut simplex = Simplex::default();
        let n_free = solved.variables.len() - solved.known.len();
        let free = (0..n_free).map(|_| simplex.add_column()).collect();
        Self { solved, simplex, free, rationals: FxHashMap::default() }
    }

    /// The bounds of a column, moved inwards by half of what rounding may change.
    fn add(&mut self, terms: &Terms, state: &State, column: Column) -> Option<()> {
        let (entries, constant) = self.translate(terms, state.summands_of(column))?;
        if entries.is_empty() {
            return Some(());
        }
        let constant = Delta::real(constant);
        let lower = state.simplex.bound(column, End::Lower);
        let upper = state.simplex.bound(column, End::Upper);
        let lower = lower.map(|bound| bound.minus(constant));
        let upper = upper.map(|bound| bound.minus(constant));
        if let [(free, coefficient)] = entries[..]
            && self.free.contains(&free)
        {
            return self.add_single(free, coefficient, lower, upper);
        }
        let mut reach = Rational::ZERO;
        for (column, coefficient) in &entries {
            if self.free.contains(column) {
                let is_positive = coefficient.signum() > 0;
                let size = if is_positive { *coefficient } else { coefficient.negate()? };
                reach = reach.plus(size)?;
            }
        }
        let margin = Delta::real(reach.over(Rational::integer(2))?);
        let row = self.simplex.add_row(&entries)?;
        if let Some(lower) = lower {
            self.simplex.assert(row, End::Lower, lower?.plus(margin)?, any()).ok()?;
        }
        if let Some(upper) = upper {
            self.simplex.assert(row, End::Upper, upper?.minus(margin)?, any()).ok()?;
        }
        Some(())
    }

    /// Bounds of a multiple of one free variable: whole bounds of the variable, which survive rounding.
    fn add_single(
        &mut self,
        column: Column,
        factor: Rational,
        lower: Option<Option<Delta>>,
        upper: Option<Option<Delta>>,
    ) -> Option<()> {
        let (below, above) = if factor.signum() > 0 { (lower, upper) } else { (upper, lower) };
        let inverse = factor.reciprocal()?;
        let minus_one = Rational::integer(-1);
        if let Some(below) = below {
            let floor = below?.times(inverse)?.times(minus_one)?.floor()?;
            let ceiling = Delta::real(floor.checked_neg()?.into());
            self.simplex.assert(column, End::Lower, ceiling, any()).ok()?;
        }
        if let Some(above) = above {
            let floor = Delta::real(above?.times(inverse)?.floor()?.into());
            self.simplex.assert(column, End::Upper, floor, any()).ok()?;
        }
        Some(())
    }

    /// A sum in the free variables and rationals, and what the known variables add.
    fn translate(
        &mut self,
        terms: &Terms,
        summands: &[(TermId, Rational)],
    ) -> Option<(Vec<(Column, Rational)>, Rational)> {
        let mut total: FxHashMap<Column, Rational> = FxHashMap::default();
        let mut constant = Rational::ZERO;
        for &(term, coefficient) in summands {
            if terms.sort(term) != Sort::Integer {
                let simplex = &mut self.simplex;
                let column = *self.rationals.entry(term).or_insert_with(|| simplex.add_column());
                total.insert(column, coefficient);
                continue;
            }
            let position = self.solved.variables.iter().position(|&known| known == term)?;
            for (new, &factor) in self.solved.images[position].iter().enumerate() {
                let part = coefficient.times(Rational::integer(factor))?;
                match self.solved.known.get(new) {
                    Some(&value) => {
                        constant = constant.plus(part.times(Rational::integer(value))?)?;
                    }
                    None => {
                        let column = self.free[new - self.solved.known.len()];
                        let entry = total.entry(column).or_default();
                        *entry = entry.plus(part)?;
                    }
                }
            }
        }
        let mut entries: Vec<(Column, Rational)> = total.into_iter().collect();
        entries.retain(|entry| !entry.1.is_zero());
        entries.sort_unstable_by_key(|entry| entry.0);
        Some((entries, constant))
    }

    /// The rounded values of the old variables.
    fn values(&self) -> Option<FxHashMap<TermId, Delta>> {
        let half = Rational::new(1, 2)?;
        let mut new: Vec<i128> = self.solved.known.clone();
        for &column in &self.free {
            let value = self.simplex.value(column).real;
            new.push(value.plus(half)?.floor());
        }
        let mut values = FxHashMap::default();
        for (&variable, image) in self.solved.variables.iter().zip(&self.solved.images) {
            let mut total = 0i128;
            for (factor, value) in image.iter().zip(&new) {
                total = total.checked_add(factor.checked_mul(*value)?)?;
            }
            values.insert(variable, Delta::real(Rational::integer(total)));
        }
        for (&term, &column) in &self.rationals {
            values.insert(term, self.simplex.value(column));
        }
        Some(values)
    }
}

/// Bounds of a cube need no reasons.
fn any() -> Lit {
    Lit::new(0, true)
}
