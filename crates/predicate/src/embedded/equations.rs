//! Linear equations over the integers, by column operations: `rows · U` becomes triangular for a `U` that
//! is invertible over the integers. Each new variable `U⁻¹ · variables` then has one value or none of
//! them is bound; a value that is a fraction shows that there is no solution.

use resy_symbolic::Rational;
use resy_symbolic::TermId;

/// Larger systems are not solved.
const LARGEST: usize = 60;

/// Equations `rows · variables == values`.
#[derive(Debug, Default)]
pub(super) struct Equations {
    variables: Vec<TermId>,
    rows: Vec<Vec<i128>>,
    values: Vec<i128>,
    /// Sums of the variables that should become single variables, as far as possible.
    ranges: Vec<Vec<i128>>,
}

/// Old variables as sums of new ones, of which the first are known.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) variables: Vec<TermId>,
    /// For each old variable its coefficients.
    pub(super) images: Vec<Vec<i128>>,
    pub(super) known: Vec<i128>,
}

/// What there is to say about equations.
#[derive(Debug)]
pub(super) enum Solution {
    Solved(Solved),
    /// A sum of the variables that would have to be this fraction.
    Unsolvable(Vec<(TermId, i128)>, Rational),
}

/// The equations under elimination.
struct Elimination {
    rows: Vec<Vec<i128>>,
    images: Vec<Vec<i128>>,
    inverse: Vec<Vec<i128>>,
}

impl Equations {
    /// The variable's position; new ones are appended.
    pub(super) fn position(&mut self, variable: TermId) -> usize {
        let known = self.variables.iter().position(|&known| known == variable);
        known.unwrap_or_else(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        })
    }

    /// Adds an equation; `None` if a coefficient is no integer.
    pub(super) fn add(&mut self, summands: &[(TermId, Rational)], value: i128) -> Option<()> {
        let row = self.row(summands)?;
        self.rows.push(row);
        self.values.push(value);
        Some(())
    }

    /// Adds a sum that should become a single variable; `None` if a coefficient is no integer.
    pub(super) fn add_range(&mut self, summands: &[(TermId, Rational)]) -> Option<()> {
        let row = self.row(summands)?;
        self.ranges.push(row);
        Some(())
    }

    fn row(&mut self, summands: &[(TermId, Rational)]) -> Option<Vec<i128>> {
        let mut row = Vec::new();
        for &(variable, coefficient) in summands {
            let position = self.position(variable);
            row.resize(row.len().max(position + 1), 0);
            row[position] = coefficient.to_integer()?;
        }
        Some(row)
    }

    /// Solves the equations; `None` if they are too large or a number does not fit.
    pub(super) fn solve(self) -> Option<Solution> {
        let width = self.variables.len();
        if self.rows.len() > LARGEST || width > LARGEST {
            return None;
        }
        let mut rows = self.rows;
        rows.extend(self.ranges);
        rows.iter_mut().for_each(|row| row.resize(width, 0));
        let mut elimination = Elimination { rows, images: unit(width), inverse: unit(width) };
        let mut known: Vec<i128> = Vec::new();
        for (number, &value) in self.values.iter().enumerate() {
            let pivot = known.len();
            let has_pivot = elimination.eliminate(number, pivot)?;
            let row = &elimination.rows[number];
            let mut rest = value;
            for (coefficient, value) in row.iter().zip(&known) {
                rest = rest.checked_sub(coefficient.checked_mul(*value)?)?;
            }
            let divisor = if has_pivot { row[pivot] } else { 0 };
            match rest.checked_rem(divisor) {
                Some(0) => known.push(rest / divisor),
                // A row without a pivot that is not zero: contradictory, which simplex finds.
                None if rest == 0 => {}
                None => return None,
                Some(_) => {
                    let combination = self.variables.iter().copied();
                    let combination = combination.zip(elimination.inverse[pivot].iter().copied());
                    let combination = combination.filter(|summand| summand.1 != 0).collect();
                    return Some(Solution::Unsolvable(combination, Rational::new(rest, divisor)?));
                }
            }
        }
        let mut pivot = known.len();
        for number in self.values.len()..elimination.rows.len() {
            pivot += usize::from(elimination.eliminate(number, pivot)?);
        }
        let images = elimination.images;
        Some(Solution::Solved(Solved { variables: self.variables, images, known }))
    }
}

fn unit(width: usize) -> Vec<Vec<i128>> {
    (0..width).map(|i| (0..width).map(|j| i128::from(i == j)).collect()).collect()
}

impl Elimination {
    /// Column operations until the row has at most one entry from `pivot` on, which is at `pivot`;
    /// whether it has one.
    fn eliminate(&mut self, number: usize, pivot: usize) -> Option<bool> {
        loop {
            let entries = self.rows[number].iter().enumerate().skip(pivot);
            let entries = entries.filter(|(_, entry)| **entry != 0);
            let Some((smallest, &size)) = entries.min_by_key(|(_, entry)| entry.unsigned_abs())
            else {
                return Some(false);
            };
            self.rows.iter_mut().chain(&mut self.images).for_each(|row| row.swap(pivot, smallest));
            self.inverse.swap(pivot, smallest);
            let mut is_done = true;
            for column in pivot + 1..self.inverse.len() {
                let factor = self.rows[number][column].checked_div(size)?;
                if factor != 0 {
                    self.subtract(factor, pivot, column)?;
                }
                is_done &= self.rows[number][column] == 0;
            }
            if is_done {
                return Some(true);
            }
        }
    }

    /// Column `column` minus `factor` times column `pivot`; in the inverse, row `pivot` plus `factor` times
    /// row `column`.
    fn subtract(&mut self, factor: i128, pivot: usize, column: usize) -> Option<()> {
        for row in self.rows.iter_mut().chain(&mut self.images) {
            row[column] = row[column].checked_sub(factor.checked_mul(row[pivot])?)?;
        }
        for position in 0..self.inverse.len() {
            let change = factor.checked_mul(self.inverse[column][position])?;
            let entry = &mut self.inverse[pivot][position];
            *entry = entry.checked_add(change)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resy_symbolic::{Sort, Terms};

    fn solve(rows: &[(&[i128], i128)]) -> Solution {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = (0..3).map(|_| terms.fresh("x", Sort::Integer)).collect();
        let mut equations = Equations::default();
        for (row, value) in rows {
            let summand = |(&v, &c): (&TermId, &i128)| (v, Rational::integer(c));
            let summands: Vec<_> = variables.iter().zip(row.iter()).map(summand).collect();
            equations.add(&summands, *value).unwrap();
        }
        equations.solve().unwrap()
    }

    #[test]
    fn solutions_satisfy_the_equations() {
        let rows: [(&[i128], i128); 2] = [(&[6, 10, 15], 1), (&[1, 2, 3], 4)];
        let Solution::Solved(solved) = solve(&rows) else { panic!("unsolvable") };
        for free in -3..=3 {
            let new = [solved.known[0], solved.known[1], free];
            let value = |old: &Vec<i128>| old.iter().zip(new).map(|(c, v)| c * v).sum::<i128>();
            let old: Vec<i128> = solved.images.iter().map(value).collect();
            for (row, value) in rows {
                assert_eq!(row.iter().zip(&old).map(|(c, v)| c * v).sum::<i128>(), value);
            }
        }
    }

    #[test]
    fn parity_has_no_solution() {
        // x == 2y, x == 2z + 1.
        let Solution::Unsolvable(sum, value) = solve(&[(&[1, -2, 0], 0), (&[1, 0, -2], 1)]) else {
            panic!("solved");
        };
        assert!(!value.is_integer());
        assert!(sum.iter().all(|summand| summand.1 != 0));
    }
}
