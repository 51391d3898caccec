//! Bounds of the values of an expression. They keep C's signed overflow out
//! and tell which expressions can index an array.

use super::tree::Type;

/// The values from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
}

/// No intermediate value may leave this range.
const LIMIT: i64 = 1 << 30;
/// An `int` is assumed to stay within this distance of zero: assignments are
/// kept small, and counting further takes more states than are searched.
const INT_LIMIT: i64 = 32_000;

impl Interval {
    /// From `low` to `high`.
    pub fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }

    /// One value.
    pub fn point(value: i64) -> Interval {
        Interval::new(value, value)
    }

    /// False and true.
    pub fn truth() -> Interval {
        Interval::new(0, 1)
    }

    /// What a variable of the type can hold.
    pub fn of_type(ty: &Type) -> Interval {
        match ty {
            Type::Bit | Type::Bool => Interval::truth(),
            Type::Byte | Type::Pid | Type::Mtype(_) | Type::Chan | Type::Record(_) => {
                Interval::new(0, 255)
            }
            Type::Short => Interval::new(-32_768, 32_767),
            Type::Int => Interval::new(-INT_LIMIT, INT_LIMIT),
            Type::Unsigned(width) => Interval::new(0, (1 << width) - 1),
        }
    }

    /// Whether C computes with these values without overflow.
    pub fn is_safe(self) -> bool {
        -LIMIT < self.low && self.high < LIMIT
    }

    /// Whether there is no negative value.
    pub fn is_natural(self) -> bool {
        self.low >= 0
    }

    /// Whether every value of the other one is here.
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// How many values there are.
    pub fn width(self) -> i64 {
        self.high - self.low + 1
    }

    /// The least interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// Bounds of `self op other`.
    pub fn binary(self, op: &str, other: Interval) -> Interval {
        let (a, b) = (self, other);
        match op {
            "+" => Interval::new(a.low + b.low, a.high + b.high),
            "-" => Interval::new(a.low - b.high, a.high - b.low),
            "*" => {
                let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
                ends.into_iter().map(Interval::point).fold(Interval::point(ends[0]), Interval::hull)
            }
            "&" | "|" | "^" => bitwise(a.hull(b)),
            _ => Interval::truth(),
        }
    }

    /// Bounds of `self op k` for a constant.
    pub fn by_constant(self, op: &str, k: i64) -> Interval {
        match op {
            "/" | ">>" => self.hull(Interval::point(0)),
            "%" if self.is_natural() => Interval::new(0, self.high.min(k - 1)),
            "%" => Interval::new(1 - k, k - 1),
            _ => Interval::new(self.low << k, self.high << k),
        }
    }

    /// Bounds of `op self`.
    pub fn unary(self, op: &str) -> Interval {
        match op {
            "-" => Interval::new(-self.high, -self.low),
            "~" => Interval::new(-self.high - 1, -self.low - 1),
            _ => Interval::truth(),
        }
    }
}

/// All values with as many bits as the given ones.
fn bitwise(both: Interval) -> Interval {
    let largest = both.high.max(-both.low).max(1) as u64;
    let bound = largest.next_power_of_two() as i64 * 2;
    Interval::new(if both.is_natural() { 0 } else { -bound }, bound - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_contain_the_values() {
        let (a, b) = (Interval::new(-3, 4), Interval::new(-2, 7));
        for (x, y) in (-3..=4i64).flat_map(|x| (-2..=7i64).map(move |y| (x, y))) {
            let values = [
                ("+", x + y),
                ("-", x - y),
                ("*", x * y),
                ("&", x & y),
                ("|", x | y),
                ("^", x ^ y),
            ];
            for (op, value) in values {
                let bound = a.binary(op, b);
                assert!(bound.low <= value && value <= bound.high, "{x} {op} {y}");
            }
            for (op, value) in [("/", x / 3), ("%", x % 3), (">>", x >> 3), ("<<", x << 3)] {
                let bound = a.by_constant(op, 3);
                assert!(bound.low <= value && value <= bound.high, "{x} {op} 3");
            }
        }
    }
}
