//! The parser's state: a position in the tokens, the diagnostics, the nesting.

use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// A syntax error that has been reported.
pub(super) struct Reported;

/// What a rule of the grammar gives.
pub(super) type Parsed<T> = Result<T, Reported>;

/// Deeper nesting is refused; the stack of a thread with 2 MB has room for it.
const MAX_NESTING: usize = 160;
/// Operators of one expression or formula. Rows of operators are trees that lean to the left:
/// their depth is their length, and that of the rows in brackets adds to it.
const MAX_OPERATORS: usize = 500;

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
    /// Operators of the expression or formula that is being read, brackets included.
    operators: usize,
    /// Expressions and formulas that are being read.
    open_terms: usize,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: Vec<Token>, diagnostics: &'a mut Diagnostics) -> Self {
        Self { text, tokens, at: 0, nesting: 0, operators: 0, open_terms: 0, diagnostics }
    }

    /// The token `ahead` places on; past the end, the end.
    pub fn token(&self, ahead: usize) -> Token {
        let last = Token { kind: TokenKind::End, span: Span::default() };
        let at = (self.at + ahead).min(self.tokens.len().saturating_sub(1));
        self.tokens.get(at).copied().unwrap_or(last)
    }

    pub fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    pub fn kind_at(&self, ahead: usize) -> TokenKind {
        self.token(ahead).kind
    }

    pub fn span(&self) -> Span {
        self.token(0).span
    }

    /// The span of the token before.
    pub fn last_span(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.span(), |t| t.span)
    }

    /// The kind of the token before.
    pub fn last_kind(&self) -> Option<TokenKind> {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|t| t.kind)
    }

    /// How many tokens have been read.
    pub fn position(&self) -> usize {
        self.at
    }

    pub fn text_of(&self, ahead: usize) -> &'a str {
        self.token(ahead).span.text(self.text)
    }

    pub fn source(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    /// The next token. The text has ended if nobody is interested in the rest.
    pub fn bump(&mut self) -> Token {
        let token = self.token(0);
        if !self.diagnostics.go_on() {
            self.at = self.tokens.len().saturating_sub(1);
            return token;
        }
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Two marks without a blank between them, such as `[]`.
    pub fn eat_joined(&mut self, first: TokenKind, second: TokenKind) -> bool {
        let (a, b) = (self.token(0), self.token(1));
        let found = a.kind == first && b.kind == second && a.span.end == b.span.start;
        if found {
            self.bump();
            self.bump();
        }
        found
    }

    pub fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        if self.kind() == kind {
            return Ok(self.bump());
        }
        Err(self.expected(kind.describe()))
    }

    pub fn expect_with_hint(&mut self, kind: TokenKind, hint: &str) -> Parsed<Token> {
        if self.kind() == kind {
            return Ok(self.bump());
        }
        Err(self.expected_with_hint(kind.describe(), hint))
    }

    pub fn name(&mut self, kind: TokenKind) -> Parsed<Name> {
        let text = self.text_of(0).into();
        Ok(Name { text, span: self.expect(kind)?.span })
    }

    /// Reports that `what` was expected here.
    pub fn expected(&mut self, what: &str) -> Reported {
        let diagnostic = self.unexpected(what);
        self.report(diagnostic)
    }

    pub fn expected_with_hint(&mut self, what: &str, hint: &str) -> Reported {
        let diagnostic = self.unexpected(what).hint(hint);
        self.report(diagnostic)
    }

    fn unexpected(&self, what: &str) -> Diagnostic {
        let found = match self.kind() {
            kind @ TokenKind::End => kind.describe().to_owned(),
            _ => format!("`{}`", self.text_of(0)),
        };
        let message = format!("expected {what}, found {found}");
        Diagnostic::new(Code::Syntax, self.span(), message).label(format!("expected {what}"))
    }

    pub fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// A diagnostic that does not stop the parser.
    pub fn note(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Runs a rule one level deeper.
    pub fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("nested more than {MAX_NESTING} levels deep");
            return Err(self.report(Diagnostic::new(Code::Nesting, self.span(), message)));
        }
        self.nesting += 1;
        let result = rule(self);
        self.nesting -= 1;
        result
    }

    /// Runs a rule that reads an expression or a formula.
    pub fn term<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.open_terms == 0 {
            self.operators = 0;
        }
        self.open_terms += 1;
        let result = self.nested(rule);
        self.open_terms -= 1;
        result
    }

    /// Counts an operator.
    pub fn operator_read(&mut self, span: Span) -> Parsed<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            let message =
                format!("more than {MAX_OPERATORS} operators in one expression or formula");
            return Err(self.report(Diagnostic::new(Code::Nesting, span, message)));
        }
        Ok(())
    }

    /// `item { separator item }`.
    pub fn list<T>(
        &mut self,
        separator: TokenKind,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(separator) {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
