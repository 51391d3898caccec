//! Whether a blank stands between two atoms on a line.

use super::atom::{Atom, AtomKind};
use super::form::Form;
use crate::lex::split::first_token;

/// Whether a blank stands between two atoms of code.
pub(super) fn blank_between(left: (&Atom<'_>, Form), right: (&Atom<'_>, Form)) -> bool {
    let ((before, left), (after, right)) = (left, right);
    let as_written = after.keep || left == Form::AsWritten || right == Form::AsWritten;
    // C reads `L"x"` as one token.
    let prefixed = before.kind == AtomKind::Word && after.text.starts_with(['"', '\'']);
    if (as_written || prefixed) && after.before.is_empty() {
        return false;
    }
    as_written
        || wants_blank((before, left), (after, right))
        || !after.before.is_empty() && collide(before, after)
}

fn wants_blank(left: (&Atom<'_>, Form), right: (&Atom<'_>, Form)) -> bool {
    use Form::*;
    match (left.1, right.1) {
        (Open | Prefix | Tight, _) => false,
        (Modal, Modal) => false,
        (OpenBrace, CloseBrace) => false,
        (_, Close | Comma | Tight | Postfix | LabelEnd) => false,
        (_, Separator) => right.0.text != ";",
        (Operand | Close | Function | Postfix, Open) => false,
        _ => true,
    }
}

/// Whether two atoms side by side would read as something else.
fn collide(left: &Atom<'_>, right: &Atom<'_>) -> bool {
    let (Some(last), Some(first)) = (left.text.bytes().last(), right.text.bytes().next()) else {
        return false;
    };
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    match (in_word(last), in_word(first)) {
        (true, true) => true,
        (true, false) => last.is_ascii_digit() && first == b'.',
        (false, true) => last == b'.' && first.is_ascii_digit(),
        (false, false) => {
            let both = [left.text, right.text].concat();
            let formula = matches!((last, first), (b'[', b']') | (b'<', b'>'));
            let comment = matches!((last, first), (b'/', b'/' | b'*') | (b'*', b'/'));
            let backslash = last == b'\\' || first == b'\\';
            let equivalence = last == b'<' && first == b'-';
            let longer = left.kind == AtomKind::Punct && first_token(&both).1 > left.text.len();
            formula || comment || backslash || equivalence || longer
        }
    }
}
