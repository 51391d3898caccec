//! A point and the span of some directions: an affine subspace of ℚⁿ by its generators.

use resy_symbolic::Rational;

/// All points `point + Σ λᵢ·directionᵢ`.
#[derive(Clone, Debug)]
pub(super) struct Span {
    point: Vec<Rational>,
    /// Reduced: each has a one where it begins, and all others a zero there.
    directions: Vec<Vec<Rational>>,
}

/// A sum of coordinates with their coefficients.
pub(super) struct CoordinateSum {
    pub summands: Vec<(usize, Rational)>,
    pub constant: Rational,
}

/// The coefficients of a sum, and its value.
pub(super) type Equality = (Vec<Rational>, Rational);

impl Span {
    /// All points with so many coordinates.
    pub fn everything(n: usize) -> Self {
        Self { point: Vec::new(), directions: Vec::new() }.with_free(n)
    }

    /// With so many more coordinates, which may be anything.
    pub fn with_free(&self, n: usize) -> Self {
        let width = self.point.len();
        let wider = |row: &Vec<Rational>| {
            let mut row = row.clone();
            row.resize(width + n, Rational::ZERO);
            row
        };
        let mut directions: Vec<Vec<Rational>> = self.directions.iter().map(wider).collect();
        for position in width..width + n {
            let mut direction = vec![Rational::ZERO; width + n];
            direction[position] = Rational::ONE;
            directions.push(direction);
        }
        Self { point: wider(&self.point), directions }
    }

    /// The points whose coordinates are these sums of the coordinates of a point; `None` if a number does not fit.
    pub fn image(&self, sums: &[CoordinateSum]) -> Option<Self> {
        let value = |sum: &CoordinateSum, constant: Rational, vector: &[Rational]| {
            let mut summands = sum.summands.iter();
            summands.try_fold(constant, |so_far, &(at, c)| so_far.plus(c.times(vector[at])?))
        };
        let point = sums.iter().map(|sum| value(sum, sum.constant, &self.point));
        let mut image = Self { point: point.collect::<Option<_>>()?, directions: Vec::new() };
        for direction in &self.directions {
            let moved = sums.iter().map(|sum| value(sum, Rational::ZERO, direction));
            image.extend(moved.collect::<Option<_>>()?)?;
        }
        Some(image)
    }

    /// The least span with all points of both; whether it has grown. `None` if a number does not fit.
    pub fn join(&mut self, other: &Self) -> Option<bool> {
        let between = other.point.iter().zip(&self.point).map(|(b, a)| b.minus(*a));
        let mut grows = self.extend(between.collect::<Option<_>>()?)?;
        for direction in &other.directions {
            grows |= self.extend(direction.clone())?;
        }
        Some(grows)
    }

    /// Adds a direction; whether it is new.
    fn extend(&mut self, mut direction: Vec<Rational>) -> Option<bool> {
        for known in &self.directions {
            let begin = begin(known)?;
            let factor = direction[begin];
            subtract(&mut direction, factor, known)?;
        }
        let Some(begin) = begin(&direction) else { return Some(false) };
        let leading = direction[begin];
        for value in &mut direction {
            *value = value.over(leading)?;
        }
        for known in &mut self.directions {
            let factor = known[begin];
            subtract(known, factor, &direction)?;
        }
        self.directions.push(direction);
        Some(true)
    }

    /// The sums that have one value on all points, as few as say all. Each is solved for a coordinate at which no direction begins.
    pub fn equalities(&self) -> Option<Vec<Equality>> {
        let begins: Vec<usize> = self.directions.iter().filter_map(|d| begin(d)).collect();
        let bound = (0..self.point.len()).filter(|position| !begins.contains(position));
        bound
            .map(|position| {
                let mut coefficients = vec![Rational::ZERO; self.point.len()];
                coefficients[position] = Rational::ONE;
                for (direction, &begin) in self.directions.iter().zip(&begins) {
                    coefficients[begin] = direction[position].negate()?;
                }
                let value = product(&coefficients, &self.point)?;
                Some((coefficients, value))
            })
            .collect()
    }
}

/// Where a vector that is not zero begins.
fn begin(vector: &[Rational]) -> Option<usize> {
    vector.iter().position(|value| !value.is_zero())
}

fn product(left: &[Rational], right: &[Rational]) -> Option<Rational> {
    left.iter().zip(right).try_fold(Rational::ZERO, |sum, (a, b)| sum.plus(a.times(*b)?))
}

fn subtract(from: &mut [Rational], factor: Rational, vector: &[Rational]) -> Option<()> {
    if factor.is_zero() {
        return Some(());
    }
    for (value, other) in from.iter_mut().zip(vector) {
        *value = value.minus(factor.times(*other)?)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(rows: &[(&[usize], i128)]) -> Vec<CoordinateSum> {
        let sum = |&(summands, constant): &(&[usize], i128)| CoordinateSum {
            summands: summands.iter().map(|&at| (at, Rational::ONE)).collect(),
            constant: Rational::integer(constant),
        };
        rows.iter().map(sum).collect()
    }

    /// `x = x + 1, y = y - 1` again and again from `(0, z, z)`: `x + y == z` is all that stays.
    #[test]
    fn a_sum_that_moves_stays() {
        let start = Span::everything(3).image(&sums(&[(&[], 0), (&[2], 0), (&[2], 0)]));
        let mut span = start.expect("it fits");
        let step = sums(&[(&[0], 1), (&[1], -1), (&[2], 0)]);
        for grows in [true, false] {
            let next = span.image(&step).expect("it fits");
            assert_eq!(span.join(&next), Some(grows));
        }
        let coefficients = [-1, -1, 1].map(Rational::integer).to_vec();
        assert_eq!(span.equalities(), Some(vec![(coefficients, Rational::ZERO)]));
    }

    #[test]
    fn what_is_free_has_no_equality() {
        let span = Span::everything(2).image(&sums(&[(&[0], 0), (&[1], 3)])).expect("it fits");
        assert_eq!(span.equalities(), Some(Vec::new()));
        assert_eq!(span.with_free(2).equalities(), Some(Vec::new()));
    }
}
