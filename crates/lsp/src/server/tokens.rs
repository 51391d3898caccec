//! The colours of a document: semantic tokens.

use crate::analysis::{Analysis, Document, Language};
use crate::names::{NameKind, Place};
use crate::text::{Encoding, width};
use resy_fsp::lex::{PieceKind, pieces};
use resy_fsp::token::TokenKind;
use resy_promela::lex::{RawKind, lex_raw};
use resy_promela::parse::is_reserved;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The kinds of tokens; a token has the number of its kind.
const KINDS: [&str; 15] = [
    "keyword",
    "type",
    "number",
    "string",
    "comment",
    "macro",
    "variable",
    "parameter",
    "property",
    "enumMember",
    "function",
    "class",
    "label",
    "event",
    "operator",
];
const MODIFIERS: [&str; 2] = ["declaration", "modification"];

/// What the numbers in the tokens mean.
pub(super) fn legend() -> Value {
    json!({ "tokenTypes": KINDS, "tokenModifiers": MODIFIERS })
}

/// All tokens of a document that have a colour.
pub(super) fn all(document: &Document, analysis: &Analysis, encoding: Encoding) -> Value {
    let text = document.lines.text();
    let names = named(analysis);
    let mut out = Encoder { document, encoding, last: (0, 0), data: Vec::new() };
    match document.language {
        Language::Promela => promela(text, &names, &mut out),
        Language::Fsp => fsp(text, &names, &mut out),
    }
    json!({ "data": out.data })
}

/// The kind and the modifiers of each name, by its place.
fn named(analysis: &Analysis) -> HashMap<(usize, usize), (&'static str, u32)> {
    let names = &analysis.names;
    let key = |place: Place| (place.start, place.end);
    let mut all = HashMap::new();
    for u in names.uses.iter().filter(|u| u.place.file == 0) {
        let kind = kind_of(names.entries[u.entry].kind);
        all.insert(key(u.place), (kind, u32::from(u.writes) << 1));
    }
    for entry in names.entries.iter().filter(|e| e.name_place.file == 0) {
        all.insert(key(entry.name_place), (kind_of(entry.kind), 1));
    }
    all
}

fn kind_of(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Variable => "variable",
        NameKind::Channel => "event",
        NameKind::Parameter => "parameter",
        NameKind::Process | NameKind::Composite => "class",
        NameKind::Init | NameKind::Claim => "keyword",
        NameKind::Formula | NameKind::SafetyProperty | NameKind::Inline => "function",
        NameKind::Macro => "macro",
        NameKind::Constant => "enumMember",
        NameKind::Type => "type",
        NameKind::Field | NameKind::Fluent => "property",
        NameKind::Label => "label",
        NameKind::Action => "event",
    }
}

fn promela(
    text: &str,
    names: &HashMap<(usize, usize), (&'static str, u32)>,
    out: &mut Encoder<'_>,
) {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut at = text.len() - body.len();
    for token in lex_raw(body) {
        let (start, end) = (at, at + token.text.len());
        at = end;
        match token.kind {
            RawKind::Word => {
                let known = names.get(&(start, end)).copied();
                let word = is_reserved(token.text).then_some(("keyword", 0));
                if let Some((kind, modifiers)) = known.or(word) {
                    out.push(start, end, kind, modifiers);
                }
            }
            RawKind::Number => out.push(start, end, "number", 0),
            RawKind::Text | RawKind::Character => out.push(start, end, "string", 0),
            RawKind::LineComment | RawKind::BlockComment => out.push(start, end, "comment", 0),
            RawKind::Directive => directive(start, token.text, names, out),
            _ => {}
        }
    }
}

/// The keyword of a directive, and the names in it.
fn directive(
    start: usize,
    text: &str,
    names: &HashMap<(usize, usize), (&'static str, u32)>,
    out: &mut Encoder<'_>,
) {
    let blank = 1 + text[1..].len() - text[1..].trim_start_matches([' ', '\t']).len();
    let word = text[blank..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len() - blank);
    out.push(start, start + blank + word, "keyword", 0);
    let mut at = start + blank + word;
    for token in lex_raw(&text[blank + word..]) {
        let end = at + token.text.len();
        if let Some(&(kind, modifiers)) = names.get(&(at, end)) {
            out.push(at, end, kind, modifiers);
        } else if matches!(token.kind, RawKind::LineComment | RawKind::BlockComment) {
            out.push(at, end, "comment", 0);
        }
        at = end;
    }
}

fn fsp(text: &str, names: &HashMap<(usize, usize), (&'static str, u32)>, out: &mut Encoder<'_>) {
    for (piece, span) in pieces(text) {
        let (start, end) = (span.start as usize, span.end as usize);
        match piece {
            PieceKind::LineComment | PieceKind::BlockComment { .. } => {
                out.push(start, end, "comment", 0);
            }
            PieceKind::Token(TokenKind::Upper | TokenKind::Lower) => {
                if let Some(&(kind, modifiers)) = names.get(&(start, end)) {
                    out.push(start, end, kind, modifiers);
                }
            }
            PieceKind::Token(TokenKind::Number) => out.push(start, end, "number", 0),
            PieceKind::Token(_) if TokenKind::keyword(span.text(text)).is_some() => {
                out.push(start, end, "keyword", 0);
            }
            _ => {}
        }
    }
}

/// Tokens as the protocol has them: five numbers each, relative to the token before.
struct Encoder<'a> {
    document: &'a Document,
    encoding: Encoding,
    last: (usize, usize),
    data: Vec<u64>,
}

impl Encoder<'_> {
    /// Adds a token; one that spans lines becomes one for each line.
    fn push(&mut self, start: usize, end: usize, kind: &str, modifiers: u32) {
        let lines = &self.document.lines;
        let kind = KINDS.iter().position(|k| *k == kind).unwrap_or(0);
        let mut from = start;
        while from < end {
            let number = lines.line_of(from);
            let to = end.min(lines.line_end(number));
            if to > from {
                let (line, column) = lines.line_column(from, self.encoding);
                let is_same_line = line == self.last.0;
                let delta = if is_same_line { column - self.last.1 } else { column };
                let length = width(&lines.text()[from..to], self.encoding);
                let numbers = [line - self.last.0, delta, length, kind, modifiers as usize];
                self.data.extend(numbers.map(|n| n as u64));
                self.last = (line, column);
            }
            from = lines.line_start(number + 1);
        }
    }
}
