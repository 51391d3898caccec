//! Numbers `real + infinitesimal·δ` for an arbitrarily small positive δ: a strict bound `x < c` is the
//! bound `x <= c - δ` (Dutertre and de Moura, CAV 2006).

use resy_symbolic::Rational;

/// The order is lexicographic, as derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Delta {
    pub(super) real: Rational,
    pub(super) infinitesimal: Rational,
}

impl Delta {
    pub(super) fn real(real: Rational) -> Self {
        Self { real, infinitesimal: Rational::ZERO }
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            real: self.real.plus(other.real)?,
            infinitesimal: if other.infinitesimal.is_zero() {
                self.infinitesimal
            } else {
                self.infinitesimal.plus(other.infinitesimal)?
            },
        })
    }

    pub(super) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.times(Rational::integer(-1))?)
    }

    pub(super) fn times(self, factor: Rational) -> Option<Self> {
        Some(Self {
            real: self.real.times(factor)?,
            infinitesimal: if self.infinitesimal.is_zero() {
                Rational::ZERO
            } else {
                self.infinitesimal.times(factor)?
            },
        })
    }

    pub(super) fn is_integer(self) -> bool {
        self.real.is_integer() && self.infinitesimal.is_zero()
    }

    /// The largest integer that is not larger.
    pub(super) fn floor(self) -> Option<i128> {
        let below = self.real.is_integer() && self.infinitesimal.signum() < 0;
        self.real.floor().checked_sub(i128::from(below))
    }

    /// The number, for a given δ.
    pub(super) fn at(self, delta: Rational) -> Option<Rational> {
        self.real.plus(self.infinitesimal.times(delta)?)
    }
}
