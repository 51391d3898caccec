//! The operators of conditions, on 64-bit integers with or without a sign.

use super::number::Value;

/// The value of `op` before `value`.
pub(super) fn unary(op: &str, value: Value) -> Value {
    match op {
        "!" => Value::truth(!value.is_true()),
        "~" => Value { bits: !value.bits, ..value },
        "-" => Value { bits: value.bits.wrapping_neg(), ..value },
        _ => value,
    }
}

/// The value of `op` between `left` and `right`; the caller reports division by
/// zero.
pub(super) fn binary(op: &str, left: Value, right: Value) -> Value {
    let (a, b) = (left.bits, right.bits);
    let unsigned = left.unsigned || right.unsigned;
    let less = |a: i64, b: i64| {
        if unsigned { (a as u64) < b as u64 } else { a < b }
    };
    let bits = match op {
        "," => return right,
        "==" => return Value::truth(a == b),
        "!=" => return Value::truth(a != b),
        "<" => return Value::truth(less(a, b)),
        ">" => return Value::truth(less(b, a)),
        "<=" => return Value::truth(!less(b, a)),
        ">=" => return Value::truth(!less(a, b)),
        "<<" => return shift(left, right, true),
        ">>" => return shift(left, right, false),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        // Reported elsewhere; gcc goes on with the amount of the left side.
        _ if b == 0 && !unsigned => a.wrapping_abs(),
        _ if b == 0 => a,
        "/" if unsigned => (a as u64 / b as u64) as i64,
        "/" => a.wrapping_div(b),
        _ if unsigned => (a as u64 % b as u64) as i64,
        _ => a.wrapping_rem(b),
    };
    Value { bits, unsigned }
}

/// A negative distance shifts the other way.
fn shift(left: Value, right: Value, to_left: bool) -> Value {
    let negative = right.bits < 0 && !right.unsigned;
    let distance = right.bits.unsigned_abs();
    let distance = if right.unsigned { right.bits as u64 } else { distance };
    let to_left = to_left != negative;
    let a = left.bits;
    let bits = match (to_left, distance) {
        (true, 0..64) => a << distance,
        (true, _) => 0,
        (false, 0..64) if left.unsigned => ((a as u64) >> distance) as i64,
        (false, 0..64) => a >> distance,
        (false, _) if left.unsigned || a >= 0 => 0,
        (false, _) => -1,
    };
    Value { bits, ..left }
}
