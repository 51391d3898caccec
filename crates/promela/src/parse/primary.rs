//! Expressions: operands.

use super::expr::Operand;
use super::parser::{Parse, Parser};
use super::words::{Kind, Kw};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, Probe, VarPart, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::token::Punct;

impl Parser<'_> {
    /// An operand without operators before it.
    pub(super) fn primary(&mut self) -> Parse<Operand> {
        if self.at(Punct::LParen) {
            return self.parenthesis();
        }
        let outer = std::mem::take(&mut self.inner_height);
        let expr = self.atom()?;
        let probe = matches!(expr.kind, ExprKind::Probe(..));
        let height = std::mem::replace(&mut self.inner_height, outer) + 1;
        Ok(Operand { expr, probe, height })
    }

    fn atom(&mut self) -> Parse<Expr> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            Kind::Number(_) | Kind::Mtype(..) => return self.constant(),
            Kind::Name(_) => return self.variable(),
            Kind::ProcName(_) => self.remote_reference()?,
            Kind::Kw(kw) => self.function(kw)?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last) })
    }

    /// A number or a constant of an `mtype`.
    pub(super) fn constant(&mut self) -> Parse<Expr> {
        let kind = match &self.peek().kind {
            Kind::Number(n) => ExprKind::Number(*n),
            Kind::Mtype(text, _) => {
                let text = text.clone();
                ExprKind::Mtype(Name { text, span: self.peek().span })
            }
            _ => return Err(self.expected("a constant")),
        };
        Ok(Expr { kind, span: self.bump().span })
    }

    /// `(e)` or `(c -> a : b)`.
    fn parenthesis(&mut self) -> Parse<Operand> {
        let open = self.bump().span;
        let mut inner = self.operators(None)?;
        if self.at(Punct::Arrow) {
            let outer = std::mem::take(&mut self.inner_height);
            let kind = self.conditional(inner)?;
            let height = std::mem::replace(&mut self.inner_height, outer) + 1;
            let expr = Expr { kind, span: open.to(self.last) };
            return Ok(Operand { expr, probe: false, height });
        }
        if self.src.in_condition && self.at(Punct::Colon) {
            return self.conditional_of_implication(open, inner);
        }
        let end = self.close_paren(open, "after the expression")?;
        inner.expr.span = open.to(end);
        Ok(inner)
    }

    /// `(c -> a : b)`, from the arrow on.
    fn conditional(&mut self, condition: Operand) -> Parse<ExprKind> {
        let condition = self.plain(condition)?;
        self.bump();
        let yes = self.expr()?;
        self.expect(Punct::Colon, "between the two values of a conditional expression")?;
        let no = self.expr()?;
        self.close_parenthesis()?;
        Ok(ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// `(c -> a : b)` in a condition of an annotation, where `c -> a` is an implication unless a colon follows.
    fn conditional_of_implication(&mut self, open: Span, inner: Operand) -> Parse<Operand> {
        let ExprKind::Binary(BinaryOp::Implies, condition, yes) = inner.expr.kind else {
            return Err(self.expected("`)` after the expression"));
        };
        self.bump();
        let outer = std::mem::take(&mut self.inner_height);
        let no = Box::new(self.expr()?);
        let height = std::mem::replace(&mut self.inner_height, outer).max(inner.height) + 1;
        self.close_parenthesis()?;
        let kind = ExprKind::Cond(condition, yes, no);
        let expr = Expr { kind, span: open.to(self.last) };
        Ok(Operand { expr, probe: false, height })
    }

    fn close_parenthesis(&mut self) -> Parse<Span> {
        self.expect(Punct::RParen, "after the expression")
    }

    /// A variable, or a poll of a channel.
    fn variable(&mut self) -> Parse<Expr> {
        let var = self.var_ref()?;
        if matches!(self.peek().kind, Kind::Punct(Punct::Query | Punct::QueryQuery)) {
            return self.poll(var);
        }
        let span = var.span;
        Ok(Expr { kind: ExprKind::Var(var), span })
    }

    /// `a[i].b.c[j]`.
    pub(super) fn var_ref(&mut self) -> Parse<VarRef> {
        let name = self.name("a variable")?;
        self.var_ref_from(name)
    }

    /// A reference whose first name has been read.
    pub(super) fn var_ref_from(&mut self, name: Name) -> Parse<VarRef> {
        let start = name.span;
        let mut parts = vec![self.var_part(name)?];
        while self.eat(Punct::Dot) {
            let name = self.name("the name of a field")?;
            parts.push(self.var_part(name)?);
        }
        Ok(VarRef { parts, span: start.to(self.last) })
    }

    fn var_part(&mut self, name: Name) -> Parse<VarPart> {
        let index = if self.eat(Punct::LBracket) {
            let index = self.expr()?;
            self.expect(Punct::RBracket, "after the index")?;
            Some(Box::new(index))
        } else {
            None
        };
        Ok(VarPart { name, index })
    }

    /// `P[i]@L`, `P@L`, `P[i]:x`, `P:x`.
    fn remote_reference(&mut self) -> Parse<ExprKind> {
        let proctype = self.proctype_name()?;
        let pid = if self.eat(Punct::LBracket) {
            let pid = self.expr()?;
            self.expect(Punct::RBracket, "after the process number")?;
            Some(Box::new(pid))
        } else {
            None
        };
        if self.eat(Punct::At) {
            let label = self.name("the name of a label")?;
            return Ok(ExprKind::RemoteLabel { proctype, pid, label });
        }
        if pid.is_none() && self.at(Punct::LParen) {
            let message = format!("a process of `{}` is started with `run`", proctype.text);
            let hint = format!("write `run {}(…)`", proctype.text);
            return Err(self.fail(Diagnostic::new(Code::Syntax, proctype.span, message).hint(hint)));
        }
        self.expect(Punct::Colon, "or `@` after a proctype in an expression")?;
        let name = self.name("the name of a variable")?;
        let var = self.var_part(name)?;
        Ok(ExprKind::RemoteVar { proctype, pid, var })
    }

    /// The name of a proctype, declared so far or not.
    fn proctype_name(&mut self) -> Parse<Name> {
        if let Kind::ProcName(text) = &self.peek().kind {
            let text = text.clone();
            return Ok(Name { text, span: self.bump().span });
        }
        self.name("the name of a proctype")
    }

    fn function(&mut self, kw: Kw) -> Parse<ExprKind> {
        match kw {
            Kw::Timeout => self.bumped(ExprKind::Timeout),
            Kw::NonProgress => self.bumped(ExprKind::NonProgress),
            Kw::Run => self.run(),
            Kw::Len => Ok(ExprKind::Len(self.channel_argument()?)),
            Kw::Enabled => Ok(ExprKind::Enabled(self.pid_argument()?)),
            Kw::GetPriority => Ok(ExprKind::GetPriority(self.pid_argument()?)),
            Kw::PcValue => Ok(ExprKind::PcValue(self.pid_argument()?)),
            Kw::CExpr => {
                self.embedded_c()?;
                Ok(ExprKind::Number(1.into()))
            }
            _ => match probe(kw) {
                Some(probe) => Ok(ExprKind::Probe(probe, self.channel_argument()?)),
                None => Err(self.expected("an expression")),
            },
        }
    }

    fn bumped(&mut self, kind: ExprKind) -> Parse<ExprKind> {
        self.bump();
        Ok(kind)
    }

    fn run(&mut self) -> Parse<ExprKind> {
        self.bump();
        let proctype = self.proctype_name()?;
        self.expect(Punct::LParen, "after the proctype")?;
        let args = if self.at(Punct::RParen) { Vec::new() } else { self.expr_list()? };
        self.expect(Punct::RParen, "after the arguments of `run`")?;
        let priority = self.priority()?;
        Ok(ExprKind::Run { proctype, args, priority })
    }

    /// `word(q)`, from the word on.
    fn channel_argument(&mut self) -> Parse<VarRef> {
        let word = self.bump();
        self.argument_of(&word)?;
        let word = word.describe();
        let channel = self.var_ref()?;
        self.expect(Punct::RParen, &format!("after the argument of {word}"))?;
        Ok(channel)
    }

    /// `word(e)`, from the word on.
    fn pid_argument(&mut self) -> Parse<Box<Expr>> {
        let word = self.bump().describe();
        self.expect(Punct::LParen, &format!("after {word}"))?;
        let pid = self.expr()?;
        self.expect(Punct::RParen, &format!("after the argument of {word}"))?;
        Ok(Box::new(pid))
    }
}

fn probe(kw: Kw) -> Option<Probe> {
    match kw {
        Kw::Full => Some(Probe::Full),
        Kw::Nfull => Some(Probe::NotFull),
        Kw::Empty => Some(Probe::Empty),
        Kw::Nempty => Some(Probe::NotEmpty),
        _ => None,
    }
}
