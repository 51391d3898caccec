//! Structural damage to texts of numbered lines: what a forger, or a bad disk, does to a certificate or a
//! contract.

use resy_index::random::SplitMix;

/// Numbers at and beyond the limits of the types that a reader may use.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "-2147483648",
    "2147483647",
    "65536",
    "4294967294",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999",
];

/// The text with up to three pieces of damage: lines and blocks of lines are repeated, deleted or
/// swapped, numbers and bytes are replaced. It need not be UTF-8 any more.
pub fn damaged(text: &str, random: &mut SplitMix) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        bytes = match random.below(8) {
            0 => with_byte(bytes, random),
            1..=3 => with_number(&bytes, random),
            _ => with_lines(&bytes, random),
        };
    }
    bytes
}

fn with_byte(mut bytes: Vec<u8>, random: &mut SplitMix) -> Vec<u8> {
    let at = random.below(bytes.len() + 1);
    let byte = [0, b' ', b'\n', b'*', b'-', 0x80, 0xc3, 0xff][random.below(8)];
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, byte),
        _ if at < bytes.len() => bytes[at] = byte,
        _ => {}
    }
    bytes
}

/// Another number in the place of one; often one that occurs elsewhere.
fn with_number(bytes: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let starts = (0..bytes.len()).filter(|&at| is_digit(at) && (at == 0 || !is_digit(at - 1)));
    let end = |start: usize| (start..).find(|&at| !is_digit(at)).unwrap_or(start);
    let numbers: Vec<(usize, usize)> = starts.map(|start| (start, end(start))).collect();
    if numbers.is_empty() {
        return bytes.to_vec();
    }
    let (start, end) = numbers[random.below(numbers.len())];
    let (from, to) = numbers[random.below(numbers.len())];
    let new = match random.below(3) {
        0 => &bytes[from..to],
        _ => NUMBERS[random.below(NUMBERS.len())].as_bytes(),
    };
    [&bytes[..start], new, &bytes[end..]].concat()
}

/// Repeats, deletes, moves or swaps blocks of lines; half of the blocks are single lines. Repeating
/// and deleting may mend the count in the line before the block.
fn with_lines(bytes: &[u8], random: &mut SplitMix) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = random.below(lines.len());
    let n = match random.below(2) {
        0 => 1,
        _ => 1 + random.below((lines.len() - at).min(12)),
    };
    let block = lines[at..at + n].to_vec();
    let other = random.below(lines.len());
    match random.below(5) {
        0 => {
            mend_count(&mut lines, at, 1);
            lines.splice(at..at, block);
        }
        1 => {
            mend_count(&mut lines, at, -1);
            lines.drain(at..at + n);
        }
        2 => drop(lines.splice(other..other, block)),
        3 => {
            lines.drain(at..at + n);
            let other = other.min(lines.len());
            lines.splice(other..other, block);
        }
        _ => lines.swap(at, other),
    }
    lines.join(&b'\n')
}

/// Adds to the number at the end of the nearest line before that has a word and a number.
fn mend_count(lines: &mut [Vec<u8>], at: usize, by: i64) {
    for line in lines[..at].iter_mut().rev() {
        let text = String::from_utf8_lossy(line).into_owned();
        if let Some((word, number)) = text.split_once(' ')
            && word.chars().all(char::is_alphabetic)
            && let Ok(number) = number.parse::<i64>()
        {
            *line = format!("{word} {}", number.saturating_add(by)).into_bytes();
            return;
        }
    }
}
