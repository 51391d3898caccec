//! Definitions other than processes and composites, and what all definitions share.

use super::parser::{Parsed, Parser};
use crate::ast::{
    AssertDef, AssertKind, ConstDef, Definition, File, FluentDef, MenuDef, Modifier, Name, Param,
    ProgressDef, RangeDef, SetDef,
};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut file = File::default();
        while self.kind() != TokenKind::End {
            let start = self.position();
            match self.definition() {
                Ok(definition) => file.definitions.push(definition),
                Err(_) => self.skip_to_definition(start),
            }
        }
        file
    }

    fn definition(&mut self) -> Parsed<Definition> {
        match self.kind() {
            TokenKind::Const => self.constant(),
            TokenKind::Range => self.range(),
            TokenKind::Set => self.set_definition(),
            TokenKind::Progress => self.progress(),
            TokenKind::Menu => self.menu(),
            TokenKind::Fluent => self.fluent(),
            TokenKind::Assert => self.assertion(AssertKind::Assert),
            TokenKind::LtlProperty => self.assertion(AssertKind::Property),
            TokenKind::Constraint => self.assertion(AssertKind::Constraint),
            _ => self.process_or_composite(),
        }
    }

    fn process_or_composite(&mut self) -> Parsed<Definition> {
        let (mut property, mut modifier) = (false, None);
        loop {
            match self.kind() {
                TokenKind::Property => property = true,
                TokenKind::Minimal => modifier = Some(Modifier::Minimal),
                TokenKind::Deterministic => modifier = Some(Modifier::Deterministic),
                TokenKind::Compose => modifier = Some(Modifier::Compose),
                _ => break,
            }
            self.bump();
        }
        match self.kind() {
            TokenKind::OrOr => self.composite(property, modifier).map(Definition::Composite),
            TokenKind::Upper => self.process(property, modifier).map(Definition::Process),
            TokenKind::Lower => {
                let hint = format!(
                    "names of processes begin with a capital letter: `{}`",
                    self.text_of(0).to_ascii_uppercase()
                );
                Err(self.expected_with_hint("a definition", &hint))
            }
            TokenKind::Dot | TokenKind::Semi => {
                let hint = "a `.` ends a process or composite; other definitions have no end mark";
                Err(self.expected_with_hint("a definition", hint))
            }
            _ => Err(self.expected("a definition")),
        }
    }

    fn constant(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.name(TokenKind::Upper)?;
        self.expect(TokenKind::Assign)?;
        Ok(Definition::Const(ConstDef { name, value: self.simple_expr()? }))
    }

    fn range(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.name(TokenKind::Upper)?;
        self.expect(TokenKind::Assign)?;
        let low = self.simple_expr()?;
        self.expect_with_hint(TokenKind::DotDot, "a range has two bounds, as in `0..3`")?;
        Ok(Definition::Range(RangeDef { name, low, high: self.simple_expr()? }))
    }

    fn set_definition(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.name(TokenKind::Upper)?;
        self.expect(TokenKind::Assign)?;
        Ok(Definition::Set(SetDef { name, set: self.set()? }))
    }

    fn progress(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.definition_name()?;
        let indices = self.indices()?;
        self.expect(TokenKind::Assign)?;
        let mut condition = None;
        if self.eat(TokenKind::If) {
            condition = Some(self.labels()?);
            self.expect(TokenKind::Then)?;
        }
        let actions = self.labels()?;
        Ok(Definition::Progress(ProgressDef { name, indices, condition, actions }))
    }

    fn menu(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.definition_name()?;
        self.expect(TokenKind::Assign)?;
        Ok(Definition::Menu(MenuDef { name, actions: self.labels()? }))
    }

    fn fluent(&mut self) -> Parsed<Definition> {
        self.bump();
        let name = self.definition_name()?;
        let indices = self.indices()?;
        self.expect(TokenKind::Assign)?;
        let hint = "a fluent is `<actions that begin it, actions that end it>`";
        self.expect_with_hint(TokenKind::Lt, hint)?;
        let initiating = self.labels()?;
        self.expect_with_hint(TokenKind::Comma, hint)?;
        let terminating = self.labels()?;
        self.expect_with_hint(TokenKind::Gt, hint)?;
        let initially = match self.eat(TokenKind::Initially) {
            true => Some(self.simple_expr()?),
            false => None,
        };
        Ok(Definition::Fluent(FluentDef { name, indices, initiating, terminating, initially }))
    }

    fn assertion(&mut self, kind: AssertKind) -> Parsed<Definition> {
        self.bump();
        let name = self.definition_name()?;
        let params = self.params()?;
        self.expect(TokenKind::Assign)?;
        let formula = self.formula()?;
        let extension = match self.eat(TokenKind::Plus) {
            true => Some(self.set()?),
            false => None,
        };
        Ok(Definition::Assert(AssertDef { kind, name, params, formula, extension }))
    }

    /// The name of a property or formula; `END` is one in published models.
    fn definition_name(&mut self) -> Parsed<Name> {
        match self.kind() {
            kind @ (TokenKind::Stop | TokenKind::EndProcess | TokenKind::Error) => self.name(kind),
            _ => self.name(TokenKind::Upper),
        }
    }

    /// `(N = 3, M = 4)`, or nothing.
    pub(super) fn params(&mut self) -> Parsed<Vec<Param>> {
        if !self.eat(TokenKind::LParen) {
            return Ok(Vec::new());
        }
        let params = self.list(TokenKind::Comma, |p| {
            let name = p.name(TokenKind::Upper)?;
            let hint = "a parameter has a default value, as in `(N = 2)`";
            p.expect_with_hint(TokenKind::Assign, hint)?;
            Ok(Param { name, default: p.expr()? })
        })?;
        self.expect(TokenKind::RParen)?;
        Ok(params)
    }
}
