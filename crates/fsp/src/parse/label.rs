//! Labels, sets and indices.

use super::parser::{Parsed, Parser};
use crate::ast::{Domain, LabelExpr, LabelIndex, LabelPart, SetExpr, SetKind, ValueExprKind};
use crate::source::Span;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn labels(&mut self) -> Parsed<LabelExpr> {
        self.nested(Self::labels_body)
    }

    fn labels_body(&mut self) -> Parsed<LabelExpr> {
        let start = self.span();
        let mut parts = vec![self.first_part()?];
        loop {
            match self.kind() {
                TokenKind::LBracket => parts.push(LabelPart::Index(self.index()?)),
                TokenKind::Dot => match self.kind_at(1) {
                    TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket => {
                        self.bump();
                        parts.push(self.first_part()?);
                    }
                    // A set by its name; but `… -> P. Q = …` ends a definition.
                    TokenKind::Upper if !self.defines_at(1) => {
                        self.bump();
                        parts.push(self.first_part()?);
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(LabelExpr { parts, without: None, span: start.to(self.last_span()) })
    }

    fn defines_at(&self, ahead: usize) -> bool {
        matches!(self.kind_at(ahead + 1), TokenKind::Assign | TokenKind::LParen)
    }

    fn first_part(&mut self) -> Parsed<LabelPart> {
        match self.kind() {
            TokenKind::Lower => Ok(LabelPart::Word(self.name(TokenKind::Lower)?)),
            TokenKind::Upper | TokenKind::LBrace => Ok(LabelPart::Set(self.set()?)),
            TokenKind::LBracket => Ok(LabelPart::Index(self.index()?)),
            TokenKind::Number => {
                let hint = "numbers stand in brackets, as in `a[1]`";
                Err(self.expected_with_hint("an action", hint))
            }
            kind if kind.describe().starts_with("`") && self.at_keyword() => {
                let hint = format!("{} is a word of FSP and cannot be an action", kind.describe());
                Err(self.expected_with_hint("an action", &hint))
            }
            _ => Err(self.expected("an action")),
        }
    }

    fn at_keyword(&self) -> bool {
        TokenKind::keyword(self.text_of(0)).is_some()
    }

    /// A set: its name, or its members in braces.
    pub(super) fn set(&mut self) -> Parsed<SetExpr> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Upper => SetKind::Named(self.name(TokenKind::Upper)?),
            TokenKind::LBrace => {
                self.bump();
                // LTSA has no empty sets; files that other tools write have them.
                let members = match self.kind() {
                    TokenKind::RBrace => Vec::new(),
                    _ => self.list(TokenKind::Comma, Self::member)?,
                };
                self.expect(TokenKind::RBrace)?;
                SetKind::Members(members)
            }
            _ => return Err(self.expected_with_hint("a set", "sets stand in braces: `{a, b}`")),
        };
        Ok(SetExpr { kind, span: start.to(self.last_span()) })
    }

    /// A member of a set, possibly with members left out: `S \ {a}`.
    fn member(&mut self) -> Parsed<LabelExpr> {
        let mut labels = self.labels()?;
        if self.eat(TokenKind::Backslash) {
            labels.without = Some(self.nested(Self::set)?);
            labels.span = labels.span.to(self.last_span());
        }
        Ok(labels)
    }

    /// `[…]` any number of times, binders allowed. `[]` begins a formula and is no index.
    pub(super) fn indices(&mut self) -> Parsed<Vec<LabelIndex>> {
        let mut indices = Vec::new();
        while self.kind() == TokenKind::LBracket && self.kind_at(1) != TokenKind::RBracket {
            indices.push(self.index()?);
        }
        Ok(indices)
    }

    /// `[…]` any number of times, each a value.
    pub(super) fn values(&mut self) -> Parsed<Vec<crate::ast::ValueExpr>> {
        let mut values = Vec::new();
        while self.eat(TokenKind::LBracket) {
            values.push(self.expr()?);
            if self.kind() == TokenKind::DotDot || self.kind() == TokenKind::Colon {
                let hint = "a process continues in one state; ranges stand where it is defined";
                return Err(self.expected_with_hint("`]`", hint));
            }
            self.expect(TokenKind::RBracket)?;
        }
        Ok(values)
    }

    fn index(&mut self) -> Parsed<LabelIndex> {
        self.expect(TokenKind::LBracket)?;
        let index = if self.kind() == TokenKind::Lower && self.kind_at(1) == TokenKind::Colon {
            let variable = self.name(TokenKind::Lower)?;
            self.bump();
            LabelIndex::Binder(Some(variable), self.domain()?)
        } else if self.kind() == TokenKind::LBrace {
            LabelIndex::Binder(None, Domain::Set(self.nested(Self::set)?))
        } else {
            let value = self.expr()?;
            match self.eat(TokenKind::DotDot) {
                true => LabelIndex::Binder(None, Domain::Range(value, self.expr()?)),
                false => LabelIndex::Value(value),
            }
        };
        self.expect(TokenKind::RBracket)?;
        Ok(index)
    }

    fn domain(&mut self) -> Parsed<Domain> {
        if self.kind() == TokenKind::LBrace {
            return Ok(Domain::Set(self.nested(Self::set)?));
        }
        let low = self.expr()?;
        if self.eat(TokenKind::DotDot) {
            return Ok(Domain::Range(low, self.expr()?));
        }
        match low.kind {
            ValueExprKind::Constant(name) => Ok(Domain::Named(name)),
            _ => {
                let hint = "a variable takes its values from a range or a set, as in `[i:0..3]`";
                Err(self.expected_with_hint("`..`", hint))
            }
        }
    }

    /// The text of a span that has been read.
    pub(super) fn text_before(&self, span: Span) -> String {
        let text = self.source(span);
        if text.len() > 30 { "a".to_owned() } else { text.to_owned() }
    }
}
