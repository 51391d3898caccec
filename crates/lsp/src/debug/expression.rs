//! Expressions of Promela over the values of one state, for the watches of a debugger.
//!
//! The expression is read by the parser of formulas. What speaks of more than one state, takes a step or needs the
//! program (`run`, `enabled`, labels) is refused in a sentence.

use resy_promela::ast::{BinaryOp, Expr, ExprKind, Probe, Program, UnaryOp, VarPart, VarRef};
use resy_promela::parse::parse_ltl;
use resy_promela::preprocess::{NoIncludes, preprocess};
use resy_promela::{Diagnostics, SourceMap};
use serde_json::Value;

/// A longer expression is refused.
const MAX_LENGTH: usize = 1000;

/// What is known of a state.
pub(super) trait Values {
    /// The value of a variable, channel or element of an array of structures.
    fn get(&self, name: &str) -> Option<Value>;
    /// Whether a name is declared in an `mtype`.
    fn is_constant(&self, name: &str) -> bool;
}

/// The value of an expression.
pub(super) fn evaluate(text: &str, values: &dyn Values) -> Result<Value, String> {
    if text.len() > MAX_LENGTH {
        return Err("the expression is too long".to_owned());
    }
    // A variable may have a name that is no expression, as `P(1):x`, and so may its element.
    if let Some(value) = values.get(text) {
        return Ok(value);
    }
    if let Some((name, index)) = text.strip_suffix(']').and_then(|text| text.rsplit_once('['))
        && let (Some(list), Ok(index)) = (values.get(name), index.trim().parse::<usize>())
    {
        let element = list.get(index).cloned();
        return element.ok_or_else(|| format!("`{name}` has no element {index}"));
    }
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let text = text.to_owned();
    let tokens = preprocess("expression", text, &[], &mut NoIncludes, &mut map, &mut diags);
    let parsed = parse_ltl(tokens, &Program::default(), &mut map, &mut diags);
    match (parsed, diags.iter().next()) {
        (Some(expr), None) => Reader { values }.value(&expr),
        (_, Some(diagnostic)) => Err(diagnostic.message.clone()),
        (None, None) => Err("this is no expression".to_owned()),
    }
}

struct Reader<'a> {
    values: &'a dyn Values,
}

impl Reader<'_> {
    fn value(&self, expr: &Expr) -> Result<Value, String> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(match number.word {
                Some("true" | "skip") => true.into(),
                Some("false") => false.into(),
                _ => number.value.into(),
            }),
            ExprKind::Mtype(name) => Ok(name.text.to_string().into()),
            ExprKind::Var(var) => self.variable(var),
            ExprKind::Unary(op, of) => self.unary(*op, of),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Len(channel) => Ok(self.messages(channel)?.into()),
            ExprKind::Probe(Probe::Empty, channel) => Ok((self.messages(channel)? == 0).into()),
            ExprKind::Probe(Probe::NotEmpty, channel) => Ok((self.messages(channel)? != 0).into()),
            _ => Err("this cannot be evaluated in one state".to_owned()),
        }
    }

    /// A variable: by its whole name, else as an element of an array.
    fn variable(&self, var: &VarRef) -> Result<Value, String> {
        let Some((last, parts)) = var.parts.split_last() else {
            return Err("this is no variable".to_owned());
        };
        let mut name = String::new();
        for part in parts {
            name += &part.name.text;
            if let Some(index) = &part.index {
                name += &format!("[{}]", self.number(index)?);
            }
            name.push('.');
        }
        name += &last.name.text;
        if parts.is_empty()
            && last.index.is_none()
            && self.values.get(&name).is_none()
            && self.values.is_constant(&name)
        {
            return Ok(name.into());
        }
        self.element(&name, last)
    }

    /// The value of a name, or of its element if the last part has an index.
    fn element(&self, name: &str, last: &VarPart) -> Result<Value, String> {
        let unknown = |name: &str| format!("there is no variable `{name}` here");
        let Some(index) = &last.index else {
            return self.values.get(name).ok_or_else(|| unknown(name));
        };
        let index = self.number(index)?;
        let whole = format!("{name}[{index}]");
        if let Some(value) = self.values.get(&whole) {
            return Ok(value);
        }
        let list = self.values.get(name).ok_or_else(|| unknown(&whole))?;
        let element = usize::try_from(index).ok().and_then(|index| list.get(index));
        element.cloned().ok_or_else(|| format!("`{name}` has no element {index}"))
    }

    fn messages(&self, channel: &VarRef) -> Result<usize, String> {
        match self.variable(channel)? {
            Value::Array(messages) => Ok(messages.len()),
            _ => Err("this is no channel with its messages".to_owned()),
        }
    }

    /// The value as a number, as Promela counts: `true` is 1.
    fn number(&self, expr: &Expr) -> Result<i32, String> {
        let value = self.value(expr)?;
        let number = value.as_i64().or(value.as_bool().map(i64::from));
        let number = number.and_then(|number| i32::try_from(number).ok());
        number.ok_or_else(|| format!("{value} is no number"))
    }

    fn unary(&self, op: UnaryOp, of: &Expr) -> Result<Value, String> {
        let of = || self.number(of);
        match op {
            UnaryOp::Not => Ok((of()? == 0).into()),
            UnaryOp::Neg => Ok(of()?.wrapping_neg().into()),
            UnaryOp::BitNot => Ok((!of()?).into()),
            UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => Err(temporal()),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Value, String> {
        if let BinaryOp::Eq | BinaryOp::Ne = op {
            let is_equal = match (self.value(left)?, self.value(right)?) {
                (Value::String(a), Value::String(b)) => a == b,
                _ => self.number(left)? == self.number(right)?,
            };
            return Ok((is_equal == (op == BinaryOp::Eq)).into());
        }
        let a = self.number(left)?;
        match (op, a != 0) {
            (BinaryOp::And, false) => return Ok(false.into()),
            (BinaryOp::Or, true) | (BinaryOp::Implies, false) => return Ok(true.into()),
            _ => {}
        }
        let b = self.number(right)?;
        Ok(match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => (b != 0).into(),
            BinaryOp::Equiv => ((a != 0) == (b != 0)).into(),
            BinaryOp::Lt => (a < b).into(),
            BinaryOp::Le => (a <= b).into(),
            BinaryOp::Gt => (a > b).into(),
            BinaryOp::Ge => (a >= b).into(),
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => return Err(temporal()),
            _ => arithmetic(op, a, b)?.into(),
        })
    }
}

fn arithmetic(op: BinaryOp, a: i32, b: i32) -> Result<i32, String> {
    if b == 0 && matches!(op, BinaryOp::Div | BinaryOp::Mod) {
        return Err("a division by zero".to_owned());
    }
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Mod => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Shl => a.wrapping_shl(b.cast_unsigned()),
        BinaryOp::Shr => a.wrapping_shr(b.cast_unsigned()),
        _ => return Err("this cannot be evaluated".to_owned()),
    })
}

fn temporal() -> String {
    "a temporal operator speaks of more than one state".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct State;

    impl Values for State {
        fn get(&self, name: &str) -> Option<Value> {
            Some(match name {
                "n" => json!(7),
                "ok" => json!(true),
                "light" => json!("red"),
                "a" => json!([1, 2, 3]),
                "r[1].kind" => json!(5),
                "link" => json!([["ask", 1]]),
                "P(1):x" => json!(4),
                "P(1):b" => json!([8, 9]),
                _ => return None,
            })
        }

        fn is_constant(&self, name: &str) -> bool {
            matches!(name, "red" | "green")
        }
    }

    #[test]
    fn expressions_have_the_values_of_promela() {
        for (text, value) in [
            ("n", json!(7)),
            ("n + 1 == 8 && !(n < 3)", json!(true)),
            ("a[n - 6] * 10 % 7", json!(6)),
            ("r[n - 6].kind", json!(5)),
            ("light == red", json!(true)),
            ("light != green", json!(true)),
            ("light", json!("red")),
            ("len(link)", json!(1)),
            ("empty(link)", json!(false)),
            ("P(1):x", json!(4)),
            ("P(1):b[1]", json!(9)),
            ("-7 / 2", json!(-3)),
            ("ok + ok", json!(2)),
            ("n > 8 || ok", json!(true)),
            ("n > 8 && nothing", json!(false)),
        ] {
            assert_eq!(evaluate(text, &State), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_is_told() {
        for (text, words) in [
            ("nothing", "there is no variable `nothing` here"),
            ("a[3]", "`a` has no element 3"),
            ("n / (n - 7)", "a division by zero"),
            ("light + 1", "is no number"),
            ("[] ok", "more than one state"),
            ("n +", "expected"),
            ("n n", "expected"),
            ("", "expected"),
            ("full(link)", "cannot be evaluated"),
        ] {
            let error = evaluate(text, &State).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(evaluate(&"(".repeat(900), &State).is_err());
        assert!(evaluate(&"!".repeat(900), &State).is_err());
    }
}
