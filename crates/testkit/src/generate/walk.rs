//! A walk over every node of a program, outer nodes first. The hooks may
//! change what they are given.

use super::tree::{
    Argument, Decl, Expr, Index, Init, Place, Proctype, Program, Receive, Seq, Stmt,
};

/// What to do at each kind of node.
#[allow(unused_variables, missing_docs)]
pub trait Visitor {
    fn program(&mut self, program: &mut Program) {}
    fn proctype(&mut self, proctype: &mut Proctype) {}
    fn decl(&mut self, decl: &mut Decl) {}
    fn seq(&mut self, seq: &mut Seq) {}
    fn options(&mut self, options: &mut Vec<Seq>) {}
    fn stmt(&mut self, stmt: &mut Stmt) {}
    fn expr(&mut self, expr: &mut Expr) {}
    fn place(&mut self, place: &mut Place) {}
    fn argument(&mut self, argument: &mut Argument) {}
}

/// Visits all of a program.
pub fn walk(program: &mut Program, v: &mut dyn Visitor) {
    v.program(program);
    for typedef in &mut program.typedefs {
        typedef.fields.iter_mut().for_each(|d| decl(d, v));
    }
    program.globals.iter_mut().for_each(|d| decl(d, v));
    for inline in &mut program.inlines {
        seq(&mut inline.body, v);
    }
    for item in &mut program.proctypes {
        v.proctype(item);
        item.parameters.iter_mut().for_each(|d| decl(d, v));
        item.provided.iter_mut().for_each(|e| expr(e, v));
        seq(&mut item.body, v);
    }
}

fn decl(item: &mut Decl, v: &mut dyn Visitor) {
    v.decl(item);
    match &mut item.init {
        Init::Value(e) => expr(e, v),
        Init::List(list) => exprs(list, v),
        Init::None | Init::Channel(..) => {}
    }
}

fn seq(items: &mut Seq, v: &mut dyn Visitor) {
    v.seq(items);
    items.iter_mut().for_each(|s| stmt(s, v));
}

fn stmt(item: &mut Stmt, v: &mut dyn Visitor) {
    v.stmt(item);
    match item {
        Stmt::Decl(d) => decl(d, v),
        Stmt::Assign(x, e) => {
            place(x, v);
            expr(e, v);
        }
        Stmt::Step(x, _) => place(x, v),
        Stmt::Guard(e) | Stmt::Assert(e) => expr(e, v),
        Stmt::Printf(_, args) | Stmt::Call(_, args) => exprs(args, v),
        Stmt::Send(c, _, args) => {
            place(c, v);
            exprs(args, v);
        }
        Stmt::Receive(r) => receive(r, v),
        Stmt::Run(x, _, args) => {
            x.iter_mut().for_each(|x| place(x, v));
            exprs(args, v);
        }
        Stmt::If(options) | Stmt::Do(options) => {
            v.options(options);
            options.iter_mut().for_each(|s| seq(s, v));
        }
        Stmt::Atomic(body) | Stmt::DStep(body) | Stmt::Block(body) => seq(body, v),
        Stmt::Unless(body, escape) => {
            seq(body, v);
            seq(escape, v);
        }
        Stmt::ForRange(x, from, to, body) => {
            place(x, v);
            expr(from, v);
            expr(to, v);
            seq(body, v);
        }
        Stmt::ForIn(x, _, body) => {
            place(x, v);
            seq(body, v);
        }
        Stmt::Labelled(_, inner) => stmt(inner, v),
        // What belongs together is seen statement by statement, not as a sequence.
        Stmt::Group(body) => body.iter_mut().for_each(|s| stmt(s, v)),
        Stmt::Select(..) | Stmt::Else | Stmt::Skip | Stmt::Goto(_) | Stmt::Break => {}
    }
}

fn exprs(items: &mut [Expr], v: &mut dyn Visitor) {
    items.iter_mut().for_each(|e| expr(e, v));
}

fn expr(item: &mut Expr, v: &mut dyn Visitor) {
    v.expr(item);
    match item {
        Expr::Read(x) | Expr::Whole(x) | Expr::Query(_, x) => place(x, v),
        Expr::Unary(_, a) | Expr::ByConstant(_, a, _) => expr(a, v),
        Expr::Binary(_, a, b) => {
            expr(a, v);
            expr(b, v);
        }
        Expr::Chain(a, rest) => {
            expr(a, v);
            rest.iter_mut().for_each(|(_, b)| expr(b, v));
        }
        Expr::Choice(c, a, b) => [c, a, b].into_iter().for_each(|e| expr(e, v)),
        Expr::Poll(r) => receive(r, v),
        Expr::Apply(_, args) => exprs(args, v),
        Expr::Number(_) | Expr::Word(_) => {}
        Expr::RemoteLabel(..) | Expr::RemoteVariable(..) => {}
    }
}

fn receive(item: &mut Receive, v: &mut dyn Visitor) {
    place(&mut item.channel, v);
    for argument in &mut item.arguments {
        v.argument(argument);
        match argument {
            Argument::Bind(x) | Argument::BindRecord(x) => place(x, v),
            Argument::Eval(e) => expr(e, v),
            // Only constants may stand here: nothing inside to be simplified.
            Argument::Constant(_) | Argument::Any => {}
        }
    }
}

fn place(item: &mut Place, v: &mut dyn Visitor) {
    v.place(item);
    for part in &mut item.0 {
        if let Index::Modulo(e, _) = &mut part.index {
            expr(e, v);
        }
    }
}
