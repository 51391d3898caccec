//! Inlines: their definition is kept as tokens, a call is parsed with the
//! arguments in place of the parameters.

use super::names::Inline;
use super::parser::{Failed, Parse, Parser};
use super::stream::Frame;
use super::words::Kind;
use crate::ast::{Expr, ExprKind, InlineDef, Name, Stmt, StmtKind, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Expansion, ExpansionKind, Span};
use crate::token::{Punct, Token, TokenKind};
use std::rc::Rc;

/// The maximal nesting of calls.
const MAX_CALLS: usize = 200;

/// Spin follows calls no deeper than this.
const SPIN_MAX_CALLS: usize = 16;

impl Parser<'_> {
    /// `inline name(params) { … }`. `None` if there is one of that name.
    pub(super) fn inline_definition(&mut self) -> Parse<Option<InlineDef>> {
        self.bump();
        let name = self.inline_name()?;
        self.expect(Punct::LParen, "after the name of the inline")?;
        let mut params: Vec<Name> = Vec::new();
        if !self.at(Punct::RParen) {
            params.push(self.name("the name of a parameter")?);
            while self.eat(Punct::Comma) {
                params.push(self.name("the name of a parameter")?);
            }
        }
        self.expect(Punct::RParen, "after the parameters of the inline")?;
        let body = self.tokens_in_braces("the inline")?;
        if let Some(first) = self.src.names.inline(&name.text) {
            let message = format!("the inline `{}` is defined twice", name.text);
            let diagnostic = Diagnostic::new(Code::Redeclared, name.span, message)
                .related(first.name.span, "the first definition");
            self.fail(diagnostic);
            return Ok(None);
        }
        let mut positions = rustc_hash::FxHashMap::default();
        for (i, p) in params.iter().enumerate() {
            positions.entry(p.text.clone()).or_insert(i);
        }
        let n_params = params.len();
        let inline = Inline { name: name.clone(), n_params, params: positions, body };
        self.src.names.declare_inline(inline);
        Ok(Some(InlineDef { name, params }))
    }

    fn inline_name(&mut self) -> Parse<Name> {
        if let Kind::InlineName(text) = &self.peek().kind {
            let text = text.clone();
            return Ok(Name { text, span: self.bump().span });
        }
        self.name("the name of an inline")
    }

    /// Reads `{ … }` without parsing it. Nothing has been read ahead.
    pub(super) fn tokens_in_braces(&mut self, what: &str) -> Parse<Vec<Token>> {
        let mut tokens: Vec<Token> = Vec::new();
        let mut depth = 0usize;
        loop {
            let raw = self.src.next_raw();
            let kind = raw.token.kind.clone();
            if kind == TokenKind::End || (depth == 0 && kind != TokenKind::Punct(Punct::LBrace)) {
                let span = raw.token.span;
                let open = tokens.first().map(|t| t.span);
                self.src.stream.put_back(raw);
                return Err(self.no_braces(what, open, span));
            }
            self.taken += 1;
            self.last = raw.token.span;
            tokens.push(raw.token);
            match kind {
                TokenKind::Punct(Punct::LBrace) => depth += 1,
                TokenKind::Punct(Punct::RBrace) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(tokens);
            }
        }
    }

    fn no_braces(&mut self, what: &str, open: Option<Span>, found: Span) -> Failed {
        let diagnostic = match open {
            Some(open) => Diagnostic::new(Code::Syntax, open, "this `{` is not closed")
                .label(format!("the text of {what} begins here")),
            None => Diagnostic::new(Code::Syntax, found, format!("expected `{{` after {what}")),
        };
        self.fail(diagnostic)
    }

    /// `f(args)`, from the name on; with `result = ` before it if there is one.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parse<StmtKind> {
        let name = self.inline_name()?;
        self.expect(Punct::LParen, "after the name of the inline")?;
        self.record = Some(Vec::new());
        let arguments = self.call_arguments();
        self.record = None;
        let arguments = arguments?;
        let call = name.span.to(self.last);
        let Some(inline) = self.src.names.inline(&name.text).cloned() else {
            return Err(Failed);
        };
        if let Err(problem) = self.check_call(&inline, arguments.len(), call) {
            self.fail(*problem);
            // The call is complete; a placeholder stands for its body.
            return Ok(StmtKind::Expr(Expr { kind: ExprKind::Number(1.into()), span: call }));
        }
        let expansion = self.src.map.add_expansion(Expansion {
            kind: ExpansionKind::Inline,
            name: name.text.to_string(),
            call,
            definition: inline.name.span,
        });
        self.src.stream.push(Frame::new(inline, arguments, result, expansion));
        self.src.last_read = super::filter::Last::Other;
        let open = self.peek().span;
        let block = self.block()?;
        let span = open.to(block.span);
        let body = Box::new(Stmt { kind: StmtKind::Block(block), span });
        Ok(StmtKind::InlineCall { name, body })
    }

    /// The arguments as tokens, and the closing parenthesis. They are parsed to
    /// find their ends, and once more where the inline uses them.
    fn call_arguments(&mut self) -> Parse<Vec<Rc<[Token]>>> {
        let mut arguments = Vec::new();
        if self.at(Punct::RParen) {
            self.bump();
            return Ok(arguments);
        }
        loop {
            self.expr()?;
            arguments.push(self.record.replace(Vec::new()).unwrap_or_default().into());
            if self.at(Punct::Comma) {
                self.bump();
                self.record = Some(Vec::new());
                continue;
            }
            self.expect(Punct::RParen, "after the arguments of the inline")?;
            return Ok(arguments);
        }
    }

    fn check_call(
        &mut self,
        inline: &Rc<Inline>,
        n_arguments: usize,
        call: Span,
    ) -> Result<(), Box<Diagnostic>> {
        let name = &inline.name.text;
        let problem = |message: String| {
            let diagnostic = Diagnostic::new(Code::InlineCall, call, message);
            Box::new(diagnostic.related(inline.name.span, "the inline is defined here"))
        };
        let frames = self.src.stream.frames();
        if frames.iter().any(|f| Rc::ptr_eq(&f.inline, inline)) {
            return Err(problem(format!("the inline `{name}` calls itself")));
        }
        if n_arguments != inline.n_params {
            let n = inline.n_params;
            let s = if n == 1 { "" } else { "s" };
            return Err(problem(format!(
                "the inline `{name}` takes {n} argument{s}, not {n_arguments}"
            )));
        }
        if frames.len() >= MAX_CALLS {
            return Err(problem(format!("calls of inlines are nested more than {MAX_CALLS} deep")));
        }
        if frames.len() == SPIN_MAX_CALLS {
            let message = format!(
                "spin does not follow calls of inlines that are nested more than {SPIN_MAX_CALLS} deep"
            );
            self.src.diags.push(Diagnostic::new(Code::SpinLimit, call, message));
        }
        Ok(())
    }
}
