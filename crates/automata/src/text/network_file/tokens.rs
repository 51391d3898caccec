//! The tokens of a network file. Line ends are insignificant, except inside automata.

use crate::text::LineError;
use crate::text::aut::ASK_EVERY;
use crate::text::quote::unquoted;

/// A token and its line.
pub type Placed = (usize, NetworkToken);

/// A token of a network file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkToken {
    /// A keyword, a name or a number.
    Word(String),
    /// A name or a path.
    Quoted(String),
    /// `,`.
    Comma,
    /// An automaton: the lines from a header `des (…)` to its last transition.
    Automaton(String),
}

impl std::fmt::Display for NetworkToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "`{word}`"),
            Self::Quoted(name) => write!(f, "{name:?}"),
            Self::Comma => f.write_str("`,`"),
            Self::Automaton(_) => f.write_str("an automaton"),
        }
    }
}

/// All tokens.
pub fn tokens(text: &str, go_on: &mut dyn FnMut() -> bool) -> Result<Vec<Placed>, LineError> {
    let mut tokens: Vec<Placed> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let (number, line) = (i + 1, without_comment(line).trim());
        if number.is_multiple_of(ASK_EVERY) && !go_on() {
            return Err(LineError::cancelled(number));
        }
        let header = line.strip_prefix("des").is_some_and(|l| l.trim_start().starts_with('('));
        match tokens.last_mut() {
            // Empty lines count, so that errors in the automaton have the right line.
            Some((_, NetworkToken::Automaton(text)))
                if line.is_empty() || line.starts_with('(') =>
            {
                text.push('\n');
                text.push_str(line);
            }
            _ if header || line.starts_with('(') => {
                tokens.push((number, NetworkToken::Automaton(line.to_owned())));
            }
            _ => words(number, line, &mut tokens)?,
        }
    }
    Ok(tokens)
}

fn words(number: usize, line: &str, tokens: &mut Vec<Placed>) -> Result<(), LineError> {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let Some(end) = closing_quote(rest) else {
                return Err(LineError::new(number, "a name begins with a quote and has no end"));
            };
            tokens.push((number, NetworkToken::Quoted(unquoted(&rest[1..end]))));
            rest = &rest[end + 1..];
        } else if first == ',' {
            tokens.push((number, NetworkToken::Comma));
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = rest.trim_start();
        } else {
            let ends = |c: char| c.is_whitespace() || c == ',' || c == '"';
            let end = rest.find(ends).unwrap_or(rest.len());
            tokens.push((number, NetworkToken::Word(rest[..end].to_owned())));
            rest = &rest[end..];
        }
    }
    Ok(())
}

/// The end of the name that begins with the quote at the start of `text`.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (i, b) in text.bytes().enumerate().skip(1) {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(i),
            _ => {}
        }
    }
    None
}

/// The line up to `--`, unless that stands in a name.
fn without_comment(line: &str) -> &str {
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        if rest.starts_with("--") {
            return &line[..at];
        }
        at += match rest.starts_with('"') {
            true => closing_quote(rest).map_or(rest.len(), |end| end + 1),
            false => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    line
}
