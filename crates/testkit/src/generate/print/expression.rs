//! Expressions and places as text.

use crate::generate::tree::{Argument, Expr, Index, Place, Receive};

/// An expression; compound ones come with parentheses.
pub fn expr(e: &Expr) -> String {
    match e {
        // A unary minus after an operator would be read as a decrement.
        Expr::Number(n) if *n < 0 => format!("({n})"),
        Expr::Number(n) => n.to_string(),
        Expr::Word(word) => word.clone(),
        Expr::Read(p) | Expr::Whole(p) => place(p),
        Expr::Unary(op, a) => format!("{op}({})", expr(a)),
        Expr::Binary(op, a, b) => format!("({} {op} {})", expr(a), expr(b)),
        Expr::ByConstant(op, a, k) => format!("({} {op} {k})", expr(a)),
        Expr::Chain(a, rest) => {
            let rest: Vec<String> =
                rest.iter().map(|(op, b)| format!(" {op} {}", expr(b))).collect();
            format!("({}{})", expr(a), rest.concat())
        }
        Expr::Choice(c, a, b) => format!("({} -> {} : {})", expr(c), expr(a), expr(b)),
        Expr::Query(function, c) => format!("{function}({})", place(c)),
        Expr::Poll(r) => format!("{}[{}]", receive_head(r), arguments(&r.arguments)),
        Expr::Apply(name, args) => format!("{name}({})", list(args)),
        Expr::RemoteLabel(name, None, label) => format!("{name}@{label}"),
        Expr::RemoteLabel(name, Some(pid), label) => format!("{name}[{pid}]@{label}"),
        Expr::RemoteVariable(name, pid, var) => format!("{name}[{pid}]:{var}"),
    }
}

/// Expressions with commas between them.
pub fn list(items: &[Expr]) -> String {
    items.iter().map(expr).collect::<Vec<_>>().join(", ")
}

/// A place such as `a.b[x % 2]`.
pub fn place(p: &Place) -> String {
    let part = |part: &crate::generate::tree::Part| match &part.index {
        Index::None => part.name.clone(),
        Index::Constant(k) => format!("{}[{k}]", part.name),
        Index::Modulo(e, n) => format!("{}[{} % {n}]", part.name, expr(e)),
    };
    p.0.iter().map(part).collect::<Vec<_>>().join(".")
}

/// The channel and the operator of a receive.
pub fn receive_head(r: &Receive) -> String {
    format!("{}{}", place(&r.channel), if r.random { "??" } else { "?" })
}

/// The arguments of a receive.
pub fn arguments(items: &[Argument]) -> String {
    let argument = |item: &Argument| match item {
        Argument::Bind(p) | Argument::BindRecord(p) => place(p),
        Argument::Eval(e) => format!("eval({})", expr(e)),
        Argument::Constant(e) => expr(e),
        Argument::Any => "_".to_owned(),
    };
    items.iter().map(argument).collect::<Vec<_>>().join(", ")
}
