//! Expressions: names to cells, and the checks of spin.

use super::Lowerer;
use crate::ast::{self, BinaryOp as A, ExprKind, UnaryOp as U};
use crate::diagnostic::Code;
use resy_system::{self as sys, BinaryOp, Expr, Scope, UnaryOp};

impl Lowerer<'_> {
    /// The expression with its names resolved; `None` after a diagnostic.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Option<Expr> {
        Some(match &e.kind {
            ExprKind::Number(n) => Expr::Const(n.value as i32),
            ExprKind::Mtype(name) => Expr::Const(self.mtype_values.get(&name.text).copied()?),
            ExprKind::Var(r) => self.load(r)?,
            ExprKind::Unary(op, a) => Expr::Unary(self.unary(*op, e)?, Box::new(self.expr(a)?)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Expr::Binary(self.binary(*op, e)?, Box::new(a?), Box::new(b?))
            }
            ExprKind::Cond(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                Expr::Cond(Box::new(c?), Box::new(a?), Box::new(b?))
            }
            ExprKind::Run { proctype, args, priority } => self.run(proctype, args, *priority)?,
            ExprKind::Len(r) => Expr::Len(Box::new(self.chan(r)?)),
            ExprKind::Probe(probe, r) => Expr::Probe(self.probe(*probe), Box::new(self.chan(r)?)),
            ExprKind::Enabled(pid) => {
                self.uses.enabled = true;
                Expr::Enabled(Box::new(self.expr(pid)?))
            }
            ExprKind::GetPriority(pid) => {
                self.system.uses_priority = true;
                Expr::GetPriority(Box::new(self.expr(pid)?))
            }
            ExprKind::PcValue(pid) => Expr::PcValue(Box::new(self.expr(pid)?)),
            ExprKind::Poll { chan, random, args } => {
                let patterns = self.patterns(args);
                Expr::Poll {
                    chan: Box::new(self.chan(chan)?),
                    random: *random,
                    patterns: patterns?,
                }
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => {
                if !self.in_claim {
                    self.error(Code::Refused, e.span, "`np_` can be used in a never claim only");
                    return None;
                }
                Expr::NonProgress
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_label(proctype, pid.as_deref(), label)?
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.remote_var(proctype, pid.as_deref(), var)?
            }
        })
    }

    /// The value of a literal constant.
    pub(super) fn constant_value(&self, e: &ast::Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Number(n) => Some(n.value),
            ExprKind::Mtype(name) => self.mtype_values.get(&name.text).map(|&v| i64::from(v)),
            _ => None,
        }
    }

    fn load(&mut self, r: &ast::VarRef) -> Option<Expr> {
        if let [part] = &r.parts[..]
            && part.index.is_none()
        {
            match &*part.name.text {
                "_pid" => return Some(Expr::Pid),
                "_nr_pr" => return Some(Expr::ProcessCount),
                "_last" => {
                    self.system.uses_last = true;
                    return Some(Expr::Last);
                }
                "_priority" => {
                    self.system.uses_priority = true;
                    return Some(Expr::Priority);
                }
                "_" => {
                    self.error(Code::Type, r.span, "`_` has no value: it can only be written");
                    return None;
                }
                _ => {}
            }
        }
        let target = self.read(r)?;
        Some(Expr::Load(self.scalar(target, r.span)?))
    }

    fn unary(&mut self, op: U, e: &ast::Expr) -> Option<UnaryOp> {
        match op {
            U::Not => Some(UnaryOp::Not),
            U::Neg => Some(UnaryOp::Neg),
            U::BitNot => Some(UnaryOp::BitNot),
            U::Always | U::Eventually | U::Next => {
                self.error(Code::Type, e.span, "a temporal operator can stand in `ltl` only");
                None
            }
        }
    }

    fn binary(&mut self, op: A, e: &ast::Expr) -> Option<BinaryOp> {
        Some(match op {
            A::Add => BinaryOp::Add,
            A::Sub => BinaryOp::Sub,
            A::Mul => BinaryOp::Mul,
            A::Div => BinaryOp::Div,
            A::Mod => BinaryOp::Mod,
            A::BitAnd => BinaryOp::BitAnd,
            A::BitXor => BinaryOp::BitXor,
            A::BitOr => BinaryOp::BitOr,
            A::Shl => BinaryOp::Shl,
            A::Shr => BinaryOp::Shr,
            A::Lt => BinaryOp::Lt,
            A::Le => BinaryOp::Le,
            A::Gt => BinaryOp::Gt,
            A::Ge => BinaryOp::Ge,
            A::Eq => BinaryOp::Eq,
            A::Ne => BinaryOp::Ne,
            A::And => BinaryOp::And,
            A::Or => BinaryOp::Or,
            A::Implies | A::Equiv | A::Until | A::WeakUntil | A::Release => {
                self.error(Code::Type, e.span, "a temporal operator can stand in `ltl` only");
                return None;
            }
        })
    }

    fn probe(&self, probe: ast::Probe) -> sys::Probe {
        match probe {
            ast::Probe::Full => sys::Probe::Full,
            ast::Probe::NotFull => sys::Probe::NotFull,
            ast::Probe::Empty => sys::Probe::Empty,
            ast::Probe::NotEmpty => sys::Probe::NotEmpty,
        }
    }

    /// The proctype of this name.
    pub(super) fn proctype(&mut self, name: &ast::Name) -> Option<sys::ProctypeId> {
        let id = self.proctypes_by_name.get(&name.text).copied();
        if id.is_none() {
            let message = format!("there is no proctype `{}`", name.text);
            let mut diagnostic = crate::Diagnostic::new(Code::Undeclared, name.span, message);
            let known = self.proctypes_by_name.keys().map(|known| &**known);
            if let Some(similar) = crate::similar::similar(&name.text, known) {
                diagnostic = diagnostic.hint(format!("did you mean `{similar}`?"));
            }
            self.diags.push(diagnostic);
        }
        id
    }

    /// `run p(args)`: structures are passed field by field.
    fn run(&mut self, name: &ast::Name, args: &[ast::Expr], priority: Option<i64>) -> Option<Expr> {
        if self.context.is_none() {
            self.error(Code::Type, name.span, "`run` can stand in a process only");
            return None;
        }
        let values = self.flat_args(args);
        let proctype = self.proctype(name)?;
        if let Some(p) = priority {
            self.system.uses_priority = true;
            if !(1..=255).contains(&p) {
                self.error(Code::Constant, name.span, "a priority must be 1 to 255");
            }
        }
        let args_at: Vec<_> = args.iter().map(|a| (a.span, self.names_variable(a))).collect();
        self.runs.push(super::RunSite {
            proctype,
            n: values.as_ref().map(Vec::len),
            name: name.clone(),
            args: args_at,
        });
        Some(Expr::Run { proctype, args: values?, priority: priority.unwrap_or(1) as i32 })
    }

    fn names_variable(&self, e: &ast::Expr) -> bool {
        matches!(e.kind, ExprKind::Var(_))
    }

    /// Arguments with structures taken apart.
    pub(super) fn flat_args(&mut self, args: &[ast::Expr]) -> Option<Vec<Expr>> {
        let mut out = Vec::new();
        let mut ok = true;
        for arg in args {
            match self.flat_arg(arg) {
                Some(values) => out.extend(values),
                None => ok = false,
            }
        }
        ok.then_some(out)
    }

    fn flat_arg(&mut self, arg: &ast::Expr) -> Option<Vec<Expr>> {
        if let ExprKind::Var(r) = &arg.kind
            && !super::predefined(&r.parts[0].name.text)
        {
            let target = self.read(r)?;
            return Some(self.cells(target, r.span)?.into_iter().map(Expr::Load).collect());
        }
        Some(vec![self.expr(arg)?])
    }

    /// `p[pid]@label`: whether the process is at the location of the label.
    fn remote_label(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        label: &ast::Name,
    ) -> Option<Expr> {
        let pid = self.optional(pid)?;
        let id = self.proctype(proctype)?;
        let Some(location) = self.remote_location(id, &label.text) else {
            let message = format!("proctype `{}` has no label `{}`", proctype.text, label.text);
            let diagnostic = crate::Diagnostic::new(Code::Jump, label.span, message)
                .hint("the proctype must stand before the reference");
            self.diags.push(diagnostic);
            return None;
        };
        let at = Expr::RemoteLocation { proctype: id, pid };
        Some(Expr::Binary(BinaryOp::Eq, Box::new(at), Box::new(Expr::Const(location))))
    }

    /// `p[pid]:var`.
    fn remote_var(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        var: &ast::VarPart,
    ) -> Option<Expr> {
        let pid = self.optional(pid)?;
        let id = self.proctype(proctype)?;
        let name = &var.name.text;
        if &**name == "_p" {
            return Some(Expr::RemoteLocation { proctype: id, pid });
        }
        let context = self.context_of.get(&id);
        let found = context.and_then(|&c| self.symbols.declared_in(c, name)).cloned();
        let Some(variable) = found else {
            let message = format!("proctype `{}` has no variable `{name}`", proctype.text);
            self.error(Code::Undeclared, var.name.span, message);
            return None;
        };
        let super::symbols::Type::Basic { cell, .. } = variable.ty else {
            self.error(Code::Type, var.name.span, "a structure cannot be read from outside");
            return None;
        };
        let mut place = sys::CellRef::cell(Scope::Local, variable.offset, cell);
        if let (Some(len), index) = (variable.array, &var.index) {
            let index = match index {
                Some(e) => self.expr(e)?,
                None => Expr::Const(0),
            };
            place.indices.push(sys::IndexTerm { index, len, stride: 1 });
        }
        Some(Expr::RemoteLoad { proctype: id, pid, place })
    }

    fn optional(&mut self, e: Option<&ast::Expr>) -> Option<Option<Box<Expr>>> {
        match e {
            Some(e) => Some(Some(Box::new(self.expr(e)?))),
            None => Some(None),
        }
    }
}
