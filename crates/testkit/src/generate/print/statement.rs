//! Statements as indented text.

use super::declaration;
use super::expression::{arguments, expr, list, place, receive_head};
use crate::generate::tree::{Receive, Seq, Stmt};
use std::fmt::Write;

/// Statements on lines of their own, separated by semicolons.
pub fn sequence(seq: &Seq, depth: usize) -> String {
    let mut out = String::new();
    for (i, stmt) in seq.iter().enumerate() {
        let separator = if i + 1 == seq.len() { "" } else { separator_after(stmt) };
        let _ = writeln!(out, "{}{}{separator}", "  ".repeat(depth), statement(stmt, depth));
    }
    out
}

/// An arrow is a semicolon; it is used where people use it.
fn separator_after(stmt: &Stmt) -> &'static str {
    match stmt {
        Stmt::Guard(_) | Stmt::Else => " ->",
        _ => ";",
    }
}

fn statement(stmt: &Stmt, depth: usize) -> String {
    match stmt {
        Stmt::If(options) => selection("if", "fi", options, depth),
        Stmt::Do(options) => selection("do", "od", options, depth),
        Stmt::Atomic(body) => braces("atomic ", body, depth),
        Stmt::DStep(body) => braces("d_step ", body, depth),
        Stmt::Block(body) => braces("", body, depth),
        Stmt::Unless(body, escape) => {
            format!("{}{}", braces("", body, depth), braces(" unless ", escape, depth))
        }
        Stmt::ForRange(x, from, to, body) => {
            let head = format!("for ({} : {} .. {}) ", place(x), expr(from), expr(to));
            braces(&head, body, depth)
        }
        Stmt::ForIn(x, array, body) => {
            braces(&format!("for ({} in {}) ", place(x), place(array)), body, depth)
        }
        Stmt::Labelled(label, inner) => format!("{label}: {}", statement(inner, depth)),
        Stmt::Group(body) => {
            let parts: Vec<String> = body.iter().map(|s| statement(s, depth)).collect();
            parts.join("; ")
        }
        simple => simple_statement(simple),
    }
}

fn simple_statement(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Decl(decl) => declaration(decl),
        Stmt::Assign(x, e) => format!("{} = {}", place(x), expr(e)),
        Stmt::Step(x, op) => format!("{}{op}", place(x)),
        Stmt::Guard(e) => expr(e),
        Stmt::Else => "else".to_owned(),
        Stmt::Printf(format, args) if args.is_empty() => format!("printf(\"{format}\\n\")"),
        Stmt::Printf(format, args) => format!("printf(\"{format}\\n\", {})", list(args)),
        Stmt::Assert(e) => format!("assert({})", expr(e)),
        Stmt::Send(c, op, args) => format!("{}{op}{}", place(c), list(args)),
        Stmt::Receive(r) => receive(r),
        Stmt::Run(None, name, args) => format!("run {name}({})", list(args)),
        Stmt::Run(Some(x), name, args) => format!("{} = run {name}({})", place(x), list(args)),
        Stmt::Select(x, from, to) => {
            format!("select ({} : {} .. {})", place(x), expr(from), expr(to))
        }
        Stmt::Goto(label) => format!("goto {label}"),
        Stmt::Break => "break".to_owned(),
        Stmt::Call(name, args) => format!("{name}({})", list(args)),
        // The compound ones are printed above.
        _ => "skip".to_owned(),
    }
}

fn receive(r: &Receive) -> String {
    let (open, close) = if r.keep { ("<", ">") } else { ("", "") };
    format!("{}{open}{}{close}", receive_head(r), arguments(&r.arguments))
}

fn braces(head: &str, body: &Seq, depth: usize) -> String {
    format!("{head}{{\n{}{}}}", sequence(body, depth + 1), "  ".repeat(depth))
}

fn selection(open: &str, close: &str, options: &[Seq], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let mut out = format!("{open}\n");
    for option in options {
        let text = sequence(option, depth + 2);
        let _ = write!(out, "{indent}:: {}", text.trim_start());
    }
    out + &indent + close
}
