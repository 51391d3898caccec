//! The preprocessor's tokens to Promela's.
//!
//! Works on what gcc would print: tokens that touch each other are read as one
//! run of text, by Promela's rules.

use super::print::Gap;
use super::token::{Kind, PpToken, UNCLOSED};
use super::words::Words;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lex::split::{Shape, first_token};
use crate::source::Span;
use crate::token::{Punct, Token, TokenKind};
use std::rc::Rc;

/// Collects Promela tokens.
#[derive(Default)]
pub(super) struct Relexer {
    pub tokens: Vec<Token>,
    /// Tokens that touch each other and are not split yet.
    run: Vec<PpToken>,
    /// Their text, and whether a line ends before it.
    text: String,
    newline: bool,
    /// Inside `$…$`: everything up to the next `$` on the line is dropped.
    in_dollars: bool,
    /// The last characters outside the language, to report a row of them once.
    last_bad: Option<Span>,
}

impl Relexer {
    /// Takes the next token of the preprocessor.
    pub fn push(&mut self, token: &PpToken, gap: Gap, words: &mut Words, diags: &mut Diagnostics) {
        if gap != Gap::Nothing || !touches(self.run.last(), token) {
            self.flush(words, diags);
        }
        if gap != Gap::Nothing {
            self.newline |= gap == Gap::Newline;
            self.in_dollars &= gap != Gap::Newline;
            self.last_bad = None;
        }
        match token.kind {
            Kind::Name | Kind::Number | Kind::Punct => {
                self.text.push_str(words.text(token.symbol));
                self.run.push(*token);
            }
            Kind::Text => self.string(token, words, diags),
            Kind::Character => self.character(token, words, diags),
            _ => self.bad(token.span, diags),
        }
    }

    /// All tokens, closed by `End`.
    pub fn finish(mut self, end: Span, words: &mut Words, diags: &mut Diagnostics) -> Vec<Token> {
        self.flush(words, diags);
        self.in_dollars = false;
        self.newline = true;
        self.emit(TokenKind::End, end);
        self.tokens
    }

    fn emit(&mut self, kind: TokenKind, span: Span) {
        if self.in_dollars {
            return;
        }
        let newline_before = std::mem::take(&mut self.newline);
        self.last_bad = None;
        self.tokens.push(Token { kind, span, newline_before });
    }

    /// Splits the run.
    fn flush(&mut self, words: &mut Words, diags: &mut Diagnostics) {
        if let [only] = self.run[..]
            && only.kind == Kind::Name
        {
            self.emit(TokenKind::Word(words.text(only.symbol).clone()), only.span);
        } else {
            let text = std::mem::take(&mut self.text);
            let run = std::mem::take(&mut self.run);
            let mut place = Place { run: &run, from: 0 };
            let mut at = 0;
            while at < text.len() {
                let (shape, len) = first_token(&text[at..]);
                let span = place.take(len, words);
                self.split_off(shape, &text[at..at + len], span, words, diags);
                at += len;
            }
            (self.text, self.run) = (text, run);
        }
        self.text.clear();
        self.run.clear();
    }

    fn split_off(
        &mut self,
        shape: Shape,
        text: &str,
        span: Span,
        words: &mut Words,
        diags: &mut Diagnostics,
    ) {
        match shape {
            Shape::Word => {
                let symbol = words.intern(text);
                self.emit(TokenKind::Word(words.text(symbol).clone()), span);
            }
            Shape::Number => {
                let value = number(text, span, diags);
                self.emit(TokenKind::Number(value), span);
            }
            Shape::Punct(Punct::Dollar) => self.dollar(span, diags),
            Shape::Punct(punct) => {
                if text.len() > 2 {
                    diags.push(odd_operator(text, punct, span));
                }
                self.emit(TokenKind::Punct(punct), span);
            }
            Shape::Other => self.bad(span, diags),
        }
    }

    fn string(&mut self, token: &PpToken, words: &mut Words, diags: &mut Diagnostics) {
        let text = words.text(token.symbol).clone();
        let mut inner = &text[1..];
        if token.has(UNCLOSED) {
            diags.push(
                Diagnostic::new(Code::Unterminated, token.span, "the string is not closed")
                    .label("it ends with the line")
                    .hint("add `\"`"),
            );
        } else {
            inner = &inner[..inner.len() - 1];
        }
        let symbol = words.intern(inner);
        self.emit(TokenKind::Text(words.text(symbol).clone()), token.span);
    }

    fn character(&mut self, token: &PpToken, words: &Words, diags: &mut Diagnostics) {
        let text: Rc<str> = words.text(token.symbol).clone();
        let value = character_value(&text);
        if value.is_none() {
            let message = "a character constant has one character between two quotes";
            diags.push(Diagnostic::new(Code::Unterminated, token.span, message));
        }
        self.emit(TokenKind::Number(value.unwrap_or(0)), token.span);
    }

    fn dollar(&mut self, span: Span, diags: &mut Diagnostics) {
        if self.in_dollars {
            self.in_dollars = false;
            return;
        }
        self.in_dollars = true;
        diags.push(
            Diagnostic::new(Code::Character, span, "formulas between `$` are not supported")
                .hint("write `ltl name { formula }`"),
        );
    }

    fn bad(&mut self, span: Span, diags: &mut Diagnostics) {
        if !self.in_dollars && self.last_bad.is_none() {
            let message = "Promela does not have this character";
            diags.push(Diagnostic::new(Code::Character, span, message));
        }
        self.last_bad = Some(span);
    }
}

/// Whether two tokens with nothing between them may read differently together.
fn touches(left: Option<&PpToken>, right: &PpToken) -> bool {
    let simple = |t: &PpToken| matches!(t.kind, Kind::Name | Kind::Text | Kind::Character);
    match left {
        None => false,
        Some(left) if left.kind == Kind::Name => matches!(right.kind, Kind::Name | Kind::Number),
        Some(left) => !simple(left) && !simple(right) && right.kind != Kind::Other,
    }
}

/// A position in a run of tokens.
struct Place<'a> {
    run: &'a [PpToken],
    /// How much of the first token's text is taken.
    from: usize,
}

impl Place<'_> {
    /// The span of the next `len` bytes of text.
    fn take(&mut self, mut len: usize, words: &Words) -> Span {
        let mut found: Option<Span> = None;
        while let [first, rest @ ..] = self.run {
            let whole = words.text(first.symbol).len();
            let to = whole.min(self.from + len);
            let part = part_of(first.span, self.from, to, whole);
            found = Some(found.map_or(part, |span| span.to(part)));
            len -= to - self.from;
            self.from = to;
            if to == whole {
                (self.run, self.from) = (rest, 0);
            }
            if len == 0 {
                break;
            }
        }
        found.unwrap_or(Span::new(0, 0))
    }
}

/// A part of a token; the whole of it where its text is not what stands there.
fn part_of(span: Span, from: usize, to: usize, len: usize) -> Span {
    if (span.end - span.start) as usize != len {
        return span;
    }
    Span { start: span.start + from as u32, end: span.start + to as u32, ..span }
}

/// The value as spin has it: read as a 64-bit number, cut to 32 bits.
fn number(digits: &str, span: Span, diags: &mut Diagnostics) -> i64 {
    let value = digits.parse().unwrap_or(i64::MAX);
    let cut = value as i32;
    if i64::from(cut) != value {
        let message = format!("{digits} does not fit into 32 bits, spin reads it as {cut}");
        diags.push(Diagnostic::new(Code::Truncated, span, message));
    }
    i64::from(cut)
}

/// The value of a character with its quotes. Unlike in C, `\0` is the digit.
fn character_value(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [b'\'', c, b'\''] if c.is_ascii() && !matches!(c, b'\\' | b'\'') => Some(i64::from(*c)),
        [b'\'', b'\\', c, b'\''] if c.is_ascii() => Some(match c {
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'f' => 12,
            other => i64::from(*other),
        }),
        _ => None,
    }
}

fn odd_operator(text: &str, punct: Punct, span: Span) -> Diagnostic {
    let message = format!("spin reads `{text}` as `{}`", punct.text());
    Diagnostic::new(Code::Suspicious, span, message).hint("put a blank between the operators")
}
