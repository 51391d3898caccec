//! One file being read: its text as preprocessing tokens.

use super::token::{BOL, Kind, NO_EXPAND, PpToken, UNCLOSED, WHITE};
use super::words::Words;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lex::RawKind;
use crate::lex::scan::{Piece, Scanner, unspliced};
use crate::source::Span;
use std::rc::Rc;

/// How a line end is read.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// It begins a new line.
    Text,
    /// It also counts as a blank: we are between the parentheses of a macro call.
    Arguments,
    /// It ends the directive and is not taken.
    Directive,
}

/// A file being read.
pub(super) struct Input {
    pub name: Rc<str>,
    text: Rc<str>,
    /// Offset of the text in the source map.
    base: usize,
    pos: usize,
    line: u32,
    at_line_start: bool,
    /// The conditionals that are open in this file.
    pub conditions: Vec<super::condition::Condition>,
}

impl Input {
    pub fn new(name: &str, text: &str, base: u32) -> Self {
        Self {
            name: Rc::from(name),
            text: Rc::from(text),
            base: base as usize,
            pos: if text.starts_with('\u{feff}') { 3 } else { 0 },
            line: 1,
            at_line_start: true,
            conditions: Vec::new(),
        }
    }

    /// The next token, or `Eof`.
    pub fn next(&mut self, ends: LineEnd, words: &mut Words, diags: &mut Diagnostics) -> PpToken {
        let text = self.text.clone();
        let mut scanner = Scanner::at(&text, self.pos, self.line);
        let mut flags = if std::mem::take(&mut self.at_line_start) { BOL } else { 0 };
        loop {
            let Some(piece) = scanner.next_piece() else {
                (self.pos, self.line) = (scanner.pos, scanner.line);
                self.at_line_start = flags & BOL != 0;
                return PpToken::eof(self.span(text.len(), text.len()), self.line);
            };
            match piece.kind {
                RawKind::Newline if ends == LineEnd::Directive => {
                    return PpToken::eof(self.span(piece.start, piece.start), piece.line);
                }
                RawKind::Newline if ends == LineEnd::Arguments => flags = BOL | WHITE,
                RawKind::Newline => flags = BOL,
                RawKind::Splice => {}
                RawKind::Blank | RawKind::LineComment => flags |= WHITE,
                RawKind::BlockComment => {
                    flags |= WHITE;
                    if !piece.closed {
                        diags.push(self.unclosed_comment(&piece));
                    }
                }
                _ => {
                    (self.pos, self.line) = (scanner.pos, scanner.line);
                    return self.token(&piece, flags, words);
                }
            }
            (self.pos, self.line) = (scanner.pos, scanner.line);
        }
    }

    fn token(&self, piece: &Piece, mut flags: u8, words: &mut Words) -> PpToken {
        let raw = &self.text[piece.start..piece.end];
        let symbol = match piece.spliced {
            true => words.intern(&unspliced(raw)),
            false => words.intern(raw),
        };
        let kind = match piece.kind {
            RawKind::Word => Kind::Name,
            RawKind::Number => Kind::Number,
            RawKind::Text => Kind::Text,
            RawKind::Character => Kind::Character,
            RawKind::Punct => Kind::Punct,
            _ => Kind::Other,
        };
        if !piece.closed {
            flags |= UNCLOSED;
        }
        // C reads `L"x"` as one token, so that a macro `L` is not expanded there.
        let quoted = matches!(self.text.as_bytes().get(piece.end), Some(b'"' | b'\''));
        if quoted && kind == Kind::Name && matches!(raw, "L" | "u" | "U" | "u8") {
            flags |= NO_EXPAND;
        }
        let span = self.span(piece.start, piece.end);
        PpToken { kind, flags, line: piece.line, symbol, span }
    }

    /// The name in `<…>` of an `#include`, if it begins here.
    pub fn angled_name(&mut self) -> Option<(String, Span)> {
        let rest = &self.text[self.pos..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let blanks = line.len() - line.trim_start().len();
        let name = line.trim_start().strip_prefix('<')?;
        let len = name.find('>')?;
        let start = self.pos + blanks;
        self.pos = start + len + 2;
        Some((name[..len].to_string(), self.span(start, self.pos)))
    }

    /// The text of the line from here on, without taking it.
    pub fn rest_of_line(&self) -> &str {
        let rest = &self.text[self.pos..];
        rest[..rest.find('\n').unwrap_or(rest.len())].trim()
    }

    fn unclosed_comment(&self, piece: &Piece) -> Diagnostic {
        let span = self.span(piece.start, piece.start + 2);
        Diagnostic::new(Code::Unterminated, span, "the comment is not closed")
            .label("it begins here")
            .hint("add `*/`")
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start, self.base + end)
    }
}
