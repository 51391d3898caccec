//! What an input reached: a set of numbers that says nothing by itself.

use std::collections::BTreeSet;
use std::fmt;

/// A set of hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features(pub BTreeSet<u64>);

impl Features {
    /// Notes a message; names and numbers in it do not count.
    pub fn message(&mut self, text: &str) {
        let mut is_quoted = false;
        let kept = text.bytes().filter(|&byte| {
            is_quoted ^= matches!(byte, b'`' | b'\'' | b'"');
            !is_quoted && byte.is_ascii_alphabetic()
        });
        self.0.insert(kept.fold(FIRST, mixed));
    }

    /// Notes a number of a kind, by its order of magnitude.
    pub fn size(&mut self, kind: &str, n: usize) {
        let magnitude = n.checked_ilog2().map_or(0, |log| log as u8 + 1);
        self.0.insert(kind.bytes().chain([magnitude]).fold(FIRST, mixed));
    }

    /// Whether everything is in another set.
    pub fn is_within(&self, others: &Features) -> bool {
        self.0.is_subset(&others.0)
    }
}

const FIRST: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a.
fn mixed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
}

/// Reads a `Debug` text that nobody keeps: its length, and which names of variants follow each other.
#[derive(Default)]
pub struct Shape {
    /// The number of bytes.
    pub n_bytes: usize,
    /// The pairs of names.
    pub features: Features,
    word: Option<u64>,
    before: u64,
}

impl fmt::Write for Shape {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.n_bytes += text.len();
        for byte in text.bytes() {
            self.word = match (self.word, byte) {
                (Some(word), b'a'..=b'z' | b'A'..=b'Z') => Some(mixed(word, byte)),
                (None, b'A'..=b'Z') => Some(mixed(FIRST, byte)),
                (Some(word), _) => {
                    self.features.0.insert(self.before.rotate_left(7) ^ word);
                    self.before = word;
                    None
                }
                (None, _) => None,
            };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn names_and_numbers_do_not_count() {
        let features = |text: &str| {
            let mut features = Features::default();
            features.message(text);
            features
        };
        assert_eq!(features("m.pml:1: `x` is wrong"), features("m.pml:27: `yy` is wrong"));
        assert_ne!(features("`x` is wrong"), features("`x` is right"));
    }

    #[test]
    fn a_shape_has_pairs_of_names() {
        let shape = |text: &str| {
            let mut shape = Shape::default();
            shape.write_str(text).expect("it never fails");
            (shape.n_bytes, shape.features)
        };
        let (n, first) = shape("Assign { to: Name(1), value: Number(2) }");
        assert_eq!((n, first.0.len()), (40, 3));
        assert_eq!(first, shape("Assign { to: Name(7), value: Number(9) }").1);
        assert_ne!(first, shape("Assign { to: Number(7), value: Name(9) }").1);
    }
}
