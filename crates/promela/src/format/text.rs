//! Text that ends lines: no blanks before the end, and no backslash that would
//! join the next line.

use super::atom::{Atom, AtomKind};
use crate::lex::{RawKind, lex_raw};

/// A comment or directive without blanks, empty joined lines included, at its end.
pub(super) fn trimmed(text: &str) -> &str {
    let blank = [' ', '\t', '\x0b', '\x0c'];
    let mut end = text.trim_end_matches(blank);
    // At the end of the text, a backslash joins a line that is not there.
    end = end.strip_suffix('\\').unwrap_or(end).trim_end_matches(blank);
    while let Some(joined) = end.strip_suffix(['\n', '\r']) {
        let line = joined.trim_end_matches('\r').trim_end_matches(blank);
        let Some(line) = line.strip_suffix('\\') else { break };
        end = line.trim_end_matches(blank);
    }
    // A backslash at the end would join the next line.
    if end.ends_with('\\') { text } else { end }
}

/// Ends the line. A backslash at its end must not join the next line: it is
/// followed by one that joins an empty line, as it was in the author's text.
pub(super) fn end_line(out: &mut String) {
    if out.ends_with('\\') {
        out.push_str("\\\n");
    }
    out.push('\n');
}

/// Adds text with its line ends as `\n`.
pub(super) fn push_lines(out: &mut String, text: &str) {
    match text.contains('\r') {
        true => out.push_str(&text.replace("\r\n", "\n").replace('\r', "\n")),
        false => out.push_str(text),
    }
}

/// Ends the text after its last atom. Nothing is added after a comment that is not closed, which
/// would contain it. A backslash at the end of the text joins a line and is dropped, so that two
/// are written to keep one.
pub(super) fn end_text(out: &mut String, last: &Atom<'_>) {
    if !ends_in_comment(last) {
        end_line(out);
    } else if out.ends_with('\\') {
        out.push('\\');
    }
}

/// Whether the atom ends, with the text, in a comment that is not closed.
fn ends_in_comment(last: &Atom<'_>) -> bool {
    match last.kind {
        AtomKind::Directive => lex_raw(&last.text[1..])
            .last()
            .is_some_and(|t| t.kind == RawKind::BlockComment && !t.closed),
        _ => last.is_comment() && !last.closed,
    }
}
