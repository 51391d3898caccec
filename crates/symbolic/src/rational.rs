//! Rational numbers of 128-bit parts. Every operation is checked: a result that does not fit is
//! `None`, and whoever asked for it answers *unknown*. Nothing is ever rounded.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Nought.
    pub const ZERO: Self = Self::integer(0);
    /// One.
    pub const ONE: Self = Self::integer(1);

    /// A whole number.
    pub const fn integer(number: i128) -> Self {
        Self { numerator: number, denominator: 1 }
    }

    /// `numerator / denominator`; `None` if the denominator is zero or the fraction does not fit.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 1 {
            return Some(Self::integer(numerator));
        }
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        let sign = denominator.signum();
        if divisor == 1 {
            // Most fractions are in lowest terms, and division is slow.
            return Some(Self { numerator: numerator * sign, denominator: denominator * sign });
        }
        Some(Self {
            numerator: numerator / divisor * sign,
            denominator: denominator / divisor * sign,
        })
    }

    /// The part above the line.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The part below the line, which is positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Whether it is a whole number.
    pub fn is_integer(self) -> bool {
        self.denominator == 1
    }

    /// The whole number that it is, if it is one.
    pub fn to_integer(self) -> Option<i128> {
        self.is_integer().then_some(self.numerator)
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// −1, 0 or 1.
    pub fn signum(self) -> i128 {
        self.numerator.signum()
    }

    /// The largest whole number that is not larger.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// The smallest whole number that is not smaller; `None` at the end of the range.
    pub fn ceiling(self) -> Option<i128> {
        if self.is_integer() { Some(self.numerator) } else { self.floor().checked_add(1) }
    }

    /// `self + other`.
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Self::integer(self.numerator.checked_add(other.numerator)?));
        }
        // A whole number beside a fraction in lowest terms gives another one.
        if other.denominator == 1 {
            let whole = other.numerator.checked_mul(self.denominator)?;
            return Some(Self { numerator: self.numerator.checked_add(whole)?, ..self });
        }
        if self.denominator == 1 {
            return other.plus(self);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// `self - other`.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negate()?)
    }

    /// `self * other`.
    pub fn times(self, other: Self) -> Option<Self> {
        if self.denominator == 1 && other.denominator == 1 {
            // A product of two short numbers fits, and is computed without a test.
            if let (Ok(a), Ok(b)) = (i64::try_from(self.numerator), i64::try_from(other.numerator))
            {
                return Some(Self::integer(i128::from(a) * i128::from(b)));
            }
            return Some(Self::integer(self.numerator.checked_mul(other.numerator)?));
        }
        if self.is_zero() || other.is_zero() {
            return Some(Self::ZERO);
        }
        let left = Self::new(self.numerator, other.denominator)?;
        let right = Self::new(other.numerator, self.denominator)?;
        Some(Self {
            numerator: left.numerator.checked_mul(right.numerator)?,
            denominator: left.denominator.checked_mul(right.denominator)?,
        })
    }

    /// `self / other`; `None` also if `other` is zero.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(other.reciprocal()?)
    }

    /// `1 / self`; `None` if it is zero.
    pub fn reciprocal(self) -> Option<Self> {
        match self.numerator {
            0 | i128::MIN => None,
            n => Some(Self { numerator: self.denominator * n.signum(), denominator: n.abs() }),
        }
    }

    /// `-self`.
    pub fn negate(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, ..self })
    }
}

/// The greatest common divisor, positive unless both are zero. Neither may be `i128::MIN`.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Division of small numbers is ten times as fast.
        if let (Ok(small_a), Ok(small_b)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(small_gcd(small_a, small_b));
        }
        (a, b) = (b, a % b);
    }
    a as i128
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl From<i128> for Rational {
    fn from(number: i128) -> Self {
        Self::integer(number)
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        // Continued fractions: equal whole parts leave the reciprocals of the rest to compare, which
        // have smaller denominators. No product is needed, so nothing overflows.
        let (left, right) = (self.floor(), other.floor());
        if left != right {
            return left.cmp(&right);
        }
        let rest = |number: &Self| Self {
            numerator: number.denominator,
            denominator: number.numerator.rem_euclid(number.denominator),
        };
        match (self.is_integer(), other.is_integer()) {
            (true, _) => Ordering::Less,
            (_, true) => Ordering::Greater,
            _ => rest(other).cmp(&rest(self)),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.is_integer() { Ok(()) } else { write!(f, "/{}", self.denominator) }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(numerator: i128, denominator: i128) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        assert_eq!(rational(6, -4), rational(-3, 2));
        assert_eq!(rational(1, 2).plus(rational(1, 3)), Some(rational(5, 6)));
        assert_eq!(rational(2, 3).times(rational(3, 4)), Some(rational(1, 2)));
        assert_eq!(rational(-7, 2).floor(), -4);
        assert_eq!(rational(-7, 2).ceiling(), Some(-3));
    }

    #[test]
    fn sums_and_products_are_those_of_the_definition() {
        let numbers: Vec<(i128, i128)> =
            (-4..=4).flat_map(|n| (1..=6).map(move |d| (n, d))).collect();
        for &(a, b) in &numbers {
            for &(c, d) in &numbers {
                let (left, right) = (rational(a, b), rational(c, d));
                assert_eq!(left.plus(right), Some(rational(a * d + c * b, b * d)));
                assert_eq!(left.times(right), Some(rational(a * c, b * d)));
                assert_eq!(gcd(left.numerator(), left.denominator()), 1);
            }
        }
    }

    #[test]
    fn the_order_needs_no_products() {
        let large = i128::MAX - 1;
        assert!(rational(large, 3) < rational(large, 2));
        assert!(rational(1, large) > rational(1, i128::MAX));
        assert!(rational(-1, 2) < rational(-1, 3));
        assert!(rational(7, 3) > Rational::integer(2));
    }

    #[test]
    fn what_does_not_fit_is_nothing() {
        assert_eq!(Rational::integer(i128::MAX).plus(Rational::ONE), None);
        assert_eq!(Rational::integer(i128::MIN).negate(), None);
        assert_eq!(Rational::ONE.over(Rational::ZERO), None);
    }
}
