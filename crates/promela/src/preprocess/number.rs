//! Constants in `#if`: integers and characters as C writes them.

/// A 64-bit integer as C's preprocessor has it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub bits: i64,
    pub unsigned: bool,
}

impl Value {
    pub fn signed(bits: i64) -> Self {
        Self { bits, unsigned: false }
    }

    pub fn truth(truth: bool) -> Self {
        Self::signed(i64::from(truth))
    }

    pub fn is_true(self) -> bool {
        self.bits != 0
    }
}

/// The value of a preprocessing number, or why it has none.
pub(super) fn integer(text: &str) -> Result<Value, &'static str> {
    let lower = text.to_ascii_lowercase();
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', _, ..] => (8, &lower[1..]),
        _ => (10, &lower[..]),
    };
    let n_digits = digits.bytes().take_while(|b| (*b as char).is_digit(base.max(10))).count();
    let (digits, suffix) = digits.split_at(n_digits);
    let unsigned = match suffix {
        "" | "l" | "ll" => false,
        "u" | "ul" | "ull" | "lu" | "llu" => true,
        _ if suffix.contains('.') || (base == 10 && suffix.starts_with('e')) => {
            return Err("`#if` works on integers");
        }
        _ => return Err("this is not an integer constant"),
    };
    if digits.is_empty() && base != 8 {
        return Err("this is not an integer constant");
    }
    let mut value: u64 = 0;
    for digit in digits.chars() {
        let digit = digit.to_digit(base).ok_or("this digit is too large for the base")?;
        value = value.wrapping_mul(u64::from(base)).wrapping_add(u64::from(digit));
    }
    let unsigned = unsigned || value > i64::MAX as u64;
    Ok(Value { bits: value as i64, unsigned })
}

/// The value of a character constant with its quotes, or why it has none.
pub(super) fn character(text: &str) -> Result<Value, &'static str> {
    let inner = text.as_bytes().get(1..text.len() - 1).unwrap_or(&[]);
    let mut rest = inner;
    let mut value: i32 = 0;
    let mut n_chars = 0;
    while !rest.is_empty() {
        let byte = one_character(&mut rest)?;
        value = (value << 8) | i32::from(byte);
        n_chars += 1;
    }
    match n_chars {
        0 => Err("the character constant is empty"),
        // A single `char` has a sign.
        1 => Ok(Value::signed(i64::from(value as i8))),
        _ => Ok(Value::signed(i64::from(value))),
    }
}

fn one_character(rest: &mut &[u8]) -> Result<u8, &'static str> {
    let take = |rest: &mut &[u8], n: usize| *rest = &rest[n..];
    let first = rest[0];
    take(rest, 1);
    if first != b'\\' {
        return Ok(first);
    }
    let Some(&escape) = rest.first() else {
        return Err("a character is missing after `\\`");
    };
    let (max, base) = match escape {
        b'0'..=b'7' => (3, 8),
        b'x' => {
            take(rest, 1);
            (rest.len(), 16)
        }
        _ => {
            take(rest, 1);
            return Ok(simple_escape(escape));
        }
    };
    let digits = rest.iter().take(max).take_while(|b| (**b as char).is_digit(base)).count();
    if digits == 0 {
        return Err("digits are missing after `\\x`");
    }
    let value = rest[..digits]
        .iter()
        .fold(0u32, |value, b| value.wrapping_mul(base) + (*b as char).to_digit(base).unwrap_or(0));
    take(rest, digits);
    Ok(value as u8)
}

fn simple_escape(escape: u8) -> u8 {
    match escape {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'f' => 12,
        b'v' => 11,
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<i64> {
        integer(text).ok().map(|v| v.bits)
    }

    #[test]
    fn integers() {
        assert_eq!(value("0"), Some(0));
        assert_eq!(value("017"), Some(15));
        assert_eq!(value("0x1fUL"), Some(31));
        assert_eq!(value("0b101"), Some(5));
        assert_eq!(value("18446744073709551615"), Some(-1));
        for bad in ["08", "1.5", "1e3", "1..N", "0x", "12abc", "1uu"] {
            assert_eq!(value(bad), None, "{bad}");
        }
    }

    #[test]
    fn characters() {
        let value = |text| character(text).ok().map(|v| v.bits);
        assert_eq!(value("'a'"), Some(97));
        assert_eq!(value("'\\n'"), Some(10));
        assert_eq!(value("'\\0'"), Some(0));
        assert_eq!(value("'\\377'"), Some(-1));
        assert_eq!(value("'\\x41'"), Some(65));
        assert_eq!(value("'ab'"), Some(97 * 256 + 98));
        assert_eq!(value("''"), None);
    }
}
