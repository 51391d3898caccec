//! Precedence and associativity.

use super::statement;
use crate::ast::{BinaryOp, Expr, ExprKind, StmtKind, UnaryOp};

/// The expression with all its parentheses.
pub(super) fn show(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Var(v) => v.parts[0].name.text.to_string(),
        ExprKind::Mtype(n) => n.text.to_string(),
        ExprKind::Unary(op, e) => format!("({}{})", unary(*op), show(e)),
        ExprKind::Binary(op, l, r) => format!("({} {} {})", show(l), binary(*op), show(r)),
        ExprKind::Cond(c, a, b) => format!("({} -> {} : {})", show(c), show(a), show(b)),
        other => format!("{other:?}"),
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Always => "[]",
        UnaryOp::Eventually => "<>",
        UnaryOp::Next => "X ",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Mod => "%",
        BitAnd => "&",
        BitXor => "^",
        BitOr => "|",
        Shl => "<<",
        Shr => ">>",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        Eq => "==",
        Ne => "!=",
        And => "&&",
        Or => "||",
        Implies => "->",
        Equiv => "<->",
        Until => "U",
        WeakUntil => "W",
        Release => "V",
    }
}

#[track_caller]
fn reads(text: &str, shown: &str) {
    match statement(text) {
        StmtKind::Expr(e) => assert_eq!(show(&e), shown, "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precedence() {
    reads(
        "x || y && z | x ^ y & z == x < y << z + x * y",
        "(x || (y && (z | (x ^ (y & (z == (x < (y << (z + (x * y))))))))))",
    );
    reads(
        "x * y + z << x < y == z & x ^ y | z && x || y",
        "((((((((((x * y) + z) << x) < y) == z) & x) ^ y) | z) && x) || y)",
    );
}

#[test]
fn left_associative() {
    reads("x - y - z", "((x - y) - z)");
    reads("x / y % z * x", "(((x / y) % z) * x)");
    reads("x == y != z", "((x == y) != z)");
    reads("x < y >= z", "((x < y) >= z)");
}

#[test]
fn unary_binds_tightest() {
    reads("!x == y", "((!x) == y)");
    reads("-x * ~y", "((-x) * (~y))");
    reads("- - x - -1", "((-(-x)) - (-1))");
}

#[test]
fn conditional() {
    reads("(x -> y : z) + 1", "((x -> y : z) + 1)");
    reads("(x > 1 -> (y -> 1 : 2) : 3) == red", "(((x > 1) -> (y -> 1 : 2) : 3) == red)");
}
