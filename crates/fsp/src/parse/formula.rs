//! Formulas. `||` binds least, then `U`, `W`, `->` and `<->`, then `&&`; two of the second kind
//! need parentheses, as in LTSA.

use super::parser::{Parsed, Parser};
use crate::ast::{FormulaExpr, FormulaKind, TemporalBinary, TemporalUnary};
use crate::diagnostic::{Code, Diagnostic};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn formula(&mut self) -> Parsed<FormulaExpr> {
        self.term(|p| p.left_associative(0))
    }

    fn left_associative(&mut self, level: u8) -> Parsed<FormulaExpr> {
        if level == 3 {
            return self.formula_unary();
        }
        let mut left = self.left_associative(level + 1)?;
        while let Some(op) = self.operator(level) {
            let right = self.left_associative(level + 1)?;
            let span = left.span.to(right.span);
            let kind = FormulaKind::Binary(op, Box::new(left), Box::new(right));
            left = FormulaExpr { kind, span };
            self.operator_read(span)?;
            if level == 1 {
                return self.single(left);
            }
        }
        Ok(left)
    }

    /// The formula, unless another operator of the same kind follows.
    fn single(&mut self, formula: FormulaExpr) -> Parsed<FormulaExpr> {
        let at = self.span();
        match self.operator(1) {
            None => Ok(formula),
            Some(_) => {
                let message = "`U`, `W`, `->` and `<->` cannot follow each other";
                let diagnostic = Diagnostic::new(Code::Syntax, at, message);
                Err(self.report(diagnostic.hint("put one of the two into parentheses")))
            }
        }
    }

    /// Reads an operator of this level, if one is here.
    fn operator(&mut self, level: u8) -> Option<TemporalBinary> {
        let word = if self.kind() == TokenKind::Upper { self.text_of(0) } else { "" };
        let op = match (level, self.kind()) {
            (0, TokenKind::OrOr) if self.is_before_composite() => return None,
            (0, TokenKind::OrOr) => TemporalBinary::Or,
            (1, TokenKind::Arrow) => TemporalBinary::Implies,
            (1, TokenKind::Lt) if self.eat_joined(TokenKind::Lt, TokenKind::Arrow) => {
                return Some(TemporalBinary::Equiv);
            }
            (1, TokenKind::Upper) if word == "U" => TemporalBinary::Until,
            (1, TokenKind::Upper) if word == "W" => TemporalBinary::WeakUntil,
            (2, TokenKind::AndAnd) => TemporalBinary::And,
            _ => return None,
        };
        self.bump();
        Some(op)
    }

    /// Whether a composite begins here, `||SYSTEM =` or `||SYSTEM(N=2) =`, and no alternative: formulas have no end of
    /// their own, and no `=`.
    fn is_before_composite(&self) -> bool {
        let name = self.kind_at(1) == TokenKind::Upper;
        let parameter = [TokenKind::LParen, TokenKind::Upper, TokenKind::Assign];
        let starts =
            |kinds: &[TokenKind]| (2..).zip(kinds).all(|(i, &kind)| self.kind_at(i) == kind);
        name && (starts(&[TokenKind::Assign]) || starts(&parameter))
    }

    fn formula_unary(&mut self) -> Parsed<FormulaExpr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Bang => {
                self.bump();
                self.operand(TemporalUnary::Not)?
            }
            TokenKind::Upper if self.text_of(0) == "X" => {
                self.bump();
                self.operand(TemporalUnary::Next)?
            }
            TokenKind::LBracket if self.eat_joined(TokenKind::LBracket, TokenKind::RBracket) => {
                self.operand(TemporalUnary::Always)?
            }
            TokenKind::Lt if self.eat_joined(TokenKind::Lt, TokenKind::Gt) => {
                self.operand(TemporalUnary::Eventually)?
            }
            kind @ (TokenKind::Forall | TokenKind::Exists) => {
                self.bump();
                let ranges = self.ranges()?;
                let body = Box::new(self.nested(Self::formula_unary)?);
                FormulaKind::Quantifier(kind == TokenKind::Forall, ranges, body)
            }
            _ => self.formula_primary()?,
        };
        Ok(FormulaExpr { kind, span: start.to(self.last_span()) })
    }

    fn operand(&mut self, op: TemporalUnary) -> Parsed<FormulaKind> {
        Ok(FormulaKind::Unary(op, Box::new(self.nested(Self::formula_unary)?)))
    }

    fn formula_primary(&mut self) -> Parsed<FormulaKind> {
        match self.kind() {
            TokenKind::LParen => {
                self.bump();
                let inner = self.formula()?;
                self.expect(TokenKind::RParen)?;
                Ok(inner.kind)
            }
            TokenKind::Rigid => {
                self.bump();
                Ok(FormulaKind::Rigid(self.simple_expr()?))
            }
            // A set in a label: `Players.get`; everything else capitalised is a fluent.
            TokenKind::Upper if self.kind_at(1) != TokenKind::Dot => {
                let name = self.name(TokenKind::Upper)?;
                let indices = self.indices()?;
                let mut args = Vec::new();
                if self.eat(TokenKind::LParen) {
                    args = self.list(TokenKind::Comma, Self::expr)?;
                    self.expect(TokenKind::RParen)?;
                }
                Ok(FormulaKind::Named(name, indices, args))
            }
            TokenKind::Upper | TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket => {
                self.no_operator_in_words()?;
                Ok(FormulaKind::Action(self.labels()?))
            }
            _ => Err(self.expected("a formula")),
        }
    }

    /// An operator written as a word would be read as an action; what follows it shows what is meant.
    fn no_operator_in_words(&mut self) -> Parsed<()> {
        let word = self.text_of(0);
        let operator = match word {
            "always" | "globally" => "[]",
            "eventually" | "finally" => "<>",
            "next" => "X",
            "not" => "!",
            _ => return Ok(()),
        };
        if !matches!(self.kind_at(1), TokenKind::Lower | TokenKind::LParen | TokenKind::Bang) {
            return Ok(());
        }
        let message = format!("`{word}` is no operator of FSP");
        let diagnostic = Diagnostic::new(Code::Syntax, self.span(), message);
        Err(self.report(diagnostic.hint(format!("write `{operator}`"))))
    }
}
