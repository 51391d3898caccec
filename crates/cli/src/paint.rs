//! Verdicts in colours, for a reader at a terminal.
//!
//! What is printed is complete without them: a verdict is a word at a known place, the first of a summary
//! (`holds: 12 states`) or the last of a row (`assertions   fails`).

use crate::args::Color;
use std::borrow::Cow;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the standard output has colours.
static ON: AtomicBool = AtomicBool::new(false);

const GREEN: &str = "\x1b[1;32m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const PLAIN: &str = "\x1b[0m";

/// The words, and what they are painted in.
const WORDS: [(&str, &str); 5] =
    [("holds", GREEN), ("accepted", GREEN), ("fails", RED), ("rejected", RED), ("unknown", YELLOW)];

/// Chooses for the standard output from now on.
pub fn choose(color: Color) {
    ON.store(is_wanted(color, &std::io::stdout()), Ordering::Relaxed);
}

/// Whether a stream is to have colours; `NO_COLOR` says no where nothing else is said.
pub fn is_wanted(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            stream.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// The text, whose control characters are quoted already, with its verdicts painted if colours are on.
pub fn verdicts(text: Cow<'_, str>) -> Cow<'_, str> {
    match ON.load(Ordering::Relaxed) {
        true => text.split_inclusive('\n').map(line).collect::<String>().into(),
        false => text,
    }
}

fn line(line: &str) -> String {
    let end = line.trim_end_matches('\n').len();
    let (words, newline) = line.split_at(end);
    for (word, color) in WORDS {
        if let Some(rest) = words.strip_prefix(word).filter(|rest| rest.starts_with(':')) {
            return format!("{color}{word}{PLAIN}{rest}{newline}");
        }
        let row = words.strip_suffix(word).filter(|row| !row.starts_with(' '));
        if let Some(row) = row.filter(|row| row.ends_with("  ") || row.ends_with(": ")) {
            return format!("{row}{color}{word}{PLAIN}{newline}");
        }
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_verdict_is_painted_at_its_place_only() {
        assert_eq!(line("holds: 3 states\n"), "\x1b[1;32mholds\x1b[0m: 3 states\n");
        assert_eq!(line("assertions   fails\n"), "assertions   \x1b[1;31mfails\x1b[0m\n");
        assert_eq!(
            line("property     p, q: unknown"),
            "property     p, q: \x1b[1;33munknown\x1b[0m"
        );
        for other in ["  it fails\n", "what holds\n", "     1  P(0)  fails\n", "holds\n", "\n", ""]
        {
            assert_eq!(line(other), other);
        }
    }
}
