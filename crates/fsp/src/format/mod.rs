//! FSP text in canonical layout.
//!
//! The formatter works on tokens: text that does not parse can be laid out too. It changes
//! nothing but blanks and indentation, under four laws:
//!
//! 1. what it prints, it leaves alone: `format(format(x)) == format(x)`;
//! 2. the text parses to the same tree as before;
//! 3. no token and no comment is lost, added or moved;
//! 4. any text is accepted, in time linear in its length.
//!
//! The author's lines are kept. Definitions and local processes begin in the first column,
//! other lines are indented by two blanks for each open bracket, and by two more unless they
//! begin with `|`, `||` or a closing bracket; two more after `then` or `else`. At most one empty line; two blanks before a
//! comment behind code; a comment on its own line is indented as the code after it.

mod item;
mod spacing;
#[cfg(test)]
mod tests;

use crate::token::TokenKind;
use item::{Item, ItemKind, items};
use spacing::gap;

/// Lays out `text`; see the [module](self) for the rules.
pub fn format(text: &str) -> String {
    let items = items(text);
    let code = next_code(&items);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (i, item) in items.iter().enumerate() {
        let starts_line = i == 0 || item.n_newlines > 0;
        if starts_line {
            if i > 0 {
                out.push_str(if item.n_newlines > 1 { "\n\n" } else { "\n" });
            }
            let indent = code[i].map_or(0, |at| indent(&items[at]));
            out.extend(std::iter::repeat_n(' ', indent));
        } else {
            out.push_str(gap(&items, i));
        }
        out.push_str(item.text);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// For each item the first one from there on that is no comment: comments stand with the code
/// after them.
fn next_code(items: &[Item<'_>]) -> Vec<Option<usize>> {
    let mut next = vec![None; items.len()];
    let mut last = None;
    for (i, item) in items.iter().enumerate().rev() {
        if !item.is_comment() {
            last = Some(i);
        }
        next[i] = last;
    }
    next
}

/// The indentation of a line that begins with this item.
fn indent(first: &Item<'_>) -> usize {
    if first.begins_definition || first.depth == 0 && first.ends_definition {
        return 0;
    }
    let closes = first.is_closing();
    let separates = matches!(first.kind, ItemKind::Token(TokenKind::Pipe | TokenKind::OrOr));
    let base = match (first.depth, closes || separates) {
        (0, _) => 2,
        (depth, true) => 2 * depth,
        (depth, false) => 2 * depth + 2,
    };
    if first.after_condition { base + 2 } else { base }
}
