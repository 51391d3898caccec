//! Tokens to atoms: macro calls, embedded C and operators of formulas are joined, and blanks
//! that may have a meaning are marked.
//!
//! Blanks mean something to `gcc -E` where it has lost count of the lines (after
//! a joined line, after a macro call over several lines): there, a token with a
//! blank before it goes to a new line, which may stand for a semicolon. And
//! `1..N` is a single number to gcc, in which a macro `N` is not replaced.

use super::atom::{Atom, AtomKind};
use super::names::Names;
use super::words::opens_c;
use crate::lex::{RawKind, RawToken};

/// Cuts `text`, whose tokens are `raw`, into atoms.
pub(super) fn gather<'a>(text: &'a str, raw: &[RawToken<'a>], names: &Names<'a>) -> Vec<Atom<'a>> {
    let pairs = pairs(raw);
    let mut gatherer = Gatherer {
        text,
        raw,
        pairs: &pairs,
        names,
        at: 0,
        offset: 0,
        keep_until: 0,
        keep_line: false,
        number_end: 0,
        c_block: None,
        atoms: Vec::with_capacity(raw.len() / 2),
    };
    while gatherer.next().is_some() {}
    gatherer.atoms
}

/// Where a bracket is closed.
#[derive(Copy, Clone, Default)]
struct Pair {
    /// The token that closes it; zero if there is none.
    close: u32,
    /// Whether a line ends before that.
    spans_lines: bool,
}

/// For each `(`, `[` and `{` its partner.
fn pairs(raw: &[RawToken<'_>]) -> Vec<Pair> {
    let mut pairs = vec![Pair::default(); raw.len()];
    let mut open: Vec<(usize, &str, usize)> = Vec::new();
    let mut line = 0;
    for (i, token) in raw.iter().enumerate() {
        let partner = match token.text {
            "(" | "[" | "{" => {
                open.push((i, token.text, line));
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            text => {
                line += text.bytes().filter(|b| matches!(b, b'\n' | b'\r')).count();
                continue;
            }
        };
        if let Some((start, _, first)) = open.pop_if(|(_, text, _)| *text == partner) {
            pairs[start] = Pair { close: i as u32, spans_lines: line > first };
        }
    }
    pairs
}

struct Gatherer<'a, 'r> {
    text: &'a str,
    raw: &'r [RawToken<'a>],
    pairs: &'r [Pair],
    names: &'r Names<'a>,
    /// The next token, and where its text begins.
    at: usize,
    offset: usize,
    /// Blanks are kept up to this token …
    keep_until: usize,
    /// … and up to the end of the line.
    keep_line: bool,
    /// Where the number of the preprocessor ends that was met last.
    number_end: usize,
    /// The `{` of the C text that was announced last.
    c_block: Option<usize>,
    atoms: Vec<Atom<'a>>,
}

impl<'a> Gatherer<'a, '_> {
    fn next(&mut self) -> Option<()> {
        let (before, newlines) = self.skip_blanks();
        let token = *self.raw.get(self.at)?;
        let start = self.offset;
        let in_number = start < self.number_end;
        if token.kind == RawKind::Number && !in_number {
            self.number_end = start + number_len(&self.text[start..]);
        }
        let keep = self.keep_line || self.at < self.keep_until || in_number;
        let last = self.last_of_atom(token);
        self.take_to(last);
        let text = &self.text[start..self.offset];
        let kind = kind(token, text.len() > token.text.len());
        let mut atom = Atom { kind, text, before, newlines, keep, closed: token.closed };
        let joins_lines = atom.is_code() && text.contains(['\n', '\r']);
        atom.keep |= joins_lines && kind != AtomKind::Verbatim;
        self.keep_line |= joins_lines || self.at == self.keep_until;
        self.atoms.push(atom);
        Some(())
    }

    /// What stands before the next atom, from the last line end on, and the
    /// number of line ends.
    fn skip_blanks(&mut self) -> (&'a str, u32) {
        let (mut start, mut newlines) = (self.offset, 0);
        while let Some(token) = self.raw.get(self.at) {
            match token.kind {
                RawKind::Blank => {}
                RawKind::Splice => self.keep_line |= newlines == 0 && !self.atoms.is_empty(),
                RawKind::Newline => {
                    newlines += 1;
                    self.keep_line = false;
                }
                _ => break,
            }
            self.take_to(self.at);
            if token.kind == RawKind::Newline {
                start = self.offset;
            }
        }
        (&self.text[start..self.offset], newlines)
    }

    fn take_to(&mut self, last: usize) {
        while self.at <= last {
            self.offset += self.raw[self.at].text.len();
            self.at += 1;
        }
    }

    /// The last token of the atom that begins with `token`.
    fn last_of_atom(&mut self, token: RawToken<'a>) -> usize {
        let at = self.at;
        match token.kind {
            RawKind::Word if opens_c(token.text) => {
                self.c_block = self.find_c_block();
                at
            }
            RawKind::Word => self.call(token.text).unwrap_or(at),
            RawKind::Punct if self.c_block == Some(at) => self.pairs[at].close as usize,
            RawKind::Punct => match (token.text, self.raw.get(at + 1).map(|t| t.text)) {
                ("[", Some("]")) | ("<", Some(">" | "->")) | ("/", Some("\\")) => at + 1,
                // A `*/` without a comment; spin skips it.
                ("\\" | "*", Some("/")) => at + 1,
                _ => at,
            },
            _ => at,
        }
    }

    /// The `)` of the macro call that begins here. Blanks are also kept in what
    /// may be a call of a macro from another file, if it spans lines.
    fn call(&mut self, word: &str) -> Option<usize> {
        let open = self.next_code(self.at + 1);
        let pair = self.pair(open, "(")?;
        let close = pair.close as usize;
        let same_line = self.raw[self.at + 1..open].iter().all(|t| t.kind == RawKind::Blank);
        match self.names.macro_takes_arguments(word) {
            Some(takes_arguments) => (takes_arguments || same_line).then_some(close),
            None => {
                if pair.spans_lines && self.names.may_be_macro(word) {
                    self.keep_until = self.keep_until.max(close + 1);
                }
                None
            }
        }
    }

    /// The `{` of the C text after a word that announces it.
    fn find_c_block(&self) -> Option<usize> {
        let mut open = self.next_code(self.at + 1);
        if let Some(condition) = self.pair(open, "[") {
            open = self.next_code(condition.close as usize + 1);
        }
        self.pair(open, "{").map(|_| open)
    }

    /// The pair that the token at `at` opens, if it is the bracket `text`.
    fn pair(&self, at: usize, text: &str) -> Option<Pair> {
        let pair = *self.pairs.get(at)?;
        (pair.close > 0 && self.raw[at].text == text).then_some(pair)
    }

    /// The first token from `at` on that is neither blank nor a comment.
    fn next_code(&self, at: usize) -> usize {
        use RawKind::{Blank, BlockComment, LineComment, Newline, Splice};
        let blank = |t: &&RawToken<'_>| {
            matches!(t.kind, Blank | Newline | Splice | LineComment | BlockComment)
        };
        at + self.raw[at..].iter().take_while(blank).count()
    }
}

/// The end of the preprocessing number at the start of `text`, if it contains more than
/// numbers and dots.
fn number_len(text: &str) -> usize {
    let (mut last, mut letters) = (0, false);
    let mut part = |b: u8| {
        let sign = matches!(b, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
        last = b;
        letters |= b.is_ascii_alphabetic() || b == b'_';
        sign || b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')
    };
    let len = text.bytes().take_while(|b| part(*b)).count();
    if letters { len } else { 0 }
}

fn kind(token: RawToken<'_>, is_longer: bool) -> AtomKind {
    match token.kind {
        RawKind::Word if is_longer => AtomKind::Verbatim,
        RawKind::Punct if is_longer && token.text == "{" => AtomKind::Verbatim,
        RawKind::Word => AtomKind::Word,
        RawKind::Number | RawKind::Text | RawKind::Character => AtomKind::Value,
        RawKind::Punct => AtomKind::Punct,
        RawKind::LineComment => AtomKind::LineComment,
        RawKind::BlockComment => AtomKind::BlockComment,
        RawKind::Directive => AtomKind::Directive,
        RawKind::Other | RawKind::Blank | RawKind::Newline | RawKind::Splice => AtomKind::Other,
    }
}
