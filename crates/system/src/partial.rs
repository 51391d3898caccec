//! Conditions of claims that may have no value in some state.

use crate::{BinaryOp, CellRef, ClaimMonitor, Expr};

impl ClaimMonitor {
    /// Whether a condition may have no value in some state, such as a division by a variable, although
    /// every channel has been created.
    pub fn may_have_no_value(&self) -> bool {
        self.propositions.iter().any(is_partial)
    }
}

/// Whether a condition may have no value although every channel has been created.
fn is_partial(condition: &Expr) -> bool {
    let is_outside = |place: &CellRef| {
        place.indices.iter().any(|term| {
            let index = constant(&term.index).and_then(|index| u32::try_from(index).ok());
            index.is_none_or(|index| index >= term.len)
        })
    };
    condition.any(|part| match part {
        Expr::Poll { .. } => true,
        Expr::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) => {
            constant(divisor).is_none_or(|divisor| divisor == 0)
        }
        Expr::Load(place) => is_outside(place),
        Expr::RemoteLoad { pid, place, .. } => {
            pid.as_deref().is_some_and(|pid| constant(pid).is_none()) || is_outside(place)
        }
        _ => false,
    })
}

/// The value of an expression of constants.
fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Const(value) => Some(i64::from(*value)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (constant(a)?, constant(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Mod => a.checked_rem(b),
                _ => None,
            }
        }
        _ => None,
    }
}
