//! Composites: parts, prefixes, relabelling, priority, hiding.

use super::parser::{Parsed, Parser};
use crate::ast::{
    Body, BodyKind, CompositeDef, Hide, LabelExpr, LabelIndex, Modifier, Priority, Relabel,
};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn composite(
        &mut self,
        property: bool,
        modifier: Option<Modifier>,
    ) -> Parsed<CompositeDef> {
        self.expect(TokenKind::OrOr)?;
        let name = self.name(TokenKind::Upper)?;
        let params = self.params()?;
        self.expect(TokenKind::Assign)?;
        let body = self.body()?;
        let priority = match self.kind() {
            kind @ (TokenKind::Shl | TokenKind::Shr) => {
                self.bump();
                Some(Priority { high: kind == TokenKind::Shl, set: self.set()? })
            }
            _ => None,
        };
        let hide = self.hiding()?;
        self.end_of_definition(&name.text, "`.`")?;
        Ok(CompositeDef { property, modifier, name, params, body, priority, hide })
    }

    fn body(&mut self) -> Parsed<Body> {
        self.nested(Self::part)
    }

    fn part(&mut self) -> Parsed<Body> {
        let start = self.span();
        let (mut share, mut prefix) = (None, None);
        let kind = match self.kind() {
            TokenKind::Forall => self.replication()?,
            TokenKind::If => self.conditional_part()?,
            _ => {
                (share, prefix) = self.prefixes()?;
                self.simple_part()?
            }
        };
        // A relabelling after `forall` or `if` belongs to the part inside.
        let relabel = match kind {
            BodyKind::Call(_) | BodyKind::Group(_) => self.relabelling()?,
            BodyKind::Forall(..) | BodyKind::If(..) => Vec::new(),
        };
        Ok(Body { share, prefix, kind, relabel, span: start.to(self.last_span()) })
    }

    fn simple_part(&mut self) -> Parsed<BodyKind> {
        match self.kind() {
            TokenKind::Upper => Ok(BodyKind::Call(self.call()?)),
            TokenKind::LParen => {
                self.bump();
                let parts = self.list(TokenKind::OrOr, Self::body)?;
                if self.kind() == TokenKind::Pipe {
                    let hint = "parts of a composite are separated by `||`";
                    return Err(self.expected_with_hint("`||` or `)`", hint));
                }
                if self.kind() == TokenKind::Arrow {
                    let hint = "a process with actions has a definition of its own, without `||`";
                    return Err(self.expected_with_hint("`||` or `)`", hint));
                }
                self.expect(TokenKind::RParen)?;
                Ok(BodyKind::Group(parts))
            }
            TokenKind::Stop | TokenKind::EndProcess | TokenKind::Error => {
                let hint = "give it a name first, as in `IDLE = STOP.`";
                Err(self.expected_with_hint("the name of a process", hint))
            }
            _ => Err(self.expected("the name of a process or `(`")),
        }
    }

    /// `a :`, `{a, b} ::`, or both.
    fn prefixes(&mut self) -> Parsed<(Option<LabelExpr>, Option<LabelExpr>)> {
        if !self.at_prefix() {
            return Ok((None, None));
        }
        let first = self.labels()?;
        match self.kind() {
            TokenKind::Colon => {
                self.bump();
                Ok((None, Some(first)))
            }
            TokenKind::ColonColon => {
                self.bump();
                if !self.at_prefix() {
                    return Ok((Some(first), None));
                }
                let second = self.labels()?;
                self.expect(TokenKind::Colon)?;
                Ok((Some(first), Some(second)))
            }
            TokenKind::Arrow => {
                let hint = "a process with actions has a definition of its own, without `||`";
                Err(self.expected_with_hint("`:` or `::`", hint))
            }
            _ => {
                let hint = "names of processes begin with a capital letter; `a:P` prefixes \
                            the actions of `P` with `a`";
                Err(self.expected_with_hint("`:` or `::`", hint))
            }
        }
    }

    fn at_prefix(&self) -> bool {
        match self.kind() {
            TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket => true,
            TokenKind::Upper => {
                matches!(
                    self.kind_at(1),
                    TokenKind::Colon | TokenKind::ColonColon | TokenKind::Dot | TokenKind::LBracket
                ) && !self.ends_here()
            }
            _ => false,
        }
    }

    /// Whether the name here is the last of a definition: its `.` ends it.
    fn ends_here(&self) -> bool {
        let goes_on =
            matches!(self.kind_at(2), TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket);
        self.kind_at(1) == TokenKind::Dot && !goes_on
    }

    fn replication(&mut self) -> Parsed<BodyKind> {
        self.bump();
        let ranges = self.ranges()?;
        Ok(BodyKind::Forall(ranges, Box::new(self.body()?)))
    }

    fn conditional_part(&mut self) -> Parsed<BodyKind> {
        self.bump();
        let condition = self.expr()?;
        self.expect(TokenKind::Then)?;
        let then = Box::new(self.body()?);
        let otherwise = match self.eat(TokenKind::Else) {
            true => Some(Box::new(self.body()?)),
            false => None,
        };
        Ok(BodyKind::If(condition, then, otherwise))
    }

    /// `/ {new/old, …}`, or nothing.
    pub(super) fn relabelling(&mut self) -> Parsed<Vec<Relabel>> {
        if !self.eat(TokenKind::Slash) {
            return Ok(Vec::new());
        }
        self.relabel_set()
    }

    fn relabel_set(&mut self) -> Parsed<Vec<Relabel>> {
        let hint = "a relabelling is `/{new/old}`";
        self.expect_with_hint(TokenKind::LBrace, hint)?;
        let list = self.list(TokenKind::Comma, |p| p.nested(Self::relabel_element))?;
        self.expect(TokenKind::RBrace)?;
        Ok(list)
    }

    fn relabel_element(&mut self) -> Parsed<Relabel> {
        if self.eat(TokenKind::Forall) {
            let ranges = self.ranges()?;
            return Ok(Relabel::Forall(ranges, self.relabel_set()?));
        }
        let new = self.labels()?;
        self.expect_with_hint(TokenKind::Slash, "a relabelling is `/{new/old}`")?;
        Ok(Relabel::Pair(new, self.labels()?))
    }

    /// `\ {…}` or `@ {…}`, or nothing.
    pub(super) fn hiding(&mut self) -> Parsed<Option<Hide>> {
        let expose = match self.kind() {
            TokenKind::Backslash => false,
            TokenKind::At => true,
            _ => return Ok(None),
        };
        self.bump();
        Ok(Some(Hide { expose, set: self.set()? }))
    }

    /// One or more `[i:R]`.
    pub(super) fn ranges(&mut self) -> Parsed<Vec<LabelIndex>> {
        if self.kind() != TokenKind::LBracket {
            let hint = "a range in brackets follows, as in `[i:1..N]`";
            return Err(self.expected_with_hint("`[`", hint));
        }
        self.indices()
    }
}
