//! Sends, receives and polls.

use super::parser::{Parse, Parser};
use super::words::{Kind, Kw};
use crate::ast::{Expr, ExprKind, RecvArg, StmtKind, UnaryOp, VarRef};
use crate::token::Punct;

impl Parser<'_> {
    /// `q!a, b`, `q!a(b, c)`, `q!!…`, from the operator on.
    pub(super) fn send(&mut self, chan: VarRef) -> Parse<StmtKind> {
        let sorted = self.bump().is(Punct::BangBang);
        let mut args = vec![self.expr()?];
        if self.eat(Punct::LParen) {
            args.append(&mut self.expr_list()?);
            self.expect(Punct::RParen, "after the fields of the message")?;
        } else if self.eat(Punct::Comma) {
            args.append(&mut self.expr_list()?);
        }
        Ok(StmtKind::Send { chan, sorted, args })
    }

    /// A statement that begins with `q?` or `q??`, from the operator on.
    pub(super) fn receive_or_poll(&mut self, chan: VarRef) -> Parse<StmtKind> {
        let random = self.bump().is(Punct::QueryQuery);
        if self.at(Punct::LBracket) {
            let poll = self.poll_fields(chan, random)?;
            return Ok(StmtKind::Expr(self.expr_from(poll)?));
        }
        let peek = self.eat(Punct::Lt);
        let mut args = Vec::new();
        self.receive_args(&mut args)?;
        if peek {
            self.expect(Punct::Gt, "after the fields of the message")?;
        }
        Ok(StmtKind::Receive { chan, random, peek, args })
    }

    /// `q?[…]` in an expression, from the operator on.
    pub(super) fn poll(&mut self, chan: VarRef) -> Parse<Expr> {
        let random = self.bump().is(Punct::QueryQuery);
        if !self.at(Punct::LBracket) {
            return Err(
                self.expected("`[` (a receive is a statement; `q?[m]` tests for a message)")
            );
        }
        self.poll_fields(chan, random)
    }

    fn poll_fields(&mut self, chan: VarRef, random: bool) -> Parse<Expr> {
        self.bump();
        let mut args = Vec::new();
        self.receive_args(&mut args)?;
        let end = self.expect(Punct::RBracket, "after the fields of the message")?;
        let span = chan.span.to(end);
        Ok(Expr { kind: ExprKind::Poll { chan, random, args }, span })
    }

    /// Fields: `a, b`, `a(b, c)`, `(a, b)`.
    fn receive_args(&mut self, args: &mut Vec<RecvArg>) -> Parse<()> {
        loop {
            if self.at(Punct::LParen) {
                return self.receive_args_in_parens(args);
            }
            args.push(self.receive_arg()?);
            if self.at(Punct::LParen) {
                return self.receive_args_in_parens(args);
            }
            if !self.eat(Punct::Comma) {
                return Ok(());
            }
        }
    }

    fn receive_args_in_parens(&mut self, args: &mut Vec<RecvArg>) -> Parse<()> {
        self.bump();
        self.nested(|p| p.receive_args(args))?;
        self.expect(Punct::RParen, "after the fields of the message")?;
        Ok(())
    }

    fn receive_arg(&mut self) -> Parse<RecvArg> {
        match self.peek().kind {
            Kind::Name(_) => Ok(RecvArg::Var(self.var_ref()?)),
            Kind::Number(_) | Kind::Mtype(..) => Ok(RecvArg::Const(self.constant()?)),
            Kind::Punct(Punct::Minus) => {
                let start = self.bump().span;
                let value = self.constant()?;
                let span = start.to(value.span);
                let kind = match value.kind {
                    ExprKind::Number(n) => ExprKind::Number(n.value.wrapping_neg().into()),
                    _ => ExprKind::Unary(UnaryOp::Neg, Box::new(value)),
                };
                Ok(RecvArg::Const(Expr { kind, span }))
            }
            Kind::Kw(Kw::Eval) => {
                self.bump();
                self.expect(Punct::LParen, "after `eval`")?;
                let value = self.expr()?;
                self.expect(Punct::RParen, "after the argument of `eval`")?;
                Ok(RecvArg::Eval(value))
            }
            _ => Err(self.expected("a variable, a constant or `eval(…)`")),
        }
    }
}
