//! `if`, `do`, `for` and `select`.

use super::parser::{Failed, Parse, Parser};
use super::recover::Closer;
use super::words::{Kind, Kw};
use crate::ast::{Block, ForRange, StmtKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

impl Parser<'_> {
    /// `if … fi` or `do … od`.
    pub(super) fn choice(&mut self, kw: Kw) -> Parse<StmtKind> {
        let open = self.bump().span;
        let closing = if kw == Kw::If { Kw::Fi } else { Kw::Od };
        if !self.at(Punct::Options) {
            let failed = self.no_option(kw, open);
            return if self.eat_kw(closing) { Ok(StmtKind::If(Vec::new())) } else { Err(failed) };
        }
        *self.open_choices(kw) += 1;
        let options = self.options();
        *self.open_choices(kw) -= 1;
        let options = options?;
        let closer = if kw == Kw::If { Closer::Fi } else { Closer::Od };
        self.close(closer, open);
        Ok(if kw == Kw::If { StmtKind::If(options) } else { StmtKind::Do(options) })
    }

    fn open_choices(&mut self, kw: Kw) -> &mut usize {
        if kw == Kw::If { &mut self.open.ifs } else { &mut self.open.dos }
    }

    fn no_option(&mut self, kw: Kw, open: Span) -> Failed {
        let lex = self.peek().clone();
        let word = kw.text();
        let message = format!("expected `::` after `{word}`, found {}", lex.describe());
        let mut diagnostic = Diagnostic::new(Code::Syntax, lex.span, message)
            .related(open, format!("this `{word}`"));
        diagnostic = match (kw, &lex.kind) {
            (Kw::If, Kind::Punct(Punct::LParen)) => {
                diagnostic.hint("write `if :: (condition) -> … :: else -> … fi`")
            }
            _ => diagnostic.hint(format!("every option of `{word}` begins with `::`")),
        };
        self.fail(diagnostic)
    }

    fn options(&mut self) -> Parse<Vec<Block>> {
        let mut options = Vec::new();
        while self.at(Punct::Options) {
            let open = self.bump().span;
            self.enter()?;
            let steps = self.sequence(open);
            self.leave();
            options.push(Block { steps, span: open.to(self.last) });
        }
        Ok(options)
    }

    /// `for (i : a .. b) { … }` or `for (i in a) { … }`.
    pub(super) fn for_loop(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "after `for`")?;
        self.src.in_for = true;
        let head = self.for_head();
        self.src.in_for = false;
        let (var, range) = match head {
            Ok(head) => head,
            Err(failed) => {
                let has_body = self.skip_for_head(failed);
                return if has_body { Ok(StmtKind::Block(self.block()?)) } else { Err(Failed) };
            }
        };
        // A line may end before the brace; the body has no other separator.
        if self.at(Punct::Semi) {
            self.bump();
        }
        if !self.at(Punct::LBrace) {
            return Err(self.expected("`{` after the head of the `for`"));
        }
        let body = self.block()?;
        Ok(StmtKind::For { var, range, body })
    }

    fn for_head(&mut self) -> Parse<(crate::ast::VarRef, ForRange)> {
        let var = self.var_ref()?;
        if self.eat_kw(Kw::In) {
            let over = self.var_ref()?;
            self.expect(Punct::RParen, "after the head of the `for`")?;
            return Ok((var, ForRange::In(over)));
        }
        if !self.at(Punct::Colon) {
            let lex = self.peek().clone();
            let message = format!("expected `:` or `in`, found {}", lex.describe());
            let hint = "write `for (i : first .. last) { … }`";
            return Err(self.fail(Diagnostic::new(Code::Syntax, lex.span, message).hint(hint)));
        }
        self.bump();
        let from = self.expr()?;
        self.expect(Punct::DotDot, "between the bounds of the `for`")?;
        let to = self.expr()?;
        self.expect(Punct::RParen, "after the head of the `for`")?;
        Ok((var, ForRange::Between(from, to)))
    }

    /// `select (i : a .. b)`.
    pub(super) fn select(&mut self, literal: bool) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "after `select`")?;
        let var = self.var_ref()?;
        self.expect(Punct::Colon, "after the variable of the `select`")?;
        let from = self.expr()?;
        self.expect(Punct::DotDot, "between the bounds of the `select`")?;
        let to = self.expr()?;
        self.expect(Punct::RParen, "after the bounds of the `select`")?;
        Ok(StmtKind::Select { var, from, to, literal })
    }
}
