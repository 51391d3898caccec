//! Changes of inputs: bytes, numbers, words of the language, lines, and pieces of other inputs.

use resy_index::random::SplitMix;
use resy_testkit::damage::damaged;

/// Longer inputs are cut: they teach little and take long.
const MAX_LENGTH: usize = 4_096;

/// An input with up to five changes.
pub fn mutated(
    input: &[u8],
    others: &[Vec<u8>],
    words: &[Vec<u8>],
    random: &mut SplitMix,
) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(5) {
        bytes = match random.below(10) {
            0..3 => with_word(bytes, words, random),
            3..5 => spliced(bytes, others, random),
            5 => repeated(bytes, random),
            6 => with_bits(bytes, random),
            // Lines and numbers, as a forger or a bad disk changes them.
            _ => damaged(&String::from_utf8_lossy(&bytes), random),
        };
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}

/// A word is inserted, or written over what is there.
fn with_word(mut bytes: Vec<u8>, words: &[Vec<u8>], random: &mut SplitMix) -> Vec<u8> {
    let Some(word) = words.get(random.below(words.len().max(1))) else { return bytes };
    let at = random.below(bytes.len() + 1);
    let end = if random.below(2) == 0 { at } else { (at + word.len()).min(bytes.len()) };
    bytes.splice(at..end, word.iter().copied());
    bytes
}

/// A piece of another input is inserted, or takes the place of a piece.
fn spliced(mut bytes: Vec<u8>, others: &[Vec<u8>], random: &mut SplitMix) -> Vec<u8> {
    let Some(other) = others.get(random.below(others.len().max(1))) else { return bytes };
    let piece = piece(other, random);
    let (from, to) = range(bytes.len(), random);
    let to = if random.below(2) == 0 { from } else { to };
    bytes.splice(from..to, piece.iter().copied());
    bytes
}

/// A piece is repeated, up to thirty-two times: nesting and length have limits.
fn repeated(mut bytes: Vec<u8>, random: &mut SplitMix) -> Vec<u8> {
    let (from, to) = range(bytes.len(), random);
    let piece = bytes[from..to.min(from + 64)].repeat(1 + random.below(32));
    bytes.splice(from..from, piece);
    bytes
}

fn with_bits(mut bytes: Vec<u8>, random: &mut SplitMix) -> Vec<u8> {
    let at = random.below(bytes.len().max(1));
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
    bytes
}

fn piece<'a>(bytes: &'a [u8], random: &mut SplitMix) -> &'a [u8] {
    let (from, to) = range(bytes.len(), random);
    &bytes[from..to]
}

fn range(length: usize, random: &mut SplitMix) -> (usize, usize) {
    let (a, b) = (random.below(length + 1), random.below(length + 1));
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_input_can_be_changed() {
        let words = vec![b"proctype".to_vec(), b"::".to_vec()];
        let others = vec![b"active proctype P() { skip }".to_vec(), Vec::new()];
        for seed in 0..2_000 {
            let mut random = SplitMix(seed);
            for input in [&b""[..], b"x", b"byte x; 12\n\xff\n", &[b'a'; 9_000]] {
                assert!(mutated(input, &others, &words, &mut random).len() <= MAX_LENGTH);
                mutated(input, &[], &[], &mut random);
            }
        }
    }
}
