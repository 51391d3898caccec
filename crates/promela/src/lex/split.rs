//! Promela's own tokens in a run of text without blanks.
//!
//! The preprocessor has C's tokens, and spin lexes its output again: `1..N` becomes `1`, `..`,
//! `N`, and two adjacent `!` become `!!`.

use crate::token::Punct;

/// What [`first_token`] found.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Word,
    Number,
    Punct(Punct),
    /// No token of Promela.
    Other,
}

/// The first token of `text`, which is not empty, and its length in bytes.
pub(crate) fn first_token(text: &str) -> (Shape, usize) {
    let bytes = text.as_bytes();
    let len = |keep: fn(&u8) -> bool| bytes.iter().take_while(|b| keep(b)).count();
    match bytes.first() {
        Some(b'0'..=b'9') => (Shape::Number, len(u8::is_ascii_digit)),
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
            (Shape::Word, len(|b| b.is_ascii_alphanumeric() || *b == b'_'))
        }
        _ => match first_punct(bytes) {
            Some((punct, len)) => (Shape::Punct(punct), len),
            None => (Shape::Other, text.chars().next().map_or(1, char::len_utf8)),
        },
    }
}

/// The operator at the start, and how many bytes spin takes for it.
///
/// Where spin's lexer tests for two possible second characters, it evaluates the inner test
/// first and applies the outer one to the following character: `-->` is an arrow to it, `!!=`
/// is `!=`, `<=<` is `<<` and `>=>` is `>>`.
fn first_punct(bytes: &[u8]) -> Option<(Punct, usize)> {
    use Punct::*;
    let second = bytes.get(1).copied().unwrap_or(0);
    let third = bytes.get(2).copied().unwrap_or(0);
    Some(match (*bytes.first()?, second, third) {
        (b'-', b'-', b'>') => (Arrow, 3),
        (b'!', b'!', b'=') => (Ne, 3),
        (b'<', b'=', b'<') => (Shl, 3),
        (b'>', b'=', b'>') => (Shr, 3),
        (b'-', b'>', _) => (Arrow, 2),
        (b'-', b'-', _) => (Decr, 2),
        (b'+', b'+', _) => (Incr, 2),
        (b':', b':', _) => (Options, 2),
        (b'.', b'.', _) => (DotDot, 2),
        (b'&', b'&', _) => (AndAnd, 2),
        (b'|', b'|', _) => (OrOr, 2),
        (b'=', b'=', _) => (Eq, 2),
        (b'!', b'=', _) => (Ne, 2),
        (b'!', b'!', _) => (BangBang, 2),
        (b'<', b'=', _) => (Le, 2),
        (b'<', b'<', _) => (Shl, 2),
        (b'>', b'=', _) => (Ge, 2),
        (b'>', b'>', _) => (Shr, 2),
        (b'?', b'?', _) => (QueryQuery, 2),
        (b'#', b'#', _) => (HashHash, 2),
        (first, _, _) => (single(first)?, 1),
    })
}

fn single(byte: u8) -> Option<Punct> {
    use Punct::*;
    Some(match byte {
        b'(' => LParen,
        b')' => RParen,
        b'[' => LBracket,
        b']' => RBracket,
        b'{' => LBrace,
        b'}' => RBrace,
        b',' => Comma,
        b';' => Semi,
        b':' => Colon,
        b'.' => Dot,
        b'@' => At,
        b'=' => Assign,
        b'+' => Plus,
        b'-' => Minus,
        b'*' => Star,
        b'/' => Slash,
        b'%' => Percent,
        b'&' => Amp,
        b'^' => Caret,
        b'|' => Pipe,
        b'~' => Tilde,
        b'!' => Bang,
        b'<' => Lt,
        b'>' => Gt,
        b'?' => Query,
        b'\\' => Backslash,
        b'#' => Hash,
        b'$' => Dollar,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(mut text: &str) -> Vec<&str> {
        let mut out = Vec::new();
        while !text.is_empty() {
            let (_, len) = first_token(text);
            out.push(&text[..len]);
            text = &text[len..];
        }
        out
    }

    #[test]
    fn every_operator_is_found() {
        for punct in Punct::longest_first() {
            let found = first_token(punct.text());
            assert_eq!(found, (Shape::Punct(punct), punct.text().len()));
        }
    }

    #[test]
    fn numbers_are_split_again() {
        assert_eq!(split("1..N"), ["1", "..", "N"]);
        assert_eq!(split("2e+x"), ["2", "e", "+", "x"]);
        assert_eq!(split("1...5"), ["1", "..", ".", "5"]);
    }

    #[test]
    fn spins_order_of_questions() {
        assert_eq!(split("-->x"), ["-->", "x"]);
        assert_eq!(split("--->x"), ["--", "->", "x"]);
        assert_eq!(split("!!=!"), ["!!=", "!"]);
    }
}
