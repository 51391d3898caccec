//! The pieces to place: tokens and comments, with what the layout depends on.

use crate::lex::{PieceKind, pieces};
use crate::token::TokenKind;

/// What is placed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    Token(TokenKind),
    LineComment,
    BlockComment,
    Unknown,
}

/// The definition that a token belongs to, as far as the meaning of marks depends on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// `<` and `>` are brackets.
    Fluent,
    /// `[]`, `<>` and `<->` are operators.
    Formula,
    Other,
}

/// A token or comment.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub kind: ItemKind,
    pub text: &'a str,
    /// Line ends before it.
    pub n_newlines: usize,
    /// Whether nothing stands between it and the item before.
    pub is_adjacent: bool,
    /// Brackets that are open before it.
    pub depth: usize,
    /// Whether the innermost open bracket is `[`.
    pub in_brackets: bool,
    /// Whether a definition or a local process begins here.
    pub begins_definition: bool,
    /// Whether `then` or `else` stands before it.
    pub after_condition: bool,
    /// Whether it is the full stop after a definition.
    pub ends_definition: bool,
    pub room: Room,
}

impl Item<'_> {
    pub fn is_comment(&self) -> bool {
        matches!(self.kind, ItemKind::LineComment | ItemKind::BlockComment)
    }

    pub fn token(&self) -> Option<TokenKind> {
        match self.kind {
            ItemKind::Token(kind) => Some(kind),
            _ => None,
        }
    }

    pub fn is_closing(&self) -> bool {
        let closing = [TokenKind::RParen, TokenKind::RBracket, TokenKind::RBrace];
        self.token().is_some_and(|kind| closing.contains(&kind))
    }
}

/// The items of a text.
pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = raw_items(text);
    let tokens: Vec<usize> = (0..items.len()).filter(|&i| items[i].token().is_some()).collect();
    let mut open: Vec<TokenKind> = Vec::new();
    let mut room = Room::Other;
    let mut next_token: usize = 0;
    for i in 0..items.len() {
        items[i].depth = open.len();
        items[i].in_brackets = open.last() == Some(&TokenKind::LBracket);
        items[i].room = room;
        let Some(kind) = items[i].token() else { continue };
        let kind_at = |n: usize| tokens.get(n).and_then(|&j| items[j].token());
        let before = next_token.checked_sub(1).and_then(kind_at);
        let after = [kind_at(next_token + 1), kind_at(next_token + 2)];
        let joined = tokens.get(next_token + 1).is_some_and(|&j| items[j].is_adjacent);
        next_token += 1;
        let first = i == 0 || items[i].n_newlines > 0;
        let begins = open.is_empty() && begins_definition(kind, before, after, first);
        let ends = kind == TokenKind::Dot && open.is_empty() && !continues_label(after[0], joined);
        let after_keyword = before.is_some_and(TokenKind::begins_definition);
        if begins && before != Some(TokenKind::Comma) && !after_keyword {
            room = match kind {
                TokenKind::Fluent => Room::Fluent,
                TokenKind::Assert | TokenKind::LtlProperty | TokenKind::Constraint => Room::Formula,
                _ => Room::Other,
            };
        }
        items[i].begins_definition = begins;
        items[i].after_condition = matches!(before, Some(TokenKind::Then | TokenKind::Else));
        items[i].ends_definition = ends;
        items[i].room = room;
        match kind {
            TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => open.push(kind),
            _ if items[i].is_closing() => {
                open.pop();
            }
            _ => {}
        }
    }
    items
}

fn raw_items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let (mut n_newlines, mut is_adjacent) = (0, true);
    for (piece, span) in pieces(text) {
        let kind = match piece {
            PieceKind::Token(kind) => ItemKind::Token(kind),
            PieceKind::LineComment => ItemKind::LineComment,
            PieceKind::BlockComment { .. } => ItemKind::BlockComment,
            PieceKind::Unknown => ItemKind::Unknown,
            PieceKind::Newline => {
                (n_newlines, is_adjacent) = (n_newlines + 1, false);
                continue;
            }
            PieceKind::Blank => {
                is_adjacent = false;
                continue;
            }
        };
        let text = span.text(text);
        let open_ended =
            matches!(piece, PieceKind::LineComment | PieceKind::BlockComment { closed: false });
        let text = if open_ended { text.trim_end() } else { text };
        items.push(Item {
            kind,
            text,
            n_newlines,
            is_adjacent,
            depth: 0,
            in_brackets: false,
            begins_definition: false,
            after_condition: false,
            ends_definition: false,
            room: Room::Other,
        });
        (n_newlines, is_adjacent) = (0, true);
    }
    items
}

/// Whether a label goes on after a full stop.
fn continues_label(after: Option<TokenKind>, joined: bool) -> bool {
    match after {
        Some(TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket) => true,
        Some(TokenKind::Upper) => joined,
        _ => false,
    }
}

/// Whether a definition or local process begins with a token outside of brackets.
fn begins_definition(
    kind: TokenKind,
    before: Option<TokenKind>,
    after: [Option<TokenKind>; 2],
    first_on_line: bool,
) -> bool {
    let named = |kind: Option<TokenKind>| {
        matches!(kind, Some(TokenKind::Assign | TokenKind::LParen | TokenKind::LBracket))
    };
    let after_end = matches!(before, None | Some(TokenKind::Dot))
        || before.is_some_and(|b| b.begins_definition());
    match kind {
        _ if kind.begins_definition() => true,
        // Definitions without a full stop end with their line.
        TokenKind::Upper => {
            (first_on_line || after_end) && named(after[0]) && (after_end || !is_operator(before))
        }
        TokenKind::OrOr => {
            (first_on_line || after_end) && after[0] == Some(TokenKind::Upper) && {
                named(after[1]) && after[1] != Some(TokenKind::LBracket)
            }
        }
        _ => false,
    }
}

/// Whether an expression or process must go on after this token. A comma separates local
/// processes.
fn is_operator(kind: Option<TokenKind>) -> bool {
    matches!(
        kind,
        Some(
            TokenKind::Assign
                | TokenKind::Arrow
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Slash
                | TokenKind::Then
                | TokenKind::Else
                | TokenKind::Semi
                | TokenKind::Backslash
                | TokenKind::At
                | TokenKind::Shl
                | TokenKind::Shr
                | TokenKind::OrOr
                | TokenKind::AndAnd
                | TokenKind::Colon
                | TokenKind::ColonColon
                | TokenKind::DotDot
        )
    )
}
