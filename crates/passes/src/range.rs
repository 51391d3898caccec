//! Ranges: which expressions certainly have a value.
//!
//! An index out of range or a division by zero ends the run. A statement that may do so must not be moved
//! before others: their violations would be lost.

use resy_system::{BinaryOp, CellRef, CellType, Command, Expr, UnaryOp};

/// Whether a command, once enabled, certainly has a next state. (`d_step`s, sends and receives are not
/// analysed.)
pub(crate) fn surely_succeeds(command: &Command) -> bool {
    match command {
        Command::Skip | Command::Else => true,
        Command::Guard(e) | Command::Assert(e, _) => has_value(e),
        Command::Assign(place, e) => place_exists(place) && has_value(e),
        Command::Print(_) => {
            let mut fine = true;
            command.walk(&mut |e| fine &= has_value_here(e));
            fine
        }
        _ => false,
    }
}

/// Whether an expression certainly has a value.
pub(crate) fn has_value(expr: &Expr) -> bool {
    !expr.any(|e| !has_value_here(e))
}

/// Whether an expression has a value if its subexpressions do.
fn has_value_here(expr: &Expr) -> bool {
    match expr {
        Expr::Const(_) | Expr::Unary(..) | Expr::Cond(..) | Expr::Pid => true,
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, b) => {
            range(b).is_some_and(|(low, high)| low > 0 || high < 0)
        }
        Expr::Binary(..) => true,
        Expr::Load(place) => place_exists(place),
        _ => false,
    }
}

/// Whether the indices of a reference are certainly in range.
fn place_exists(place: &CellRef) -> bool {
    place.indices.iter().all(|term| {
        has_value(&term.index)
            && range(&term.index).is_some_and(|(low, high)| low >= 0 && high < i64::from(term.len))
    })
}

/// The least and the greatest value that an expression can have according to its types.
fn range(expr: &Expr) -> Option<(i64, i64)> {
    let whole = (i64::from(i32::MIN), i64::from(i32::MAX));
    let fits = |(low, high): (i64, i64)| (low >= whole.0 && high <= whole.1).then_some((low, high));
    match expr {
        Expr::Const(c) => Some((i64::from(*c), i64::from(*c))),
        Expr::Load(place) => match place.cell {
            CellType::Unsigned(bits @ 0..=31) => Some((0, (1 << bits) - 1)),
            CellType::Byte | CellType::Mtype => Some((0, 255)),
            CellType::Short => Some((-32768, 32767)),
            _ => Some(whole),
        },
        Expr::Unary(UnaryOp::Neg, e) => range(e).and_then(|(low, high)| fits((-high, -low))),
        Expr::Unary(UnaryOp::Not, _) => Some((0, 1)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (range(a)?, range(b)?);
            match op {
                BinaryOp::Add => fits((a.0 + b.0, a.1 + b.1)),
                BinaryOp::Sub => fits((a.0 - b.1, a.1 - b.0)),
                BinaryOp::Mod if b.0 > 0 => {
                    Some((if a.0 < 0 { 1 - b.1 } else { 0 }, if a.1 > 0 { b.1 - 1 } else { 0 }))
                }
                BinaryOp::Div if b.0 > 0 && a.0 >= 0 => Some((0, a.1)),
                BinaryOp::BitAnd if a.0 >= 0 => Some((0, a.1)),
                BinaryOp::BitAnd if b.0 >= 0 => Some((0, b.1)),
                BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::And
                | BinaryOp::Or => Some((0, 1)),
                _ => None,
            }
        }
        _ => None,
    }
}
