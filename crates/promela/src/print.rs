//! Expressions as text on one line, for runs, menus and assertion messages.

use crate::ast::*;
use std::fmt::Write;

/// The text of an expression, with the parentheses that it needs.
pub fn expr(e: &Expr) -> String {
    let mut out = String::new();
    put_expr(&mut out, e, 0);
    out
}

/// The text of a variable reference.
pub fn var_ref(r: &VarRef) -> String {
    let mut out = String::new();
    put_ref(&mut out, r);
    out
}

/// The text of the fields of a receive.
pub fn recv_args(args: &[RecvArg]) -> String {
    let one = |a: &RecvArg| match a {
        RecvArg::Var(r) => var_ref(r),
        RecvArg::Eval(e) => format!("eval({})", expr(e)),
        RecvArg::Const(e) => expr(e),
    };
    args.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The text of the arguments of a send or a call.
pub fn args(args: &[Expr]) -> String {
    args.iter().map(expr).collect::<Vec<_>>().join(",")
}

fn put_ref(out: &mut String, r: &VarRef) {
    for (i, part) in r.parts.iter().enumerate() {
        if i > 0 {
            out.push('.');
        }
        put_part(out, part);
    }
}

fn put_part(out: &mut String, part: &VarPart) {
    out.push_str(&part.name.text);
    if let Some(index) = &part.index {
        out.push('[');
        put_expr(out, index, 0);
        out.push(']');
    }
}

/// Writes `e`, in parentheses if it binds less than `outer`.
fn put_expr(out: &mut String, e: &Expr, outer: u8) {
    match &e.kind {
        ExprKind::Number(n) => write_to(out, n),
        ExprKind::Mtype(name) => out.push_str(&name.text),
        ExprKind::Var(r) => put_ref(out, r),
        ExprKind::Unary(op, a) => {
            out.push_str(unary_text(*op));
            put_expr(out, a, 20);
        }
        ExprKind::Binary(op, a, b) => {
            let (text, level) = binary_text(*op);
            let parens = level < outer;
            out.push_str(if parens { "(" } else { "" });
            put_expr(out, a, level);
            write_to(out, format_args!(" {text} "));
            put_expr(out, b, level + 1);
            out.push_str(if parens { ")" } else { "" });
        }
        ExprKind::Cond(c, a, b) => {
            write_to(out, format_args!("({} -> {} : {})", expr(c), expr(a), expr(b)));
        }
        ExprKind::Run { proctype, args: list, priority } => {
            write_to(out, format_args!("run {}({})", proctype.text, args(list)));
            if let Some(p) = priority {
                write_to(out, format_args!(" priority {p}"));
            }
        }
        ExprKind::Len(r) => write_to(out, format_args!("len({})", var_ref(r))),
        ExprKind::Probe(p, r) => {
            write_to(out, format_args!("{}({})", probe_text(*p), var_ref(r)));
        }
        ExprKind::Enabled(e) => write_to(out, format_args!("enabled({})", expr(e))),
        ExprKind::GetPriority(e) => write_to(out, format_args!("get_priority({})", expr(e))),
        ExprKind::PcValue(e) => write_to(out, format_args!("pc_value({})", expr(e))),
        ExprKind::Poll { chan, random, args } => {
            let op = if *random { "??" } else { "?" };
            write_to(out, format_args!("{}{op}[{}]", var_ref(chan), recv_args(args)));
        }
        ExprKind::Timeout => out.push_str("timeout"),
        ExprKind::NonProgress => out.push_str("np_"),
        ExprKind::RemoteLabel { proctype, pid, label } => {
            put_remote(out, proctype, pid.as_deref());
            write_to(out, format_args!("@{}", label.text));
        }
        ExprKind::RemoteVar { proctype, pid, var } => {
            put_remote(out, proctype, pid.as_deref());
            out.push(':');
            put_part(out, var);
        }
    }
}

fn put_remote(out: &mut String, proctype: &Name, pid: Option<&Expr>) {
    out.push_str(&proctype.text);
    if let Some(pid) = pid {
        write_to(out, format_args!("[{}]", expr(pid)));
    }
}

/// Writing to a string cannot fail.
fn write_to(out: &mut String, value: impl std::fmt::Display) {
    let _ = write!(out, "{value}");
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Neg => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Always => "[] ",
        UnaryOp::Eventually => "<> ",
        UnaryOp::Next => "X ",
    }
}

/// The text of an operator and how tightly it binds.
fn binary_text(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Implies => ("->", 1),
        BinaryOp::Equiv => ("<->", 1),
        BinaryOp::Or => ("||", 2),
        BinaryOp::And => ("&&", 3),
        BinaryOp::Until => ("U", 4),
        BinaryOp::WeakUntil => ("W", 4),
        BinaryOp::Release => ("V", 4),
        BinaryOp::BitOr => ("|", 5),
        BinaryOp::BitXor => ("^", 6),
        BinaryOp::BitAnd => ("&", 7),
        BinaryOp::Eq => ("==", 8),
        BinaryOp::Ne => ("!=", 8),
        BinaryOp::Lt => ("<", 9),
        BinaryOp::Le => ("<=", 9),
        BinaryOp::Gt => (">", 9),
        BinaryOp::Ge => (">=", 9),
        BinaryOp::Shl => ("<<", 10),
        BinaryOp::Shr => (">>", 10),
        BinaryOp::Add => ("+", 11),
        BinaryOp::Sub => ("-", 11),
        BinaryOp::Mul => ("*", 12),
        BinaryOp::Div => ("/", 12),
        BinaryOp::Mod => ("%", 12),
    }
}

fn probe_text(probe: Probe) -> &'static str {
    match probe {
        Probe::Full => "full",
        Probe::NotFull => "nfull",
        Probe::Empty => "empty",
        Probe::NotEmpty => "nempty",
    }
}
