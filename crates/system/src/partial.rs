//! Conditions of claims that may have no value in some state.

use crate::writes::for_each_write;
use crate::{BinaryOp, CellInit, CellRef, ClaimMonitor, Expr, Scope, System};

impl ClaimMonitor {
    /// Whether a condition may have no value in some state, such as a division by a variable, although
    /// every channel has been created.
    pub fn may_have_no_value(&self, system: &System) -> bool {
        self.propositions.iter().any(|condition| is_partial(condition, system))
    }
}

/// Whether a condition may have no value although every channel has been created.
fn is_partial(condition: &Expr, system: &System) -> bool {
    let is_outside = |place: &CellRef| {
        place.indices.iter().any(|term| {
            let index = constant(&term.index).and_then(|index| u32::try_from(index).ok());
            index.is_none_or(|index| index >= term.len)
        })
    };
    condition.any(|part| match part {
        Expr::Poll { chan, patterns, .. } => !is_buffer(chan, patterns.len(), system),
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

/// Whether an expression is always the same channel, which has a buffer for messages with so many fields. To poll a
/// channel without a buffer is a mistake.
fn is_buffer(chan: &Expr, n_fields: usize, system: &System) -> bool {
    let Expr::Load(CellRef { scope: Scope::Global, offset, indices, .. }) = chan else {
        return false;
    };
    let mut init = system.globals.init.iter();
    let fits = init.any(|init| match init {
        CellInit::Channel(cell, channel) if cell == offset => {
            let ty = &system.channel_types[channel.ty];
            ty.capacity > 0 && ty.fields.len() == n_fields
        }
        _ => false,
    });
    indices.is_empty() && fits && !is_written(*offset, system)
}

/// Whether a process may write a global variable that is no array.
fn is_written(offset: u32, system: &System) -> bool {
    let mut found = false;
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        for_each_write(&edge.command, &mut |place| {
            found |= place.scope == Scope::Global && place.offset == offset;
        });
    }
    let mut init = system.globals.init.iter();
    found || init.any(|init| matches!(init, CellInit::Value(cell, _) if *cell == offset))
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
