//! Linear arithmetic: sums, and comparisons in normal form.

use super::{LinearSum, Relation, Sort, Term, TermId, Terms};
use crate::rational::{Rational, gcd};

impl LinearSum {
    /// A number.
    pub fn number(constant: Rational) -> Self {
        Self { summands: Vec::new(), constant }
    }

    /// `self + factor·other`; `None` if a number does not fit.
    pub fn plus(&self, factor: Rational, other: &Self) -> Option<Self> {
        let mut summands = Vec::with_capacity(self.summands.len() + other.summands.len());
        let (mut left, mut right) = (self.summands.as_slice(), other.summands.as_slice());
        while !left.is_empty() || !right.is_empty() {
            let next_left = left.first().map(|s| s.0);
            let next_right = right.first().map(|s| s.0);
            let term = [next_left, next_right].into_iter().flatten().min()?;
            let mut coefficient = Rational::ZERO;
            if next_left == Some(term) {
                coefficient = left[0].1;
                left = &left[1..];
            }
            if next_right == Some(term) {
                coefficient = coefficient.plus(factor.times(right[0].1)?)?;
                right = &right[1..];
            }
            if !coefficient.is_zero() {
                summands.push((term, coefficient));
            }
        }
        let constant = self.constant.plus(factor.times(other.constant)?)?;
        Some(Self { summands, constant })
    }
}

impl Terms {
    /// A number.
    pub fn number(&mut self, number: impl Into<Rational>) -> TermId {
        self.of_sum(LinearSum::number(number.into()))
    }

    /// The number, if the term is one.
    pub fn as_number(&self, id: TermId) -> Option<Rational> {
        match self.term(id) {
            Term::Sum(sum) if sum.summands.is_empty() => Some(sum.constant),
            _ => None,
        }
    }

    /// A numeric term as a sum of atomic terms.
    pub fn sum_of(&self, id: TermId) -> LinearSum {
        debug_assert!(self.sort(id).is_numeric());
        match self.term(id) {
            Term::Sum(sum) => sum.clone(),
            _ => LinearSum { summands: vec![(id, Rational::ONE)], constant: Rational::ZERO },
        }
    }

    /// The sum as a term. Its summands must be atomic, in order, without zero coefficients.
    pub fn of_sum(&mut self, sum: LinearSum) -> TermId {
        if let [(term, Rational::ONE)] = sum.summands[..]
            && sum.constant.is_zero()
        {
            return term;
        }
        let sort = if self.is_integral(&sum) { Sort::Integer } else { Sort::Rational };
        self.intern(Term::Sum(sum), sort)
    }

    fn is_integral(&self, sum: &LinearSum) -> bool {
        sum.constant.is_integer()
            && sum.summands.iter().all(|&(t, c)| c.is_integer() && self.sort(t) == Sort::Integer)
    }

    /// `left + right`.
    pub fn add(&mut self, left: TermId, right: TermId) -> TermId {
        self.add_scaled(left, Rational::ONE, right)
    }

    /// `left - right`.
    pub fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        self.add_scaled(left, Rational::integer(-1), right)
    }

    /// `-id`.
    pub fn negate(&mut self, id: TermId) -> TermId {
        self.scale(Rational::integer(-1), id)
    }

    /// `factor·id`.
    pub fn scale(&mut self, factor: Rational, id: TermId) -> TermId {
        let zero = self.number(0);
        self.add_scaled(zero, factor, id)
    }

    /// `left + factor·right`; an opaque term if a number does not fit.
    fn add_scaled(&mut self, left: TermId, factor: Rational, right: TermId) -> TermId {
        match self.sum_of(left).plus(factor, &self.sum_of(right)) {
            Some(sum) => self.of_sum(sum),
            None => {
                let factor = self.number(factor);
                let scaled = self.intern_binary(Term::Product, factor, right);
                self.intern_binary(Term::Overflow, left, scaled)
            }
        }
    }

    fn intern_binary(&mut self, make: fn(TermId, TermId) -> Term, a: TermId, b: TermId) -> TermId {
        let integers = self.sort(a) == Sort::Integer && self.sort(b) == Sort::Integer;
        self.intern(make(a, b), if integers { Sort::Integer } else { Sort::Rational })
    }

    /// `left * right`: linear if one of them is a number.
    pub fn multiply(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.as_number(left), self.as_number(right)) {
            (Some(factor), _) => self.scale(factor, right),
            (_, Some(factor)) => self.scale(factor, left),
            _ => self.intern_binary(Term::Product, left.min(right), left.max(right)),
        }
    }

    /// Division of an integer term by a constant, truncated towards zero as in Promela and C; `None`
    /// if the divisor is zero.
    pub fn divide(&mut self, dividend: TermId, divisor: i128) -> Option<TermId> {
        debug_assert_eq!(self.sort(dividend), Sort::Integer);
        match divisor {
            0 => return None,
            1 => return Some(dividend),
            -1 => return Some(self.negate(dividend)),
            _ => {}
        }
        if let Some(number) = self.as_number(dividend) {
            return Some(self.number(number.numerator() / divisor));
        }
        Some(self.intern(Term::TruncatedQuotient(dividend, divisor), Sort::Integer))
    }

    /// The remainder of [`Terms::divide`], which has the dividend's sign.
    pub fn remainder(&mut self, dividend: TermId, divisor: i128) -> Option<TermId> {
        let quotient = self.divide(dividend, divisor)?;
        let product = self.scale(Rational::integer(divisor), quotient);
        Some(self.subtract(dividend, product))
    }

    /// `left <= right`.
    pub fn at_most(&mut self, left: TermId, right: TermId) -> TermId {
        self.compare(Relation::AtMost, left, right)
    }

    /// `left < right`.
    pub fn less(&mut self, left: TermId, right: TermId) -> TermId {
        let other = self.at_most(right, left);
        self.not(other)
    }

    /// `left >= right`.
    pub fn at_least(&mut self, left: TermId, right: TermId) -> TermId {
        self.at_most(right, left)
    }

    /// `left > right`.
    pub fn greater(&mut self, left: TermId, right: TermId) -> TermId {
        self.less(right, left)
    }

    /// `left != right`, of any sort.
    pub fn not_equal(&mut self, left: TermId, right: TermId) -> TermId {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    /// `left == right`, of any sort.
    pub fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        match self.sort(left) {
            Sort::Boolean => self.iff(left, right),
            Sort::Integer | Sort::Rational => self.compare(Relation::Equal, left, right),
            _ => self.same_array(left, right),
        }
    }

    /// `left relation right`, for numbers.
    pub fn compare(&mut self, relation: Relation, left: TermId, right: TermId) -> TermId {
        let difference = self.subtract(left, right);
        self.compare_with_zero(relation, self.sum_of(difference))
    }

    /// `sum relation 0`, in normal form.
    fn compare_with_zero(&mut self, relation: Relation, sum: LinearSum) -> TermId {
        let Some(&(_, first)) = sum.summands.first() else {
            let order = sum.constant.cmp(&Rational::ZERO);
            return self.truth(match relation {
                Relation::AtMost => order.is_le(),
                Relation::Less => order.is_lt(),
                Relation::Equal => order.is_eq(),
            });
        };
        let Some((sum, bound)) = with_coprime_coefficients(&sum) else {
            // Numbers that do not fit: the whole sum becomes one opaque term.
            let (sum, zero) = (self.of_sum(sum), self.number(0));
            let opaque = self.intern_binary(Term::Overflow, sum, zero);
            return self.compare_with_zero(relation, self.sum_of(opaque));
        };
        // Now: sum relation bound, or sum inverse-relation bound if the first coefficient was negative.
        let is_reversed = first.signum() < 0;
        let is_integral = sum.summands.iter().all(|&(t, _)| self.sort(t) == Sort::Integer);
        match (relation, is_integral) {
            (Relation::Equal, true) if !bound.is_integer() => self.truth(false),
            (Relation::Equal, _) => self.intern_compare(Relation::Equal, sum, bound),
            (_, true) => self.compare_integers(relation, is_reversed, sum, bound),
            (_, false) if is_reversed => {
                let opposite =
                    if relation == Relation::AtMost { Relation::Less } else { Relation::AtMost };
                let negated = self.intern_compare(opposite, sum, bound);
                self.not(negated)
            }
            _ => self.intern_compare(relation, sum, bound),
        }
    }

    /// `sum relation bound`, or `bound relation sum` if reversed: `sum <= whole` or its negation.
    fn compare_integers(
        &mut self,
        relation: Relation,
        is_reversed: bool,
        sum: LinearSum,
        bound: Rational,
    ) -> TermId {
        let is_strict = relation == Relation::Less;
        // sum < 3 is sum <= 2, but sum < 5/2 is sum <= 2; 3 < sum is !(sum <= 3), 3 <= sum is !(sum <= 2).
        let exclude = bound.is_integer() && is_strict != is_reversed;
        // No underflow: the bound is a negated number.
        let whole = bound.floor() - i128::from(exclude);
        let atom = self.intern_compare(Relation::AtMost, sum, Rational::integer(whole));
        if is_reversed { self.not(atom) } else { atom }
    }

    fn intern_compare(&mut self, relation: Relation, sum: LinearSum, bound: Rational) -> TermId {
        self.intern(Term::Compare(relation, sum, bound), Sort::Boolean)
    }
}

/// `sum = 0` as `sum' = bound` with coprime integer coefficients, the first of them positive, and no
/// constant; `None` if a number does not fit.
fn with_coprime_coefficients(sum: &LinearSum) -> Option<(LinearSum, Rational)> {
    let mut divisor = 0;
    let mut multiple: i128 = 1;
    for &(_, coefficient) in &sum.summands {
        if coefficient.numerator() == i128::MIN {
            return None;
        }
        let denominator = coefficient.denominator();
        multiple = (multiple / gcd(multiple, denominator)).checked_mul(denominator)?;
    }
    for &(_, coefficient) in &sum.summands {
        let whole = coefficient.times(Rational::integer(multiple))?;
        divisor = gcd(divisor, whole.to_integer().filter(|&n| n != i128::MIN)?);
    }
    let sign = sum.summands.first()?.1.signum();
    let factor = Rational::new(multiple.checked_mul(sign)?, divisor)?;
    let mut scaled = LinearSum::default().plus(factor, sum)?;
    let bound = scaled.constant.negate()?;
    scaled.constant = Rational::ZERO;
    Some((scaled, bound))
}
