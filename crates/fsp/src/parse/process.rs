//! Primitive processes: local processes, choices, sequential composition.

use super::parser::{Parsed, Parser};
use crate::ast::{Branch, Call, Local, LocalDef, LocalKind, Modifier, ProcessDef};
use crate::diagnostic::{Code, Diagnostic};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn process(
        &mut self,
        property: bool,
        modifier: Option<Modifier>,
    ) -> Parsed<ProcessDef> {
        let name = self.name(TokenKind::Upper)?;
        let params = self.params()?;
        self.expect(TokenKind::Assign)?;
        let body = self.local()?;
        let mut locals = vec![LocalDef { name: name.clone(), indices: Vec::new(), body }];
        while self.eat(TokenKind::Comma) {
            let name = self.name(TokenKind::Upper)?;
            let indices = self.indices()?;
            self.expect(TokenKind::Assign)?;
            locals.push(LocalDef { name, indices, body: self.local()? });
        }
        let extension = match self.eat(TokenKind::Plus) {
            true => Some(self.set()?),
            false => None,
        };
        let relabel = self.relabelling()?;
        let hide = self.hiding()?;
        self.end_of_definition(&name.text, "`,` or `.`")?;
        Ok(ProcessDef { property, modifier, name, params, locals, extension, relabel, hide })
    }

    /// The full stop after a process or composite.
    pub(super) fn end_of_definition(&mut self, name: &str, expected: &str) -> Parsed<()> {
        if self.eat(TokenKind::Dot) {
            return Ok(());
        }
        let begins = self.kind() == TokenKind::Upper || self.at_definition();
        let hint = match self.kind() {
            TokenKind::Semi => format!("the definition of `{name}` ends with `.`"),
            TokenKind::End => format!("end the definition of `{name}` with `.`"),
            _ if begins => format!(
                "end the definition of `{name}` with `.`, or with `,` if the next one belongs to it"
            ),
            TokenKind::Pipe => "the branches of a choice stand in parentheses".to_owned(),
            TokenKind::OrOr => {
                "the parts of a composite stand in parentheses: `||S = (P || Q).`".to_owned()
            }
            TokenKind::Arrow => {
                "actions stand in parentheses, as in `P = (a -> b -> P).`".to_owned()
            }
            _ => return Err(self.expected(expected)),
        };
        Err(self.expected_with_hint(expected, &hint))
    }

    pub(super) fn local(&mut self) -> Parsed<Local> {
        self.nested(Self::local_body)
    }

    fn local_body(&mut self) -> Parsed<Local> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Stop => self.bumped(LocalKind::Stop),
            TokenKind::EndProcess => self.bumped(LocalKind::End),
            TokenKind::Error => self.bumped(LocalKind::Error),
            TokenKind::If => self.conditional()?,
            TokenKind::LParen => self.choice()?,
            TokenKind::Upper => self.reference()?,
            TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket | TokenKind::When => {
                let hint = "actions stand in parentheses, as in `P = (a -> P).`";
                return Err(self.expected_with_hint("a process", hint));
            }
            _ => return Err(self.expected("a process")),
        };
        Ok(Local { kind, span: start.to(self.last_span()) })
    }

    fn bumped(&mut self, kind: LocalKind) -> LocalKind {
        self.bump();
        kind
    }

    fn conditional(&mut self) -> Parsed<LocalKind> {
        self.bump();
        let condition = self.expr()?;
        self.expect(TokenKind::Then)?;
        let then = Box::new(self.local()?);
        let otherwise = match self.eat(TokenKind::Else) {
            true => Some(Box::new(self.local()?)),
            false => None,
        };
        Ok(LocalKind::If(condition, then, otherwise))
    }

    /// A local process, or a sequence of processes that ends in one.
    fn reference(&mut self) -> Parsed<LocalKind> {
        let mut calls = Vec::new();
        loop {
            if calls.len() > 1 << 12 {
                return Err(self.expected("fewer processes in a sequence"));
            }
            match (self.kind(), self.kind_at(1)) {
                (TokenKind::Upper, TokenKind::LParen | TokenKind::Semi) => {
                    calls.push(self.call()?);
                    self.separator()?;
                }
                (TokenKind::Upper, _) => {
                    let name = self.name(TokenKind::Upper)?;
                    let indices = self.values()?;
                    let span = name.span.to(self.last_span());
                    let last = LocalKind::Jump(name, indices);
                    return Ok(in_sequence(calls, Local { kind: last, span }));
                }
                _ => {
                    let last = self.local()?;
                    return Ok(in_sequence(calls, last));
                }
            }
        }
    }

    /// The `;` after a process of a sequence. LTSA reads over any token here, and published
    /// models have `->` and `else`.
    fn separator(&mut self) -> Parsed<()> {
        if let TokenKind::Arrow | TokenKind::Else = self.kind() {
            let found = self.kind().describe();
            let message = format!("{found} after a process is read as `;`, as LTSA does");
            let hint = match self.kind() {
                TokenKind::Else => "write `;` and the next process, such as `END`, before `else`",
                _ => "write `;`",
            };
            self.note(Diagnostic::new(Code::Suspicious, self.span(), message).hint(hint));
            self.bump();
            return Ok(());
        }
        let hint = "a process with arguments is followed by `;` and the process after it, \
                    as in `P(1); END`";
        self.expect_with_hint(TokenKind::Semi, hint)?;
        Ok(())
    }

    /// `P` or `P(1, 2)`.
    pub(super) fn call(&mut self) -> Parsed<Call> {
        let name = self.name(TokenKind::Upper)?;
        let mut args = Vec::new();
        if self.eat(TokenKind::LParen) {
            args = self.list(TokenKind::Comma, Self::expr)?;
            self.expect(TokenKind::RParen)?;
        }
        Ok(Call { name, args })
    }

    fn choice(&mut self) -> Parsed<LocalKind> {
        self.bump();
        if self.kind() == TokenKind::Upper
            && matches!(self.kind_at(1), TokenKind::OrOr | TokenKind::RParen | TokenKind::LParen)
        {
            let hint = "the name of a composite begins with `||`, as in `||S = (P || Q).`";
            return Err(self.expected_with_hint("an action", hint));
        }
        let branches = self.list(TokenKind::Pipe, Self::branch)?;
        if self.kind() == TokenKind::OrOr {
            let hint = "branches of a choice are separated by `|`";
            return Err(self.expected_with_hint("`|` or `)`", hint));
        }
        self.expect(TokenKind::RParen)?;
        Ok(LocalKind::Choice(branches))
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let guard = match self.eat(TokenKind::When) {
            true => Some(self.expr()?),
            false => None,
        };
        let mut labels = Vec::new();
        loop {
            let label = self.labels()?;
            let complete = format!("(… -> {} -> STOP)", self.text_before(label.span));
            labels.push(label);
            if matches!(self.kind(), TokenKind::RParen | TokenKind::Pipe) {
                let hint = format!("a process follows the last action, as in `{complete}`");
                return Err(self.expected_with_hint("`->`", &hint));
            }
            if self.kind() == TokenKind::When {
                let hint = "a guard stands before its action, as in `when (i == 0) a -> …`";
                return Err(self.expected_with_hint("`->`", hint));
            }
            if (self.kind(), self.kind_at(1)) == (TokenKind::Minus, TokenKind::Gt) {
                let span = self.span().to(self.token(1).span);
                let diagnostic = Diagnostic::new(Code::Syntax, span, "expected `->`, found `- >`");
                return Err(self.report(diagnostic.hint("write `->`")));
            }
            self.expect(TokenKind::Arrow)?;
            if !self.at_label() {
                break;
            }
        }
        Ok(Branch { guard, labels, next: self.local()? })
    }

    /// Whether a label begins here, and not a process.
    fn at_label(&self) -> bool {
        match self.kind() {
            TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket => true,
            // A set: `Players.get -> …`; a process has `[` as well.
            TokenKind::Upper => match self.kind_at(1) {
                TokenKind::Arrow => true,
                TokenKind::Dot => matches!(
                    self.kind_at(2),
                    TokenKind::Lower | TokenKind::LBrace | TokenKind::LBracket
                ),
                _ => false,
            },
            _ => false,
        }
    }
}

fn in_sequence(calls: Vec<Call>, last: Local) -> LocalKind {
    if calls.is_empty() { last.kind } else { LocalKind::Sequence(calls, Box::new(last)) }
}
