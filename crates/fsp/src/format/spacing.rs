//! What stands between two items of a line.

use super::item::{Item, ItemKind, Room};
use crate::lex::{PieceKind, pieces};
use crate::token::TokenKind;

/// The blanks before an item that is not the first of its line.
pub(super) fn gap(items: &[Item<'_>], at: usize) -> &'static str {
    let (before, item) = (&items[at - 1], &items[at]);
    match item.kind {
        ItemKind::LineComment => return "  ",
        ItemKind::BlockComment | ItemKind::Unknown => return " ",
        ItemKind::Token(_) => {}
    }
    let (Some(left), Some(right)) = (before.token(), item.token()) else { return " " };
    let further = at.checked_sub(2).map(|i| &items[i]).and_then(Item::token);
    let tight = tight(left, right, further, before, item) && !merges(before.text, item.text);
    if tight { "" } else { " " }
}

/// Whether two texts without a blank are read as something else.
fn merges(left: &str, right: &str) -> bool {
    let joined = format!("{left}{right}");
    let first = pieces(&joined).next();
    !matches!(first, Some((PieceKind::Token(_), span)) if span.end as usize == left.len())
}

fn tight(
    left: TokenKind,
    right: TokenKind,
    further: Option<TokenKind>,
    before: &Item<'_>,
    item: &Item<'_>,
) -> bool {
    use TokenKind::*;
    // The operators of formulas are two tokens that must stay together.
    if before.room == Room::Formula
        && matches!((left, right), (LBracket, RBracket) | (Lt, Gt) | (Lt, Arrow))
    {
        return item.is_adjacent;
    }
    let after_prefix = before.room == Room::Formula
        && before.is_adjacent
        && matches!((further, left), (Some(LBracket), RBracket) | (Some(Lt), Gt));
    if after_prefix {
        return true;
    }
    if before.room == Room::Fluent && (left == Lt || right == Gt) {
        return true;
    }
    if left == OrOr && before.begins_definition {
        return true;
    }
    match (left, right) {
        (Comma | Semi, _) => false,
        (_, Comma | Semi) | (LParen | LBracket | LBrace, _) | (_, RParen | RBracket | RBrace) => {
            true
        }
        (Dot, _) => !before.ends_definition,
        (_, Dot) | (DotDot | Colon | ColonColon | Quote | Hash, _) => true,
        (_, DotDot | Colon | ColonColon) => true,
        (Upper | Lower | RBracket | RBrace, LBracket) => true,
        (Upper, LParen) => true,
        (At, LParen) => true,
        (_, Slash) | (Slash, _) => true,
        (Plus | Minus | Bang, _) if is_unary(further, left) => true,
        _ if before.in_brackets || item.in_brackets => is_arithmetic(left) || is_arithmetic(right),
        _ => false,
    }
}

/// Whether an operator has no operand before it.
fn is_unary(before: Option<TokenKind>, operator: TokenKind) -> bool {
    use TokenKind::*;
    let operand = matches!(before, Some(Upper | Lower | Number | RParen | RBracket | RBrace));
    operator == Bang || !operand && !matches!(before, Some(Stop | EndProcess | Error))
}

fn is_arithmetic(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, Plus | Minus | Star | Percent | Shl | Shr | Amp | Caret | Pipe)
}
