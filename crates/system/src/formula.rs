//! Temporal formulas over the propositions of a claim.

use crate::expr::{BinaryOp, CellRef, Expr, UnaryOp};

/// A formula of linear temporal logic about the states of a run. Its propositions
/// are indices into a list of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// True or false.
    Bool(bool),
    /// The expression with this number is not zero.
    Prop(u32),
    /// `! a`.
    Not(Box<Formula>),
    /// `a && b`.
    And(Box<Formula>, Box<Formula>),
    /// `a || b`.
    Or(Box<Formula>, Box<Formula>),
    /// `a -> b`.
    Implies(Box<Formula>, Box<Formula>),
    /// `a <-> b`.
    Equiv(Box<Formula>, Box<Formula>),
    /// `X a`.
    Next(Box<Formula>),
    /// `[] a`.
    Always(Box<Formula>),
    /// `<> a`.
    Eventually(Box<Formula>),
    /// `a U b`.
    Until(Box<Formula>, Box<Formula>),
    /// `a W b`.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `a V b`.
    Release(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The formula "`expr` is not zero now". It is split at `!`, `&&` and `||`, so that `p`
    /// and `!p` share a proposition. An expression that can fail is not split, because an
    /// earlier operand may protect a later one. New propositions are added to `propositions`.
    pub fn of_expr(expr: &Expr, propositions: &mut Vec<Expr>) -> Self {
        match expr {
            Expr::Unary(UnaryOp::Not, a) => Self::Not(Box::new(Self::of_expr(a, propositions))),
            _ if expr.can_fail() => Self::proposition(expr, propositions),
            _ => Self::take_apart(expr, propositions),
        }
    }

    /// Whether it contains `X`, so that repeating a state can change its value.
    pub fn has_next(&self) -> bool {
        match self {
            Self::Bool(_) | Self::Prop(_) => false,
            Self::Next(_) => true,
            Self::Not(a) | Self::Always(a) | Self::Eventually(a) => a.has_next(),
            Self::And(a, b)
            | Self::Or(a, b)
            | Self::Implies(a, b)
            | Self::Equiv(a, b)
            | Self::Until(a, b)
            | Self::WeakUntil(a, b)
            | Self::Release(a, b) => a.has_next() || b.has_next(),
        }
    }

    /// Like `of_expr`, for an expression that cannot fail.
    fn take_apart(expr: &Expr, propositions: &mut Vec<Expr>) -> Self {
        let mut part = |e: &Expr| Box::new(Self::take_apart(e, propositions));
        match expr {
            Expr::Const(value) => Self::Bool(*value != 0),
            Expr::Unary(UnaryOp::Not, a) => Self::Not(part(a)),
            Expr::Binary(BinaryOp::And, a, b) => Self::And(part(a), part(b)),
            Expr::Binary(BinaryOp::Or, a, b) => Self::Or(part(a), part(b)),
            _ => Self::proposition(expr, propositions),
        }
    }

    /// One proposition; a comparison and its negation share it.
    fn proposition(expr: &Expr, propositions: &mut Vec<Expr>) -> Self {
        let Expr::Binary(op, a, b) = expr else {
            return Self::Prop(number(expr, propositions));
        };
        let opposite = match op {
            BinaryOp::Ne => BinaryOp::Eq,
            BinaryOp::Ge => BinaryOp::Lt,
            BinaryOp::Gt => BinaryOp::Le,
            _ => return Self::Prop(number(expr, propositions)),
        };
        let opposite = Expr::Binary(opposite, a.clone(), b.clone());
        Self::Not(Box::new(Self::Prop(number(&opposite, propositions))))
    }
}

/// The position of an expression among the propositions. Only the first 256 are searched for an
/// equal one: a claim with more than 64 is refused anyway.
fn number(expr: &Expr, propositions: &mut Vec<Expr>) -> u32 {
    let found = propositions.iter().take(256).position(|p| p == expr);
    let position = found.unwrap_or_else(|| {
        propositions.push(expr.clone());
        propositions.len() - 1
    });
    position as u32
}

impl Expr {
    /// Whether it may have no value in some state, as a division by zero has none. `false` is
    /// exact, `true` is not.
    pub fn can_fail(&self) -> bool {
        let inside = |place: &CellRef| {
            place.indices.iter().all(
                |t| matches!(t.index, Self::Const(i) if u32::try_from(i).is_ok_and(|i| i < t.len)),
            )
        };
        self.any(|e| match e {
            Self::Binary(BinaryOp::Div | BinaryOp::Mod, _, divisor) => {
                !matches!(**divisor, Self::Const(n) if n != 0)
            }
            Self::Load(place) => !inside(place),
            Self::RemoteLoad { pid, place, .. } => pid.is_some() || !inside(place),
            Self::Len(_) | Self::Probe(..) | Self::Poll { .. } | Self::Enabled(_) => true,
            _ => false,
        })
    }
}
