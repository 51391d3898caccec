//! A small lexer for tests: no preprocessor, lines with `#` are comments.

use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};

/// The tokens of a text that stands at offset 0.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let puncts = Punct::longest_first();
    let (mut at, mut newline, mut tokens) = (0, true, Vec::new());
    while at < bytes.len() {
        let start = at;
        let rest = &text[at..];
        let run = |test: fn(&u8) -> bool| rest.bytes().take_while(&test).count();
        let kind = if bytes[at] == b'\n' {
            newline = true;
            at += 1;
            continue;
        } else if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        } else if bytes[at] == b'#' && newline {
            at += run(|b| *b != b'\n');
            continue;
        } else if bytes[at].is_ascii_digit() {
            at += run(u8::is_ascii_digit);
            TokenKind::Number(text[start..at].parse::<i64>().unwrap_or(i64::MAX) as i32 as i64)
        } else if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
            at += run(|b| b.is_ascii_alphanumeric() || *b == b'_');
            TokenKind::Word(text[start..at].into())
        } else if bytes[at] == b'"' {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at = (at + 1).min(bytes.len());
            TokenKind::Text(text.get(start + 1..at - 1).unwrap_or("").into())
        } else if bytes[at] == b'\'' && bytes.get(at + 2) == Some(&b'\'') {
            at += 3;
            TokenKind::Number(bytes[start + 1] as i64)
        } else if rest.starts_with("'\\") && bytes.get(at + 3) == Some(&b'\'') {
            at += 4;
            TokenKind::Number(10)
        } else if let Some(p) = puncts.iter().find(|p| rest.starts_with(p.text())) {
            at += p.text().len();
            TokenKind::Punct(*p)
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        tokens.push(Token { kind, span: Span::new(start, at), newline_before: newline });
        newline = false;
    }
    let span = Span::new(text.len(), text.len());
    tokens.push(Token { kind: TokenKind::End, span, newline_before: true });
    tokens
}
