//! Expressions: operators.
//!
//! Operator precedence parsing with an explicit stack, so that long chains of operators need no
//! recursion. All binary operators associate to the left, and all unary operators, the temporal
//! ones included, bind tighter than binary ones.
//!
//! `full(q)`, `nfull(q)`, `empty(q)` and `nempty(q)` are not ordinary operands: the grammar
//! allows only `&&`, `||` and parentheses around them.

use super::hints::PROBE;
use super::parser::{Failed, Parse, Parser};
use super::words::{Kind, Temporal};
use crate::ast::{BinaryOp, Expr, ExprKind, Probe, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

/// The maximal height of an expression: traversals are recursive. The number of operators is
/// not limited; generated models have thousands in one expression.
const MAX_HEIGHT: usize = 2000;

/// An expression with the attributes that the operators around it need.
pub(super) struct Operand {
    pub(super) expr: Expr,
    /// Whether `full(q)` or a relative is in it, outside arguments.
    pub(super) probe: bool,
    /// The length of the longest path to a leaf.
    pub(super) height: usize,
}

impl Parser<'_> {
    /// An expression in which `full(q)` may occur.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        Ok(self.operators(None)?.expr)
    }

    /// The rest of an expression whose first operand has been read.
    pub(super) fn expr_from(&mut self, first: Expr) -> Parse<Expr> {
        let height = self.inner_height + 1;
        Ok(self.operators(Some(Operand { expr: first, probe: false, height }))?.expr)
    }

    /// An expression without `full(q)`.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let operand = self.operators(None)?;
        self.plain(operand)
    }

    /// Expressions separated by commas, at least one.
    pub(super) fn expr_list(&mut self) -> Parse<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.eat(Punct::Comma) {
            list.push(self.expr()?);
        }
        Ok(list)
    }

    /// The expression, which must not be one of `full(q)` and its relatives.
    pub(super) fn plain(&mut self, operand: Operand) -> Parse<Expr> {
        if operand.probe {
            let message = "this expression cannot be used as a value";
            return Err(self.probe_misused(operand.expr.span, message.to_string(), None));
        }
        self.inner_height = self.inner_height.max(operand.height);
        Ok(operand.expr)
    }

    pub(super) fn operators(&mut self, first: Option<Operand>) -> Parse<Operand> {
        self.nested(|p| p.operator_stack(first))
    }

    fn operator_stack(&mut self, first: Option<Operand>) -> Parse<Operand> {
        let mut current = match first {
            Some(operand) => operand,
            None => self.unary()?,
        };
        let mut waiting: Vec<(Operand, BinaryOp)> = Vec::new();
        loop {
            let next = binary_operator(&self.peek().kind);
            let level = next.map_or(0, precedence);
            while waiting.last().is_some_and(|(_, op)| precedence(*op) >= level) {
                let Some((left, op)) = waiting.pop() else { break };
                current = self.combine(left, op, current)?;
            }
            let Some(op) = next else { return Ok(current) };
            self.bump();
            waiting.push((current, op));
            current = self.unary()?;
        }
    }

    fn combine(&mut self, left: Operand, op: BinaryOp, right: Operand) -> Parse<Operand> {
        let span = left.expr.span.to(right.expr.span);
        let probe = left.probe || right.probe;
        if probe && !matches!(op, BinaryOp::And | BinaryOp::Or) {
            let operand = if left.probe { &left } else { &right };
            let message = "this expression cannot be an operand here".to_string();
            return Err(self.probe_misused(operand.expr.span, message, None));
        }
        let height = self.grown(left.height.max(right.height))?;
        let kind = ExprKind::Binary(op, Box::new(left.expr), Box::new(right.expr));
        Ok(Operand { expr: Expr { kind, span }, probe, height })
    }

    /// An operand with the unary operators before it.
    fn unary(&mut self) -> Parse<Operand> {
        let mut prefixes: Vec<(UnaryOp, Span)> = Vec::new();
        while let Some(op) = unary_operator(&self.peek().kind) {
            prefixes.push((op, self.bump().span));
        }
        let mut operand = self.primary()?;
        while let Some((op, start)) = prefixes.pop() {
            if operand.probe {
                return Err(self.probe_under(op, start, &operand.expr));
            }
            let span = start.to(operand.expr.span);
            let kind = ExprKind::Unary(op, Box::new(operand.expr));
            let height = self.grown(operand.height)?;
            operand = Operand { expr: Expr { kind, span }, probe: false, height };
        }
        Ok(operand)
    }

    /// The height of an operator over operands of this height.
    fn grown(&mut self, height: usize) -> Parse<usize> {
        if height < MAX_HEIGHT {
            return Ok(height + 1);
        }
        let message = format!("operators nested more than {MAX_HEIGHT} deep in one expression");
        Err(self.give_up(Diagnostic::new(Code::Nesting, self.last, message)))
    }

    fn probe_under(&mut self, op: UnaryOp, start: Span, expr: &Expr) -> Failed {
        let hint = match &expr.kind {
            ExprKind::Probe(probe, _) if op == UnaryOp::Not => {
                Some(format!("use `{}` instead", opposite(*probe)))
            }
            _ => None,
        };
        let message = match op {
            UnaryOp::Not => "`full`, `nfull`, `empty` and `nempty` cannot be negated",
            _ => "`full`, `nfull`, `empty` and `nempty` cannot be an operand here",
        };
        self.probe_misused(start.to(expr.span), message.to_string(), hint)
    }

    fn probe_misused(&mut self, span: Span, message: String, hint: Option<String>) -> Failed {
        let hint = hint.unwrap_or_else(|| PROBE.to_string());
        self.fail(Diagnostic::new(Code::Syntax, span, message).hint(hint))
    }
}

fn opposite(probe: Probe) -> &'static str {
    match probe {
        Probe::Full => "nfull",
        Probe::NotFull => "full",
        Probe::Empty => "nempty",
        Probe::NotEmpty => "empty",
    }
}

fn unary_operator(kind: &Kind) -> Option<UnaryOp> {
    Some(match kind {
        Kind::Punct(Punct::Bang) => UnaryOp::Not,
        Kind::Punct(Punct::Minus) => UnaryOp::Neg,
        Kind::Punct(Punct::Tilde) => UnaryOp::BitNot,
        Kind::Temporal(Temporal::Always) => UnaryOp::Always,
        Kind::Temporal(Temporal::Eventually) => UnaryOp::Eventually,
        Kind::Temporal(Temporal::Next) => UnaryOp::Next,
        _ => return None,
    })
}

fn binary_operator(kind: &Kind) -> Option<BinaryOp> {
    let punct = match kind {
        Kind::Punct(p) => p,
        Kind::Temporal(t) => return temporal_operator(*t),
        _ => return None,
    };
    Some(match punct {
        Punct::Plus => BinaryOp::Add,
        Punct::Minus => BinaryOp::Sub,
        Punct::Star => BinaryOp::Mul,
        Punct::Slash => BinaryOp::Div,
        Punct::Percent => BinaryOp::Mod,
        Punct::Amp => BinaryOp::BitAnd,
        Punct::Caret => BinaryOp::BitXor,
        Punct::Pipe => BinaryOp::BitOr,
        Punct::Shl => BinaryOp::Shl,
        Punct::Shr => BinaryOp::Shr,
        Punct::Lt => BinaryOp::Lt,
        Punct::Le => BinaryOp::Le,
        Punct::Gt => BinaryOp::Gt,
        Punct::Ge => BinaryOp::Ge,
        Punct::Eq => BinaryOp::Eq,
        Punct::Ne => BinaryOp::Ne,
        Punct::AndAnd => BinaryOp::And,
        Punct::OrOr => BinaryOp::Or,
        _ => return None,
    })
}

fn temporal_operator(op: Temporal) -> Option<BinaryOp> {
    Some(match op {
        Temporal::Until => BinaryOp::Until,
        Temporal::WeakUntil => BinaryOp::WeakUntil,
        Temporal::Release => BinaryOp::Release,
        Temporal::Implies => BinaryOp::Implies,
        Temporal::Equiv => BinaryOp::Equiv,
        Temporal::Always | Temporal::Eventually | Temporal::Next => return None,
    })
}

/// The precedence of an operator, from 1.
fn precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Implies | Equiv => 1,
        Or => 2,
        And => 3,
        Until | WeakUntil | Release => 4,
        BitOr => 5,
        BitXor => 6,
        BitAnd => 7,
        Eq | Ne => 8,
        Lt | Le | Gt | Ge => 9,
        Shl | Shr => 10,
        Add | Sub => 11,
        Mul | Div | Mod => 12,
    }
}
