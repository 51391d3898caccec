//! Expressions, by precedence climbing.

use super::parser::{Parsed, Parser};
use crate::ast::{LabelExpr, LabelPart, ValueBinary, ValueExpr, ValueExprKind, ValueUnary};
use crate::diagnostic::{Code, Diagnostic};
use crate::token::TokenKind;

/// The precedence of `+`: what `const` and `range` take without parentheses.
const ADDITIVE: u8 = 9;

/// The operator and its precedence, from 1.
fn binary(kind: TokenKind) -> Option<(ValueBinary, u8)> {
    Some(match kind {
        TokenKind::OrOr => (ValueBinary::Or, 1),
        TokenKind::AndAnd => (ValueBinary::And, 2),
        TokenKind::Pipe => (ValueBinary::BitOr, 3),
        TokenKind::Caret => (ValueBinary::BitXor, 4),
        TokenKind::Amp => (ValueBinary::BitAnd, 5),
        TokenKind::Eq => (ValueBinary::Eq, 6),
        TokenKind::Ne => (ValueBinary::Ne, 6),
        TokenKind::Lt => (ValueBinary::Lt, 7),
        TokenKind::Le => (ValueBinary::Le, 7),
        TokenKind::Gt => (ValueBinary::Gt, 7),
        TokenKind::Ge => (ValueBinary::Ge, 7),
        TokenKind::Shl => (ValueBinary::Shl, 8),
        TokenKind::Shr => (ValueBinary::Shr, 8),
        TokenKind::Plus => (ValueBinary::Add, ADDITIVE),
        TokenKind::Minus => (ValueBinary::Sub, ADDITIVE),
        TokenKind::Star => (ValueBinary::Mul, 10),
        TokenKind::Slash => (ValueBinary::Div, 10),
        TokenKind::Percent => (ValueBinary::Rem, 10),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<ValueExpr> {
        let expr = self.term(|p| p.binary(1))?;
        if self.kind() == TokenKind::Assign {
            let hint = "values are compared with `==`";
            return Err(self.expected_with_hint("an operator", hint));
        }
        Ok(expr)
    }

    /// An expression without comparisons and logical operators.
    pub(super) fn simple_expr(&mut self) -> Parsed<ValueExpr> {
        self.term(|p| p.binary(ADDITIVE))
    }

    fn binary(&mut self, lowest: u8) -> Parsed<ValueExpr> {
        let mut left = self.unary()?;
        while let Some((op, precedence)) = binary(self.kind()).filter(|o| o.1 >= lowest) {
            self.bump();
            let right = self.nested(|p| p.binary(precedence + 1))?;
            let span = left.span.to(right.span);
            left = ValueExpr {
                kind: ValueExprKind::Binary(op, Box::new(left), Box::new(right)),
                span,
            };
            self.operator_read(span)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<ValueExpr> {
        let op = match self.kind() {
            TokenKind::Plus => ValueUnary::Plus,
            TokenKind::Minus => ValueUnary::Minus,
            TokenKind::Bang => ValueUnary::Not,
            _ => return self.primary(),
        };
        let start = self.bump().span;
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(ValueExpr { kind: ValueExprKind::Unary(op, Box::new(operand)), span })
    }

    fn primary(&mut self) -> Parsed<ValueExpr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Number => self.number()?,
            TokenKind::Lower => ValueExprKind::Variable(self.name(TokenKind::Lower)?),
            TokenKind::Upper => ValueExprKind::Constant(self.name(TokenKind::Upper)?),
            TokenKind::Quote => {
                self.bump();
                ValueExprKind::Label(Box::new(self.label_value()?))
            }
            TokenKind::Hash => {
                self.bump();
                ValueExprKind::Size(Box::new(self.nested(Self::set)?))
            }
            TokenKind::At => {
                self.bump();
                self.expect(TokenKind::LParen)?;
                let set = self.nested(Self::set)?;
                self.expect(TokenKind::Comma)?;
                let position = self.expr()?;
                self.expect(TokenKind::RParen)?;
                ValueExprKind::Member(Box::new(set), Box::new(position))
            }
            TokenKind::LParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(TokenKind::RParen)?;
                return Ok(ValueExpr { span: start.to(self.last_span()), ..inner });
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(ValueExpr { kind, span: start.to(self.last_span()) })
    }

    fn number(&mut self) -> Parsed<ValueExprKind> {
        let text = self.text_of(0);
        let span = self.bump().span;
        match text.parse() {
            Ok(number) => Ok(ValueExprKind::Number(number)),
            Err(_) => {
                let message = format!("{text} is larger than {}", i32::MAX);
                Err(self.report(Diagnostic::new(Code::Value, span, message)))
            }
        }
    }

    /// The label after `'`: words and values, no sets.
    fn label_value(&mut self) -> Parsed<LabelExpr> {
        let labels = self.labels()?;
        match labels.parts.iter().any(|part| matches!(part, LabelPart::Set(_))) {
            true => {
                let message = "a value is a single action, not a set";
                Err(self.report(Diagnostic::new(Code::Kind, labels.span, message)))
            }
            false => Ok(labels),
        }
    }
}
