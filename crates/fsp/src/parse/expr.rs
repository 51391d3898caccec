//! Expressions, by precedence climbing.

use super::parser::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, LabelExpr, LabelPart, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::token::TokenKind;

/// The precedence of `+`: what `const` and `range` take without parentheses.
const ADDITIVE: u8 = 9;

/// The operator and its precedence, from 1.
fn binary(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::OrOr => (BinaryOp::Or, 1),
        TokenKind::AndAnd => (BinaryOp::And, 2),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Amp => (BinaryOp::BitAnd, 5),
        TokenKind::Eq => (BinaryOp::Eq, 6),
        TokenKind::Ne => (BinaryOp::Ne, 6),
        TokenKind::Lt => (BinaryOp::Lt, 7),
        TokenKind::Le => (BinaryOp::Le, 7),
        TokenKind::Gt => (BinaryOp::Gt, 7),
        TokenKind::Ge => (BinaryOp::Ge, 7),
        TokenKind::Shl => (BinaryOp::Shl, 8),
        TokenKind::Shr => (BinaryOp::Shr, 8),
        TokenKind::Plus => (BinaryOp::Add, ADDITIVE),
        TokenKind::Minus => (BinaryOp::Sub, ADDITIVE),
        TokenKind::Star => (BinaryOp::Mul, 10),
        TokenKind::Slash => (BinaryOp::Div, 10),
        TokenKind::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let expr = self.term(|p| p.binary(1))?;
        if self.kind() == TokenKind::Assign {
            let hint = "values are compared with `==`";
            return Err(self.expected_with_hint("an operator", hint));
        }
        Ok(expr)
    }

    /// An expression without comparisons and logical operators.
    pub(super) fn simple_expr(&mut self) -> Parsed<Expr> {
        self.term(|p| p.binary(ADDITIVE))
    }

    fn binary(&mut self, lowest: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some((op, precedence)) = binary(self.kind()).filter(|o| o.1 >= lowest) {
            self.bump();
            let right = self.nested(|p| p.binary(precedence + 1))?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span };
            self.operator_read(span)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.kind() {
            TokenKind::Plus => UnaryOp::Plus,
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Bang => UnaryOp::Not,
            _ => return self.primary(),
        };
        let start = self.bump().span;
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Number => self.number()?,
            TokenKind::Lower => ExprKind::Variable(self.name(TokenKind::Lower)?),
            TokenKind::Upper => ExprKind::Constant(self.name(TokenKind::Upper)?),
            TokenKind::Quote => {
                self.bump();
                ExprKind::Label(Box::new(self.label_value()?))
            }
            TokenKind::Hash => {
                self.bump();
                ExprKind::Size(Box::new(self.nested(Self::set)?))
            }
            TokenKind::At => {
                self.bump();
                self.expect(TokenKind::LParen)?;
                let set = self.nested(Self::set)?;
                self.expect(TokenKind::Comma)?;
                let position = self.expr()?;
                self.expect(TokenKind::RParen)?;
                ExprKind::Member(Box::new(set), Box::new(position))
            }
            TokenKind::LParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(TokenKind::RParen)?;
                return Ok(Expr { span: start.to(self.last_span()), ..inner });
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }

    fn number(&mut self) -> Parsed<ExprKind> {
        let text = self.text_of(0);
        let span = self.bump().span;
        match text.parse() {
            Ok(number) => Ok(ExprKind::Number(number)),
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
