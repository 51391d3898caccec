//! Constant expressions: sizes, evaluated where they stand.

use super::parser::{Failed, Parse, Parser};
use super::words::{Kind, Kw};
use crate::ast::Size;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

impl Parser<'_> {
    /// `[size]`, from the bracket on: a constant expression or a variable.
    pub(super) fn size(&mut self) -> Parse<Size> {
        self.expect(Punct::LBracket, "before the size")?;
        let size = if matches!(self.peek().kind, Kind::Name(_)) {
            Size::Name(self.name("a size")?)
        } else {
            let start = self.peek().span;
            let value = self.const_expr()?;
            Size::Value(value, start.to(self.last))
        };
        if matches!(size, Size::Name(_)) && !self.at(Punct::RBracket) {
            return Err(self.expected("`]` after the size (a variable must stand alone)"));
        }
        self.expect(Punct::RBracket, "after the size")?;
        Ok(size)
    }

    /// `priority n`, if it stands here.
    pub(super) fn priority(&mut self) -> Parse<Option<i64>> {
        if !self.eat_kw(Kw::Priority) {
            return Ok(None);
        }
        let Some(value) = self.peek_constant() else {
            return Err(self.expected("a number after `priority`"));
        };
        self.bump();
        Ok(Some(value))
    }

    /// A sum.
    pub(super) fn const_expr(&mut self) -> Parse<i64> {
        let start = self.peek().span;
        let mut value = self.const_product()?;
        loop {
            let op = match self.peek().kind {
                Kind::Punct(p @ (Punct::Plus | Punct::Minus)) => p,
                _ => return Ok(value),
            };
            self.bump();
            let right = self.const_product()?;
            value = self.calculate(op, value, right, start)?;
        }
    }

    fn const_product(&mut self) -> Parse<i64> {
        let start = self.peek().span;
        let mut value = self.const_operand()?;
        loop {
            let op = match self.peek().kind {
                Kind::Punct(p @ (Punct::Star | Punct::Slash | Punct::Percent)) => p,
                _ => return Ok(value),
            };
            self.bump();
            let right = self.const_operand()?;
            value = self.calculate(op, value, right, start)?;
        }
    }

    fn const_operand(&mut self) -> Parse<i64> {
        let start = self.peek().span;
        let mut negative = false;
        while self.eat(Punct::Minus) {
            negative = !negative;
        }
        let value = if self.eat(Punct::LParen) {
            let value = self.nested(Self::const_expr)?;
            self.expect(Punct::RParen, "after the constant expression")?;
            value
        } else if let Some(value) = self.peek_constant() {
            self.bump();
            value
        } else {
            return Err(self.expected("a constant"));
        };
        if negative { self.calculate(Punct::Minus, 0, value, start) } else { Ok(value) }
    }

    fn calculate(&mut self, op: Punct, left: i64, right: i64, start: Span) -> Parse<i64> {
        let value = match op {
            Punct::Plus => left.checked_add(right),
            Punct::Minus => left.checked_sub(right),
            Punct::Star => left.checked_mul(right),
            Punct::Slash => left.checked_div(right),
            _ => left.checked_rem(right),
        };
        match value {
            Some(value) if i32::try_from(value).is_ok() => Ok(value),
            _ => Err(self.no_value(right == 0, start)),
        }
    }

    fn no_value(&mut self, by_zero: bool, start: Span) -> Failed {
        let message = if by_zero { "division by zero" } else { "the value does not fit an `int`" };
        self.fail(Diagnostic::new(Code::Constant, start.to(self.last), message))
    }
}
