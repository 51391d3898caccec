//! Linear arithmetic over the rationals: the simplex method for bounds that come and go (Dutertre and
//! de Moura: A fast linear-arithmetic solver for DPLL(T), CAV 2006).
//!
//! A *column* is an atomic term or a sum of such; a sum has a *row*, which says that it equals its
//! summands. Bounds are literals; a conflict is a set of them with Farkas multipliers. After a bound
//! is removed the values stay: they satisfy whatever bounds are left.

use super::clauses::Lit;
use super::delta::Delta;
use resy_symbolic::Rational;

/// The number of a column.
pub(super) type Column = usize;

/// Contradictory literals, with positive multipliers.
pub(super) type Conflict = Vec<(Lit, Rational)>;

/// Why a computation has no result.
#[derive(Debug)]
pub(super) enum Trouble {
    Conflict(Conflict),
    Overflow,
    Budget,
}

#[derive(Debug, Clone, Copy)]
struct Bound {
    value: Delta,
    reason: Lit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Lower,
    Upper,
}

/// A basic column as a sum of the others, in ascending order.
#[derive(Debug)]
struct Row {
    basic: Column,
    entries: Vec<(Column, Rational)>,
}

#[derive(Debug, Default)]
pub(super) struct Simplex {
    values: Vec<Delta>,
    lower: Vec<Option<Bound>>,
    upper: Vec<Option<Bound>>,
    /// The row in which a column is basic.
    row_of: Vec<Option<usize>>,
    rows: Vec<Row>,
    /// Replaced bounds, to be restored.
    undo: Vec<(Column, End, Option<Bound>)>,
    /// Basic columns that may violate a bound.
    suspects: Vec<Column>,
    pub(super) n_pivots: u64,
}

impl Simplex {
    pub(super) fn add_column(&mut self) -> Column {
        self.values.push(Delta::default());
        self.lower.push(None);
        self.upper.push(None);
        self.row_of.push(None);
        self.values.len() - 1
    }

    /// A column that equals a sum of others; `None` if a number does not fit.
    pub(super) fn add_row(&mut self, sum: &[(Column, Rational)]) -> Option<Column> {
        let mut entries = Vec::new();
        for &(column, coefficient) in sum {
            let own = [(column, Rational::ONE)];
            let added = self.row_of[column].map_or(&own[..], |row| &self.rows[row].entries);
            entries = plus_scaled(&entries, None, coefficient, added)?;
        }
        let mut value = Delta::default();
        for &(column, coefficient) in &entries {
            value = value.plus(self.values[column].times(coefficient)?)?;
        }
        let basic = self.add_column();
        self.values[basic] = value;
        self.row_of[basic] = Some(self.rows.len());
        self.rows.push(Row { basic, entries });
        Some(basic)
    }

    pub(super) fn value(&self, column: Column) -> Delta {
        self.values[column]
    }

    pub(super) fn bound(&self, column: Column, end: End) -> Option<Delta> {
        let bound = if end == End::Lower { self.lower[column] } else { self.upper[column] };
        bound.map(|bound| bound.value)
    }

    /// Pairs of numbers of which the first is at most the second: bounds and value of a column.
    pub(super) fn ordered_pairs(&self, column: Column) -> impl Iterator<Item = (Delta, Delta)> {
        let value = self.values[column];
        let lower = self.bound(column, End::Lower).map(|lower| (lower, value));
        let upper = self.bound(column, End::Upper).map(|upper| (value, upper));
        [lower, upper].into_iter().flatten()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.values.len()
    }

    /// The columns with a bound.
    pub(super) fn bounded_columns(&self) -> impl Iterator<Item = Column> {
        let is_bounded = |&c: &Column| self.lower[c].is_some() || self.upper[c].is_some();
        (0..self.values.len()).filter(is_bounded)
    }

    /// Whether both bounds are the same.
    pub(super) fn is_fixed(&self, column: Column) -> bool {
        let lower = self.bound(column, End::Lower);
        lower.is_some() && lower == self.bound(column, End::Upper)
    }

    pub(super) fn has_both_bounds(&self, column: Column) -> bool {
        self.lower[column].is_some() && self.upper[column].is_some()
    }

    /// Whether the column has no row and sits at a bound.
    pub(super) fn is_tight(&self, column: Column) -> bool {
        let at = |end| self.bound(column, end) == Some(self.values[column]);
        self.row_of[column].is_none() && (at(End::Lower) || at(End::Upper))
    }

    /// Replaces all values by others that agree with the rows; `None` if one is beyond a bound.
    pub(super) fn replace_values(&mut self, values: Vec<Delta>) -> Option<()> {
        let old = std::mem::replace(&mut self.values, values);
        if (0..self.values.len()).any(|column| self.beyond(column).is_some()) {
            self.values = old;
            return None;
        }
        Some(())
    }

    /// The number of bounds asserted so far, for [`Self::backtrack`].
    pub(super) fn mark(&self) -> usize {
        self.undo.len()
    }

    pub(super) fn backtrack(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((column, end, old)) = self.undo.pop() {
                match end {
                    End::Lower => self.lower[column] = old,
                    End::Upper => self.upper[column] = old,
                }
            }
        }
    }

    /// Adds a bound. The values need not satisfy it before [`Self::check`].
    pub(super) fn assert(
        &mut self,
        column: Column,
        end: End,
        value: Delta,
        reason: Lit,
    ) -> Result<(), Trouble> {
        let (same, other) = match end {
            End::Lower => (self.lower[column], self.upper[column]),
            End::Upper => (self.upper[column], self.lower[column]),
        };
        let is_beyond = |new: Delta, old: Delta| match end {
            End::Lower => new > old,
            End::Upper => new < old,
        };
        if same.is_some_and(|same| !is_beyond(value, same.value)) {
            return Ok(());
        }
        if let Some(other) = other
            && is_beyond(value, other.value)
        {
            let one = Rational::ONE;
            return Err(Trouble::Conflict(vec![(reason, one), (other.reason, one)]));
        }
        self.undo.push((column, end, same));
        let bound = Some(Bound { value, reason });
        match end {
            End::Lower => self.lower[column] = bound,
            End::Upper => self.upper[column] = bound,
        }
        if self.row_of[column].is_some() {
            self.suspects.push(column);
        } else if is_beyond(value, self.values[column]) {
            self.update(column, value).ok_or(Trouble::Overflow)?;
        }
        Ok(())
    }

    /// Moves a column that is not basic, and the basic ones with it.
    fn update(&mut self, column: Column, value: Delta) -> Option<()> {
        let change = value.minus(self.values[column])?;
        for row in &self.rows {
            if let Some(coefficient) = coefficient(&row.entries, column) {
                let old = self.values[row.basic];
                self.values[row.basic] = old.plus(change.times(coefficient)?)?;
                self.suspects.push(row.basic);
            }
        }
        self.values[column] = value;
        Some(())
    }

    /// Makes the values satisfy all bounds, or says which bounds are contradictory. Each pivot takes
    /// one unit of the budget.
    pub(super) fn check(&mut self, budget: &mut u64) -> Result<(), Trouble> {
        while let Some((row, end, target)) = self.violated() {
            if *budget == 0 {
                return Err(Trouble::Budget);
            }
            *budget -= 1;
            let Some(entering) = self.entering(row, end) else {
                return Err(Trouble::Conflict(self.explain(row, end).ok_or(Trouble::Overflow)?));
            };
            self.pivot_and_update(row, entering, target).ok_or(Trouble::Overflow)?;
        }
        Ok(())
    }

    /// The smallest basic column beyond a bound (Bland's rule, which ends).
    fn violated(&mut self) -> Option<(usize, End, Delta)> {
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.sort_unstable();
        suspects.dedup();
        suspects.retain(|&column| self.row_of[column].is_some() && self.beyond(column).is_some());
        let found = suspects.first().and_then(|&column| {
            let (end, target) = self.beyond(column)?;
            Some((self.row_of[column]?, end, target))
        });
        self.suspects = suspects;
        found
    }

    fn beyond(&self, column: Column) -> Option<(End, Delta)> {
        let value = self.values[column];
        if let Some(lower) = self.lower[column]
            && value < lower.value
        {
            return Some((End::Lower, lower.value));
        }
        match self.upper[column] {
            Some(upper) if value > upper.value => Some((End::Upper, upper.value)),
            _ => None,
        }
    }

    /// The smallest column of the row that can move the basic one back towards its bound.
    fn entering(&self, row: usize, end: End) -> Option<Column> {
        let can_move = |&&(column, coefficient): &&(Column, Rational)| {
            let up = (end == End::Lower) == (coefficient.signum() > 0);
            let limit = if up { self.upper[column] } else { self.lower[column] };
            limit.is_none_or(|limit| limit.value != self.values[column])
        };
        self.rows[row].entries.iter().find(can_move).map(|entry| entry.0)
    }

    /// The bound of the basic column, and those of the others that prevent it: a Farkas combination.
    fn explain(&self, row: usize, end: End) -> Option<Conflict> {
        let Row { basic, entries } = &self.rows[row];
        let own = if end == End::Lower { self.lower[*basic] } else { self.upper[*basic] };
        let mut conflict = vec![(own?.reason, Rational::ONE)];
        for &(column, coefficient) in entries {
            let up = (end == End::Lower) == (coefficient.signum() > 0);
            let limit = if up { self.upper[column] } else { self.lower[column] };
            let size = if coefficient.signum() > 0 { coefficient } else { coefficient.negate()? };
            conflict.push((limit?.reason, size));
        }
        Some(conflict)
    }

    /// Exchanges the basic column of the row with `entering` and gives it the value.
    fn pivot_and_update(&mut self, row: usize, entering: Column, target: Delta) -> Option<()> {
        self.n_pivots += 1;
        let leaving = self.rows[row].basic;
        let pivot = coefficient(&self.rows[row].entries, entering)?;
        let change = target.minus(self.values[leaving])?.times(pivot.reciprocal()?)?;
        let entries = solved_for(&self.rows[row].entries, entering, leaving, pivot)?;
        // First everything that can fail, so that an overflow leaves the rows consistent.
        let mut new_rows = Vec::new();
        for (number, other) in self.rows.iter().enumerate() {
            let Some(factor) = coefficient(&other.entries, entering) else { continue };
            if number == row {
                continue;
            }
            let changed = plus_scaled(&other.entries, Some(entering), factor, &entries)?;
            let value = self.values[other.basic].plus(change.times(factor)?)?;
            new_rows.push((number, changed, value));
        }
        let value = self.values[entering].plus(change)?;
        for (number, changed, value) in new_rows {
            let basic = self.rows[number].basic;
            self.rows[number].entries = changed;
            self.values[basic] = value;
            self.suspects.push(basic);
        }
        self.values[leaving] = target;
        self.values[entering] = value;
        self.rows[row] = Row { basic: entering, entries };
        self.row_of[leaving] = None;
        self.row_of[entering] = Some(row);
        self.suspects.push(entering);
        Some(())
    }
}

fn coefficient(entries: &[(Column, Rational)], column: Column) -> Option<Rational> {
    entries.binary_search_by_key(&column, |entry| entry.0).ok().map(|position| entries[position].1)
}

/// The row `leaving = entries`, solved for `entering`, whose coefficient is `pivot`.
fn solved_for(
    entries: &[(Column, Rational)],
    entering: Column,
    leaving: Column,
    pivot: Rational,
) -> Option<Vec<(Column, Rational)>> {
    let inverse = pivot.reciprocal()?;
    let minus = inverse.negate()?;
    let mut solved = vec![(leaving, inverse)];
    for &(column, coefficient) in entries.iter().filter(|entry| entry.0 != entering) {
        solved.push((column, coefficient.times(minus)?));
    }
    solved.sort_unstable_by_key(|entry| entry.0);
    Some(solved)
}

/// `old + factor·other`, without the column `left_out` of `old`. In one pass: rows are made anew in every pivot.
fn plus_scaled(
    old: &[(Column, Rational)],
    left_out: Option<Column>,
    factor: Rational,
    other: &[(Column, Rational)],
) -> Option<Vec<(Column, Rational)>> {
    let mut sum = Vec::with_capacity(old.len() + other.len());
    let mut right = other;
    for &(column, x) in old.iter().filter(|entry| Some(entry.0) != left_out) {
        while let Some((&(before, y), rest)) = right.split_first()
            && before < column
        {
            sum.push((before, factor.times(y)?));
            right = rest;
        }
        match right.split_first() {
            Some((&(same, y), rest)) if same == column => {
                let total = x.plus(factor.times(y)?)?;
                if !total.is_zero() {
                    sum.push((column, total));
                }
                right = rest;
            }
            _ => sum.push((column, x)),
        }
    }
    for &(column, y) in right {
        sum.push((column, factor.times(y)?));
    }
    Some(sum)
}
