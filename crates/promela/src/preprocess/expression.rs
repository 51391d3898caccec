//! Conditions: C's constant expressions in 64-bit arithmetic.

use super::Preprocessor;
use super::arithmetic::{binary, unary};
use super::number::{Value, character, integer};
use super::token::{Kind, PpToken, UNCLOSED};
use super::words::{CLOSE, DEFINED, OPEN};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use std::rc::Rc;

/// More operators than this do not nest in a condition.
const MAX_NESTING: usize = 250;

/// What is wrong with a condition.
type Fault = (Span, String);

impl Preprocessor<'_> {
    /// Reads the rest of the directive at `at` as a condition; an unreadable
    /// one is reported and does not hold.
    pub(super) fn condition_holds(&mut self, at: Span) -> bool {
        let value = self.condition_items(at).and_then(|(items, end)| {
            let mut reader = Reader { items: &items, at: 0, depth: 0, end, divided_by_zero: None };
            let value = reader.expression(0, true)?;
            if let Some(item) = reader.items.get(reader.at) {
                return Err((item.span, format!("`{}` is not expected here", item.text)));
            }
            if let Some(span) = reader.divided_by_zero {
                self.diags.push(Diagnostic::new(Code::Directive, span, "division by zero"));
            }
            Ok(value)
        });
        match value {
            Ok(value) => value.is_true(),
            Err((span, message)) => {
                self.diags.push(Diagnostic::new(Code::Directive, span, message));
                false
            }
        }
    }

    /// The tokens of the condition, expanded, with `defined` answered.
    fn condition_items(&mut self, at: Span) -> Result<(Vec<Item>, Span), Fault> {
        let mut items = Vec::new();
        loop {
            let token = self.get();
            if token.kind == Kind::Eof {
                break;
            }
            let text = self.words.text(token.symbol).clone();
            let known = match token.is_name(DEFINED) {
                true => Some(Value::truth(self.defined(&token)?)),
                false => None,
            };
            let kind = if token.has(UNCLOSED) { Kind::Other } else { token.kind };
            items.push(Item { kind, text, span: token.span, known });
        }
        if items.is_empty() {
            return Err((at, "the condition is missing".to_string()));
        }
        let end = items.last().map_or(at, |item: &Item| item.span);
        Ok((items, end))
    }

    /// `defined X` or `defined(X)`, whose `defined` was just read.
    fn defined(&mut self, at: &PpToken) -> Result<bool, Fault> {
        let outer = std::mem::replace(&mut self.reading.plain, true);
        let mut name = self.get();
        let open = name.is(OPEN);
        if open {
            name = self.get();
        }
        let closed = !open || self.get().is(CLOSE);
        self.reading.plain = outer;
        match name.kind {
            Kind::Name if closed => Ok(self.mention(&name)),
            Kind::Name => Err((name.span, "`)` is missing after the macro name".to_string())),
            _ => Err((at.span, "`defined` needs a macro name".to_string())),
        }
    }
}

/// A token of a condition.
struct Item {
    kind: Kind,
    text: Rc<str>,
    span: Span,
    /// The answer, for `defined`.
    known: Option<Value>,
}

struct Reader<'a> {
    items: &'a [Item],
    at: usize,
    depth: usize,
    /// Where to report that something is missing.
    end: Span,
    /// Where zero divides; the rest of the condition still counts, as in gcc.
    divided_by_zero: Option<Span>,
}

/// The binary operators with their binding strength.
const BINARY: [(&str, u8); 20] = [
    (",", 1),
    ("?", 2),
    ("||", 3),
    ("&&", 4),
    ("|", 5),
    ("^", 6),
    ("&", 7),
    ("==", 8),
    ("!=", 8),
    ("<", 9),
    (">", 9),
    ("<=", 9),
    (">=", 9),
    ("<<", 10),
    (">>", 10),
    ("+", 11),
    ("-", 11),
    ("*", 12),
    ("/", 12),
    ("%", 12),
];

impl Reader<'_> {
    /// An expression whose operators bind stronger than `level`. In a part that
    /// is not `live`, the other side of `&&`, `||` or `?:`, errors of
    /// arithmetic do not count.
    fn expression(&mut self, level: u8, live: bool) -> Result<Value, Fault> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err((self.end, "the condition is nested too deeply".to_string()));
        }
        let mut left = self.operand(live)?;
        while let Some((op, strength)) = self.operator().filter(|(_, s)| *s > level) {
            let span = self.items[self.at].span;
            self.at += 1;
            left = match op {
                "?" => self.choice(left, live)?,
                "||" => {
                    let right = self.expression(strength, live && !left.is_true())?;
                    Value::truth(left.is_true() || right.is_true())
                }
                "&&" => {
                    let right = self.expression(strength, live && left.is_true())?;
                    Value::truth(left.is_true() && right.is_true())
                }
                _ => {
                    let right = self.expression(strength, live)?;
                    if live && matches!(op, "/" | "%") && !right.is_true() {
                        self.divided_by_zero.get_or_insert(span);
                    }
                    binary(op, left, right)
                }
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// What follows `?`.
    fn choice(&mut self, condition: Value, live: bool) -> Result<Value, Fault> {
        let yes = self.expression(0, live && condition.is_true())?;
        if self.peek() != Some(":") {
            return Err((self.place(), "`:` is missing after `?`".to_string()));
        }
        self.at += 1;
        let no = self.expression(1, live && !condition.is_true())?;
        let bits = if condition.is_true() { yes.bits } else { no.bits };
        Ok(Value { bits, unsigned: yes.unsigned || no.unsigned })
    }

    fn operand(&mut self, live: bool) -> Result<Value, Fault> {
        let items = self.items;
        let Some(item) = items.get(self.at) else {
            return Err((self.end, "an operand is missing".to_string()));
        };
        self.at += 1;
        let fault = |why: &str| (item.span, why.to_string());
        match item.kind {
            Kind::Name => Ok(item.known.unwrap_or(Value::signed(0))),
            Kind::Number => integer(&item.text).map_err(fault),
            Kind::Character => character(&item.text).map_err(fault),
            Kind::Punct if &*item.text == "(" => {
                let value = self.expression(0, live)?;
                if self.peek() != Some(")") {
                    return Err((self.place(), "`)` is missing".to_string()));
                }
                self.at += 1;
                Ok(value)
            }
            Kind::Punct if matches!(&*item.text, "!" | "~" | "-" | "+") => {
                let value = self.expression(12, live)?;
                Ok(unary(&item.text, value))
            }
            _ => Err(fault(&format!("`{}` cannot stand in a condition", item.text))),
        }
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let text = self.peek()?;
        BINARY.into_iter().find(|(op, _)| *op == text)
    }

    fn peek(&self) -> Option<&str> {
        self.items.get(self.at).filter(|i| i.kind == Kind::Punct).map(|i| &*i.text)
    }

    fn place(&self) -> Span {
        self.items.get(self.at).map_or(self.end, |item| item.span)
    }
}
