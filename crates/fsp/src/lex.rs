//! Text to tokens.
//!
//! [`pieces`] cuts a text without loss, comments included, for the formatter; [`lex`] keeps the
//! tokens and reports what is none.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// What a piece of text is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A token.
    Token(TokenKind),
    /// Blanks without a line end.
    Blank,
    /// One line end.
    Newline,
    /// `// …`, without its line end.
    LineComment,
    /// `/* … */`, or up to the end of the text if it is not closed.
    BlockComment {
        /// Whether `*/` is there.
        closed: bool,
    },
    /// A character that FSP does not have.
    Unknown,
}

/// Cuts `text` into pieces; their texts, one after the other, are `text`.
pub fn pieces(text: &str) -> impl Iterator<Item = (PieceKind, Span)> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (kind, len) = first_piece(rest);
        let span = Span::new(start, start + len);
        start += len;
        Some((kind, span))
    })
}

fn first_piece(rest: &str) -> (PieceKind, usize) {
    let while_ = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
    let first = rest.chars().next().unwrap_or('\n');
    match first {
        '\n' => (PieceKind::Newline, 1),
        '\u{feff}' => (PieceKind::Blank, first.len_utf8()),
        _ if first.is_whitespace() => {
            (PieceKind::Blank, while_(|c| c.is_whitespace() && c != '\n'))
        }
        _ if rest.starts_with("//") => (PieceKind::LineComment, line_length(rest)),
        _ if rest.starts_with("/*") => match rest[2..].find("*/") {
            Some(end) => (PieceKind::BlockComment { closed: true }, end + 4),
            None => (PieceKind::BlockComment { closed: false }, rest.len()),
        },
        '0'..='9' => (PieceKind::Token(TokenKind::Number), while_(|c| c.is_ascii_digit())),
        'A'..='Z' | 'a'..='z' | '_' => {
            let len = while_(|c| c.is_ascii_alphanumeric() || c == '_');
            let plain =
                if first.is_ascii_uppercase() { TokenKind::Upper } else { TokenKind::Lower };
            (PieceKind::Token(TokenKind::keyword(&rest[..len]).unwrap_or(plain)), len)
        }
        _ => match TokenKind::mark(rest) {
            Some((kind, len)) => (PieceKind::Token(kind), len),
            None => (PieceKind::Unknown, first.len_utf8()),
        },
    }
}

/// The length of the first line, without its end.
fn line_length(rest: &str) -> usize {
    let line = rest.split('\n').next().unwrap_or(rest);
    line.strip_suffix('\r').unwrap_or(line).len()
}

/// The tokens of a text; the last one is [`TokenKind::End`], also if it is told to end early.
pub fn lex(text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (kind, span) in pieces(text) {
        if !diagnostics.go_on() {
            break;
        }
        match kind {
            PieceKind::Token(kind) => tokens.push(Token { kind, span }),
            PieceKind::Unknown => {
                let message = format!("FSP has no character `{}`", span.text(text).escape_debug());
                diagnostics.push(Diagnostic::new(Code::Character, span, message));
            }
            PieceKind::BlockComment { closed: false } => {
                let opening = Span { end: span.start + 2, ..span };
                let diagnostic = Diagnostic::new(Code::Unterminated, opening, "comment not closed");
                diagnostics.push(diagnostic.hint("close it with `*/`"));
            }
            PieceKind::Blank
            | PieceKind::Newline
            | PieceKind::LineComment
            | PieceKind::BlockComment { closed: true } => {}
        }
    }
    tokens.push(Token { kind: TokenKind::End, span: Span::new(text.len(), text.len()) });
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let tokens = lex(text, &mut Diagnostics::new());
        tokens.iter().map(|t| t.span.text(text)).collect()
    }

    #[test]
    fn the_longest_mark_wins() {
        assert_eq!(
            texts("a[1..N]->B||C::d<<{e}[]<>F<->G//x\nH/*y*/'i"),
            [
                "a", "[", "1", "..", "N", "]", "->", "B", "||", "C", "::", "d", "<<", "{", "e",
                "}", "[", "]", "<", ">", "F", "<", "->", "G", "H", "'", "i", ""
            ]
        );
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", "/* open", "é`\0P", "// a\r\n b", "\u{feff}x\r\r\n", "a//", "/**/"] {
            let joined: String = pieces(text).map(|(_, span)| span.text(text)).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn bad_characters_and_open_comments_are_reported() {
        let mut diagnostics = Diagnostics::new();
        lex("P = (a ? b) /* x", &mut diagnostics);
        let codes: Vec<Code> = diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, [Code::Character, Code::Unterminated]);
    }
}
