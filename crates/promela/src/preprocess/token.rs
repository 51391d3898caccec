//! Preprocessing tokens, C's view of the text.
//!
//! As in cpplib, the stream between macro expansion and output also carries
//! paddings: they stand where an expansion begins or ends and decide whether a
//! blank is printed there (see `print`).

use super::words::{EMPTY, HASH, Symbol};
use crate::source::Span;

/// What a preprocessing token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// A preprocessing number.
    Number,
    Text,
    Character,
    Punct,
    /// A character outside the language.
    Other,
    /// In a macro's body: the parameter with this position.
    Param(u32),
    /// No text: an expansion begins or ends here.
    Padding,
    /// The end of a file, a directive or a macro argument.
    Eof,
}

/// A blank, a comment or (in macro arguments) a line end stands before it.
pub(super) const WHITE: u8 = 1;
/// It is the first of its line.
pub(super) const BOL: u8 = 2;
/// It was met inside the expansion of its own macro and stays as it is.
pub(super) const NO_EXPAND: u8 = 4;
/// `##` follows.
pub(super) const PASTE_LEFT: u8 = 8;
/// `#` stands before this parameter.
pub(super) const STRINGIFY: u8 = 16;
/// A padding that takes its white space from a token (`WHITE` says which).
pub(super) const SOURCE: u8 = 32;
/// The closing quote is missing.
pub(super) const UNCLOSED: u8 = 64;

/// A preprocessing token.
#[derive(Copy, Clone, Debug)]
pub(super) struct PpToken {
    pub kind: Kind,
    pub flags: u8,
    /// The line it stands on; for the text of a macro, the line of the call.
    pub line: u32,
    pub symbol: Symbol,
    pub span: Span,
}

impl PpToken {
    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Sets or clears a flag.
    pub fn set(&mut self, flag: u8, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }

    pub fn is(&self, punct: Symbol) -> bool {
        self.kind == Kind::Punct && self.symbol == punct
    }

    pub fn is_name(&self, name: Symbol) -> bool {
        self.kind == Kind::Name && self.symbol == name
    }

    pub fn starts_directive(&self) -> bool {
        self.has(BOL) && self.is(HASH)
    }

    /// The end of what `span` ends.
    pub fn eof(span: Span, line: u32) -> Self {
        Self { kind: Kind::Eof, flags: 0, line, symbol: EMPTY, span }
    }

    /// A padding before the expansion of `self`.
    pub fn padding(&self) -> Self {
        Self { kind: Kind::Padding, flags: SOURCE | (self.flags & WHITE), symbol: EMPTY, ..*self }
    }

    /// A padding at the end of an expansion.
    pub fn padding_after(&self) -> Self {
        Self { kind: Kind::Padding, flags: 0, symbol: EMPTY, ..*self }
    }
}

/// Which white space a row of paddings asks for: the first that names a token
/// decides, unless that token has none and a later padding names no token.
#[derive(Copy, Clone, Default)]
pub(super) struct Pads {
    /// Whether there was a padding.
    pub any: bool,
    source: Option<bool>,
}

impl Pads {
    pub fn add(&mut self, padding: &PpToken) {
        self.any = true;
        let source = padding.has(SOURCE).then_some(padding.has(WHITE));
        if self.source.is_none() || (self.source == Some(false) && source.is_none()) {
            self.source = source;
        }
    }

    /// Whether white space stands before `token`, which follows the paddings.
    pub fn white(&self, token: &PpToken) -> bool {
        self.source.unwrap_or(token.has(WHITE))
    }
}
