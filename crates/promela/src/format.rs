//! Promela text in canonical layout.
//!
//! The formatter works on tokens, not on the syntax tree: comments, directives
//! and macro calls stay as they are, and text that does not parse can be laid
//! out too. It changes nothing but blanks and line ends, under four laws:
//!
//! 1. what it prints, it leaves alone: `format(format(x)) == format(x)`;
//! 2. the text parses to the same tree as before;
//! 3. no token and no comment is lost, added or moved;
//! 4. any text is accepted, in time linear in its length.
//!
//! A line end is a semicolon in many places, so the author's lines are kept;
//! lines are never joined, and broken only where a separator has no effect:
//! after `{`, `if` and `do`, and before `}`, `fi`, `od` and `::`, if the group
//! spans lines already and does not lie in parentheses, which may be a macro's.
//! So a group that the author wrote on one line stays on one line.
//!
//! The stages: `atom` (the pieces to place, and which of them are kept as
//! written) → `nest` (which group each lies in) → `form` (how it is joined to
//! its neighbours) → `layout` (lines and indentation).
//!
//! # The layout
//!
//! - Four blanks for each `{ }`, `if` and `do`. `::` stands below its `if` or
//!   `do`, the further lines of an option one level deeper. A line that begins
//!   with a label is one level less deep than its neighbours. A statement's
//!   further lines are one level deeper than its first.
//! - Blanks around binary operators and `->`, after `,` and `;` (in messages
//!   too: `q!a, b`), inside braces; none inside parentheses and brackets, none
//!   around `.`, `@` and the `!` and `?` of messages, none after unary operators.
//! - At most one empty line, none at the ends of a block, one after each unit
//!   with a body of several lines.
//! - Two blanks before a comment behind code; a comment on its own line is
//!   indented as the code after it.
//! - Directives begin in the first column. Line ends are `\n`.

mod atom;
mod form;
mod gap;
mod gather;
mod layout;
mod names;
mod nest;
#[cfg(test)]
mod tests;
mod text;
mod words;

/// The byte order mark, which the preprocessor skips.
const MARK: char = '\u{feff}';

/// Lays out `text`; see the [module](self) for the rules.
pub fn format(text: &str) -> String {
    let body = text.strip_prefix(MARK).unwrap_or(text);
    let raw = crate::lex::lex_raw(body);
    let names = names::Names::of(&raw);
    let atoms = gather::gather(body, &raw, &names);
    drop(raw);
    let nesting = nest::nest(&atoms);
    let forms = form::forms(&atoms, &nesting, &names);
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    if body.len() < text.len() {
        out.push(MARK);
    }
    layout::lay_out(&atoms, &nesting, &forms, &mut out);
    out
}
