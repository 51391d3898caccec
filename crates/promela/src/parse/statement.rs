//! Statements.

use super::parser::{Parse, Parser};
use super::recover::ends_sequence;
use super::words::{Kind, Kw};
use crate::ast::{Expr, ExprKind, Name, Stmt, StmtKind, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::token::Punct;

impl Parser<'_> {
    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Parse<Stmt> {
        let start = self.peek().span;
        self.inner_height = 0;
        let kind = self.statement_kind()?;
        Ok(Stmt { kind, span: self.src.map.cover(start, self.last) })
    }

    fn statement_kind(&mut self) -> Parse<StmtKind> {
        let kw = match &self.peek().kind {
            Kind::Name(_) => {
                let name = self.name("a name")?;
                return self.after_name(name);
            }
            Kind::InlineName(_) => return self.inline_call(None),
            Kind::LiteralSelect => return self.select(true),
            Kind::Punct(Punct::LBrace) => return Ok(StmtKind::Block(self.block()?)),
            Kind::Kw(kw) => *kw,
            Kind::TypeName(_) | Kind::Type(_) => return Err(self.expected("a statement")),
            _ => return self.condition(),
        };
        match kw {
            Kw::If => self.choice(Kw::If),
            Kw::Do => self.choice(Kw::Do),
            Kw::For => self.for_loop(),
            Kw::Select => self.select(false),
            Kw::Atomic | Kw::DStep => self.atomic(kw),
            Kw::Break => self.word(StmtKind::Break),
            Kw::Else => self.word(StmtKind::Else),
            Kw::Goto => {
                self.bump();
                Ok(StmtKind::Goto(self.name("the name of a label")?))
            }
            Kw::Assert => {
                self.bump();
                Ok(StmtKind::Assert(self.full_expr()?))
            }
            Kw::Printf => self.printf(),
            Kw::Printm => self.printm(),
            Kw::SetPriority => self.set_priority(),
            Kw::Return => self.return_statement(),
            Kw::CCode | Kw::CDecl => {
                let span = self.embedded_c()?;
                Ok(StmtKind::Expr(Expr { kind: ExprKind::Number(1.into()), span }))
            }
            Kw::Fi | Kw::Od | Kw::Unless => Err(self.expected("a statement")),
            _ => self.condition(),
        }
    }

    fn word(&mut self, kind: StmtKind) -> Parse<StmtKind> {
        self.bump();
        Ok(kind)
    }

    fn condition(&mut self) -> Parse<StmtKind> {
        let can_begin = match self.peek().kind {
            Kind::Punct(p) => {
                matches!(p, Punct::LParen | Punct::Minus | Punct::Bang | Punct::Tilde)
            }
            Kind::Text(_) | Kind::End => false,
            _ => true,
        };
        if !can_begin {
            return Err(self.expected("a statement"));
        }
        Ok(StmtKind::Expr(self.full_expr()?))
    }

    /// A label, or a statement that begins with a variable.
    fn after_name(&mut self, name: Name) -> Parse<StmtKind> {
        if self.at(Punct::Colon) {
            return self.labelled(name);
        }
        let var = self.var_ref_from(name)?;
        match self.peek().kind {
            Kind::Punct(Punct::Assign) => self.assignment(var),
            Kind::Punct(Punct::Incr) => self.word(StmtKind::Increment(var)),
            Kind::Punct(Punct::Decr) => self.word(StmtKind::Decrement(var)),
            Kind::Punct(Punct::Bang | Punct::BangBang) => self.send(var),
            Kind::Punct(Punct::Query | Punct::QueryQuery) => self.receive_or_poll(var),
            _ => {
                let span = var.span;
                let first = Expr { kind: ExprKind::Var(var), span };
                Ok(StmtKind::Expr(self.expr_from(first)?))
            }
        }
    }

    fn labelled(&mut self, label: Name) -> Parse<StmtKind> {
        self.bump();
        let declares = self.at_declaration();
        let lex = self.peek();
        if declares || matches!(lex.kind, Kind::Kw(Kw::Xr | Kw::Xs)) {
            let message = "a label cannot stand before a declaration";
            let hint =
                format!("write `{}: skip;` or put the label on the first statement", label.text);
            let diagnostic = Diagnostic::new(Code::Declaration, label.span, message).hint(hint);
            return Err(self.fail(diagnostic));
        }
        if ends_sequence(lex) || lex.is_separator() || lex.is_kw(Kw::Unless) {
            return Ok(StmtKind::Labelled(label, None));
        }
        let stmt = self.nested(Self::statement)?;
        Ok(StmtKind::Labelled(label, Some(Box::new(stmt))))
    }

    fn assignment(&mut self, var: VarRef) -> Parse<StmtKind> {
        self.bump();
        if matches!(self.peek().kind, Kind::InlineName(_)) {
            return self.inline_call(Some(var));
        }
        Ok(StmtKind::Assign(var, self.full_expr()?))
    }

    fn atomic(&mut self, kw: Kw) -> Parse<StmtKind> {
        self.bump();
        let block = self.block()?;
        Ok(if kw == Kw::Atomic { StmtKind::Atomic(block) } else { StmtKind::DStep(block) })
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "after `printf`")?;
        let Kind::Text(text) = self.peek().kind.clone() else {
            return Err(self.expected("a string"));
        };
        self.bump();
        let args = if self.eat(Punct::Comma) { self.expr_list()? } else { Vec::new() };
        self.expect(Punct::RParen, "after the arguments of `printf`")?;
        Ok(StmtKind::Printf(text, args))
    }

    fn printm(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "after `printm`")?;
        let value = match self.peek().kind {
            Kind::Number(_) | Kind::Mtype(..) => self.constant()?,
            _ => {
                let var = self.var_ref()?;
                let span = var.span;
                Expr { kind: ExprKind::Var(var), span }
            }
        };
        self.expect(Punct::RParen, "after the argument of `printm`")?;
        Ok(StmtKind::Printm(value))
    }

    fn set_priority(&mut self) -> Parse<StmtKind> {
        self.bump();
        self.expect(Punct::LParen, "after `set_priority`")?;
        let pid = self.expr()?;
        self.expect(Punct::Comma, "between the two arguments of `set_priority`")?;
        let priority = self.expr()?;
        self.expect(Punct::RParen, "after the arguments of `set_priority`")?;
        Ok(StmtKind::SetPriority(pid, priority))
    }

    /// `return e` in an inline: an assignment to where the call puts its result.
    fn return_statement(&mut self) -> Parse<StmtKind> {
        let span = self.bump().span;
        let frame = self.src.stream.frames().last();
        let result = frame.and_then(|f| f.result.clone());
        let in_inline = frame.is_some();
        let value = self.full_expr()?;
        let Some(target) = result else {
            let message = if in_inline {
                "the call of this inline does not take a result"
            } else {
                "`return` can only stand in an inline"
            };
            let mut diagnostic = Diagnostic::new(Code::InlineCall, span, message);
            diagnostic = diagnostic.hint(match in_inline {
                true => "call it as `x = f(…)`",
                false => "a process hands over what it has found by a global variable or a message",
            });
            return Err(self.fail(diagnostic));
        };
        Ok(StmtKind::Assign(target, value))
    }
}
