//! The tree as Promela text. Compound expressions get parentheses; only chains
//! leave it to precedence what they mean.

mod expression;
mod statement;

use super::tree::{Decl, Init, Inline, Proctype, Program, Type, Typedef};
use expression::expr;
pub use expression::expr as expression_text;
use std::fmt::Write;

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    for line in &program.defines {
        let _ = writeln!(out, "{line}");
    }
    for decl in &program.mtypes {
        let subtype = decl.subtype.as_ref().map_or(String::new(), |s| format!(":{s}"));
        let _ = writeln!(out, "mtype{subtype} = {{ {} }};", decl.names.join(", "));
    }
    for item in &program.typedefs {
        out.push_str(&typedef(item));
    }
    for decl in &program.globals {
        let _ = writeln!(out, "{};", declaration(decl));
    }
    for item in &program.inlines {
        out.push_str(&inline(item));
    }
    for item in &program.proctypes {
        out.push_str(&proctype(item));
    }
    for claim in &program.claims {
        let _ = writeln!(out, "{}", claim.text);
    }
    out
}

fn typedef(item: &Typedef) -> String {
    let fields: Vec<String> = item.fields.iter().map(declaration).collect();
    format!("typedef {} {{ {} }};\n", item.name, fields.join("; "))
}

fn inline(item: &Inline) -> String {
    let body = statement::sequence(&item.body, 1);
    format!("inline {}({}) {{\n{body}}}\n", item.name, item.parameters.join(", "))
}

fn proctype(item: &Proctype) -> String {
    let mut head = String::new();
    match item.active {
        0 => {}
        1 => head.push_str("active "),
        n => _ = write!(head, "active [{n}] "),
    }
    if item.name == "init" {
        head = "init".to_owned();
    } else {
        head.push_str(if item.deterministic { "D_proctype " } else { "proctype " });
        let parameters: Vec<String> = item.parameters.iter().map(declaration).collect();
        _ = write!(head, "{}({})", item.name, parameters.join("; "));
    }
    if let Some(priority) = item.priority {
        _ = write!(head, " priority {priority}");
    }
    if let Some(condition) = &item.provided {
        _ = write!(head, " provided ({})", expr(condition));
    }
    format!("{head} {{\n{}}}\n", statement::sequence(&item.body, 1))
}

/// A declaration without its semicolon.
fn declaration(decl: &Decl) -> String {
    let mut out = String::new();
    if !decl.prefix.is_empty() {
        _ = write!(out, "{} ", decl.prefix);
    }
    _ = write!(out, "{} {}", type_name(&decl.ty), decl.name);
    if let Type::Unsigned(width) = decl.ty {
        _ = write!(out, " : {width}");
    }
    if let Some(length) = decl.length {
        _ = write!(out, "[{length}]");
    }
    match &decl.init {
        Init::None => {}
        Init::Value(value) => _ = write!(out, " = {}", expr(value)),
        Init::List(values) => {
            let values: Vec<String> = values.iter().map(expr).collect();
            _ = write!(out, " = {{ {} }}", values.join(", "));
        }
        Init::Channel(capacity, fields) => {
            let fields: Vec<String> = fields.iter().map(type_name).collect();
            _ = write!(out, " = [{capacity}] of {{ {} }}", fields.join(", "));
        }
    }
    out
}

fn type_name(ty: &Type) -> String {
    match ty {
        Type::Bit => "bit".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Byte => "byte".to_owned(),
        Type::Short => "short".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Unsigned(_) => "unsigned".to_owned(),
        Type::Pid => "pid".to_owned(),
        Type::Mtype(None) => "mtype".to_owned(),
        Type::Mtype(Some(subtype)) => format!("mtype:{subtype}"),
        Type::Chan => "chan".to_owned(),
        Type::Record(name) => name.clone(),
    }
}
