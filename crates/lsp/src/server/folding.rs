//! What an editor can fold: blocks, comments, and runs of directives.

use crate::analysis::{Document, Language};
use resy_fsp::lex::{PieceKind, pieces};
use resy_promela::lex::{RawKind, lex_raw};
use serde_json::{Value, json};

/// A piece of text, as far as folding is concerned.
enum Part<'a> {
    Comment { is_line: bool },
    Directive,
    Word(&'a str),
    Other,
}

pub(super) fn ranges(document: &Document) -> Value {
    let text = document.lines.text();
    let parts = match document.language {
        Language::Promela => promela(text),
        Language::Fsp => fsp(text),
    };
    let line = |offset: usize| document.lines.line_of(offset);
    let mut out = Vec::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut comments: Option<(usize, usize)> = None;
    for (start, end, part) in parts {
        let (first, last) = (line(start), line(end.saturating_sub(1).max(start)));
        match part {
            Part::Word(word) => {
                if let Some(closing) = closing(word) {
                    open.push((closing, first));
                } else if let Some(at) = open.iter().rposition(|(closing, _)| *closing == word) {
                    let (_, from) = open[at];
                    open.truncate(at);
                    out.push((from, last.saturating_sub(1), "region"));
                }
            }
            Part::Comment { is_line: true } => {
                comments = match comments {
                    Some((from, to)) if to + 1 == first => Some((from, first)),
                    other => {
                        out.extend(other.map(|(from, to)| (from, to, "comment")));
                        Some((first, first))
                    }
                };
            }
            Part::Comment { is_line: false } => out.push((first, last, "comment")),
            Part::Directive => out.push((first, last, "region")),
            Part::Other => {}
        }
    }
    out.extend(comments.map(|(from, to)| (from, to, "comment")));
    out.sort_unstable();
    out.dedup_by_key(|(from, _, _)| *from);
    let shown = out.into_iter().filter(|(from, to, _)| to > from);
    shown
        .map(|(from, to, kind)| json!({ "startLine": from, "endLine": to, "kind": kind }))
        .collect()
}

fn closing(word: &str) -> Option<&'static str> {
    Some(match word {
        "{" => "}",
        "(" => ")",
        "if" => "fi",
        "do" => "od",
        _ => return None,
    })
}

fn promela(text: &str) -> Vec<(usize, usize, Part<'_>)> {
    let mut at = 0;
    let part = |kind: RawKind, text| match kind {
        RawKind::LineComment => Part::Comment { is_line: true },
        RawKind::BlockComment => Part::Comment { is_line: false },
        RawKind::Directive => Part::Directive,
        RawKind::Word | RawKind::Punct => Part::Word(text),
        _ => Part::Other,
    };
    let all = lex_raw(text).into_iter().map(|token| {
        let start = at;
        at += token.text.len();
        (start, at, part(token.kind, token.text))
    });
    all.collect()
}

/// The `if` of FSP has no end.
fn fsp(text: &str) -> Vec<(usize, usize, Part<'_>)> {
    let all = pieces(text).map(|(piece, span)| {
        let part = match piece {
            PieceKind::LineComment => Part::Comment { is_line: true },
            PieceKind::BlockComment { .. } => Part::Comment { is_line: false },
            PieceKind::Token(_) if !span.text(text).starts_with(char::is_alphabetic) => {
                Part::Word(span.text(text))
            }
            _ => Part::Other,
        };
        (span.start as usize, span.end as usize, part)
    });
    all.collect()
}
