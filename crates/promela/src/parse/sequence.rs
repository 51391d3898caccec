//! Sequences of declarations and statements, and the blocks around them.

use super::parser::{Parse, Parser};
use super::recover::{Closer, ends_sequence, opens_unit};
use super::words::{Kind, Kw};
use crate::ast::{Block, BlockItem, Expr, ExprKind, Stmt, StmtKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

impl Parser<'_> {
    /// The body of a unit: ends of lines count in it.
    pub(super) fn body(&mut self) -> Parse<Block> {
        let open = self.expect(Punct::LBrace, "before the body")?;
        self.src.in_body = true;
        let block = self.block_after(open);
        self.src.in_body = false;
        block
    }

    /// `{ sequence }`.
    pub(super) fn block(&mut self) -> Parse<Block> {
        let open = self.expect(Punct::LBrace, "here")?;
        self.block_after(open)
    }

    fn block_after(&mut self, open: Span) -> Parse<Block> {
        self.enter()?;
        self.open.braces += 1;
        let steps = self.sequence(open);
        self.open.braces -= 1;
        let end = self.close(Closer::RBrace, open);
        self.leave();
        Ok(Block { steps, span: open.to(end) })
    }

    /// The items up to the end of the sequence. Items with errors are left out.
    pub(super) fn sequence(&mut self, open: Span) -> Vec<BlockItem> {
        let mut steps = Vec::new();
        if ends_sequence(self.peek()) {
            if self.peek().kind != Kind::End && !opens_unit(self.peek()) {
                self.empty_sequence(open);
            }
            return steps;
        }
        loop {
            let before = self.taken;
            let separated = match self.step() {
                Ok(step) => {
                    if !steps.is_empty() {
                        self.warn_late_else(&step);
                    }
                    steps.push(step);
                    false
                }
                Err(failed) => {
                    self.skip_step(failed, before);
                    true
                }
            };
            if !self.separators(separated, steps.last(), before) {
                return steps;
            }
        }
    }

    /// Takes separators; false at the end of the sequence.
    fn separators(&mut self, separated: bool, step: Option<&BlockItem>, before: usize) -> bool {
        let mut n = 0;
        let mut second = self.last;
        while self.peek().is_separator() {
            n += 1;
            let span = self.bump().span;
            if n == 2 {
                second = span;
            }
        }
        if ends_sequence(self.peek()) {
            if n > 1 && self.peek().kind != Kind::End {
                let message = "too many separators at the end of a sequence";
                let hint = "remove the redundant `;`";
                self.fail(Diagnostic::new(Code::Syntax, second, message).hint(hint));
            }
            return false;
        }
        if n == 0 && !separated {
            self.missing_separator(step);
            self.skip_step(super::parser::Failed, before);
            while self.peek().is_separator() {
                self.bump();
            }
            return !ends_sequence(self.peek());
        }
        true
    }

    fn missing_separator(&mut self, step: Option<&BlockItem>) {
        let lex = self.peek().clone();
        let word = match step {
            Some(BlockItem::Stmt(Stmt { kind: StmtKind::Expr(e), .. })) => single_word(e),
            _ => None,
        };
        let by_word = word.and_then(|w| super::hints::for_statement(w, &lex, &self.src.names));
        let diagnostic = match (by_word, super::hints::for_token(&lex, "`;`")) {
            (Some((message, hint)), _) => {
                let span = match step {
                    Some(BlockItem::Stmt(stmt)) => stmt.span,
                    _ => lex.span,
                };
                Diagnostic::new(Code::Syntax, span, message).hint(hint)
            }
            (None, Some(hint)) => {
                let found = lex.describe();
                let message = format!("expected `;` or the end of the sequence, found {found}");
                Diagnostic::new(Code::Syntax, lex.span, message).hint(hint)
            }
            (None, None) => {
                let message = format!("expected `;`, found {}", lex.describe());
                Diagnostic::new(Code::Syntax, self.behind_last(&lex), message)
                    .label("add `;` here")
                    .related(lex.span, "this cannot go on with the statement before it")
                    .hint("statements on one line are separated by `;` or `->`")
            }
        };
        self.fail(diagnostic);
    }

    /// `else` after another statement: its `::` is probably missing.
    fn warn_late_else(&mut self, step: &BlockItem) {
        let BlockItem::Stmt(Stmt { kind: StmtKind::Else, span }) = step else { return };
        let message = "`else` does not open an option here";
        let diagnostic = Diagnostic::new(Code::Suspicious, *span, message)
            .label("this is a statement of the option before it")
            .hint("write `:: else -> …`");
        self.src.diags.push(diagnostic);
    }

    fn empty_sequence(&mut self, open: Span) {
        let lex = self.peek().clone();
        if lex.is(Punct::Options) && self.open.ifs + self.open.dos == 0 {
            let message = "an option stands outside `if` and `do`";
            let diagnostic = Diagnostic::new(Code::Syntax, lex.span, message)
                .hint("write `if :: … fi` or `do :: … od`");
            self.fail(diagnostic);
            return;
        }
        let diagnostic = Diagnostic::new(Code::Structure, open, "an empty sequence")
            .label(format!("a statement must stand between this and {}", lex.describe()))
            .hint("`skip` does nothing");
        self.fail(diagnostic);
    }

    fn step(&mut self) -> Parse<BlockItem> {
        if self.at_declaration() {
            return self.local_declaration();
        }
        if let Kind::Kw(kw @ (Kw::Xr | Kw::Xs)) = self.peek().kind {
            let span = self.bump().span;
            let mut channels = vec![self.var_ref()?];
            while self.eat(Punct::Comma) {
                channels.push(self.var_ref()?);
            }
            return Ok(BlockItem::Exclusive { send: kw == Kw::Xs, channels, span });
        }
        let main = self.statement()?;
        if !self.eat_kw(Kw::Unless) {
            return Ok(BlockItem::Stmt(main));
        }
        let escape = self.statement()?;
        let span = main.span.to(escape.span);
        let kind = StmtKind::Unless(Box::new(main), Box::new(escape));
        Ok(BlockItem::Stmt(Stmt { kind, span }))
    }

    fn local_declaration(&mut self) -> Parse<BlockItem> {
        match self.declaration()? {
            super::decl::Declared::Vars(decl) => Ok(BlockItem::Decl(decl)),
            super::decl::Declared::Mtype(_, span) => {
                let message = "an `mtype` can only be declared outside proctypes";
                Err(self.fail(Diagnostic::new(Code::Declaration, span, message)))
            }
        }
    }
}

/// The word, if the expression is nothing else.
fn single_word(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Var(v) if v.parts.len() == 1 && v.parts[0].index.is_none() => {
            Some(&v.parts[0].name.text)
        }
        _ => None,
    }
}
