//! The names in statements and expressions.

use super::DeclarationKind;
use super::collect::{Collector, Remote};
use crate::ast::{
    Block, BlockItem, Expr, ExprKind, ForRange, RecvArg, Stmt, StmtKind, VarPart, VarRef,
};

impl Collector {
    pub fn steps(&mut self, block: &Block) {
        for step in &block.steps {
            match step {
                BlockItem::Decl(decl) => self.declare(decl, DeclarationKind::Variable),
                BlockItem::Exclusive { channels, .. } => {
                    channels.iter().for_each(|channel| self.var_ref(channel, false));
                }
                BlockItem::Stmt(stmt) => self.statement(stmt),
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Labelled(label, inner) => {
                self.label(label, stmt.span);
                inner.iter().for_each(|stmt| self.statement(stmt));
            }
            StmtKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            StmtKind::Expr(e) | StmtKind::Printm(e) | StmtKind::Assert(e) => self.expr(e),
            StmtKind::Assign(target, value) => {
                self.expr(value);
                self.var_ref(target, true);
            }
            StmtKind::Increment(target) | StmtKind::Decrement(target) => self.var_ref(target, true),
            StmtKind::Send { chan, args, .. } => {
                self.var_ref(chan, false);
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Receive { chan, args, .. } => {
                self.var_ref(chan, false);
                self.fields(args, true);
            }
            StmtKind::Printf(_, args) => args.iter().for_each(|e| self.expr(e)),
            StmtKind::SetPriority(pid, priority) => {
                self.expr(pid);
                self.expr(priority);
            }
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                self.block(block);
            }
            // Options have the scope around them.
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().for_each(|option| self.steps(option));
            }
            StmtKind::For { var, range, body } => {
                self.var_ref(var, true);
                match range {
                    ForRange::Between(from, to) => {
                        self.expr(from);
                        self.expr(to);
                    }
                    ForRange::In(over) => self.var_ref(over, false),
                }
                self.block(body);
            }
            StmtKind::Select { var, from, to, .. } => {
                self.var_ref(var, true);
                self.expr(from);
                self.expr(to);
            }
            StmtKind::Goto(label) => self.jump(label),
            StmtKind::InlineCall { name, body } => {
                self.inline(name);
                self.statement(body);
            }
            StmtKind::Else | StmtKind::Break => {}
        }
    }

    pub fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Mtype(name) => self.mtype_constant(name),
            ExprKind::Var(r) | ExprKind::Len(r) | ExprKind::Probe(_, r) => self.var_ref(r, false),
            ExprKind::Unary(_, a)
            | ExprKind::Enabled(a)
            | ExprKind::GetPriority(a)
            | ExprKind::PcValue(a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(c, a, b) => {
                for part in [c, a, b] {
                    self.expr(part);
                }
            }
            ExprKind::Run { proctype, args, .. } => {
                self.proctype(proctype);
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Poll { chan, args, .. } => {
                self.var_ref(chan, false);
                self.fields(args, false);
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.proctype(proctype);
                pid.iter().for_each(|e| self.expr(e));
                let (proctype, name) = (proctype.text.clone(), label.clone());
                self.remote.push(Remote { proctype, name, is_label: true });
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.proctype(proctype);
                pid.iter().for_each(|e| self.expr(e));
                self.index(var);
                let (proctype, name) = (proctype.text.clone(), var.name.clone());
                self.remote.push(Remote { proctype, name, is_label: false });
            }
            ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
        }
    }

    fn fields(&mut self, args: &[RecvArg], writes: bool) {
        for arg in args {
            match arg {
                RecvArg::Var(r) => self.var_ref(r, writes),
                RecvArg::Eval(e) | RecvArg::Const(e) => self.expr(e),
            }
        }
    }

    /// `a[i].b`: the variable, then each field by the type before it. What is written is the
    /// variable, and the last field.
    fn var_ref(&mut self, r: &VarRef, writes: bool) {
        let variable = self.variable(&r.parts[0].name, writes);
        let mut structure = variable.and_then(|id| self.structure_of(id));
        self.index(&r.parts[0]);
        for (i, part) in r.parts.iter().enumerate().skip(1) {
            let is_last = i + 1 == r.parts.len();
            structure = structure.and_then(|ty| self.field(&ty, &part.name, writes && is_last));
            self.index(part);
        }
    }

    fn index(&mut self, part: &VarPart) {
        part.index.iter().for_each(|e| self.expr(e));
    }
}
