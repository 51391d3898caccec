//! The edits of one program, numbered in the order of the walk; large
//! removals come first.

use crate::generate::tree::{
    Argument, Decl, Expr, Index, Init, Place, Proctype, Program, Seq, Stmt,
};
use crate::generate::walk::Visitor;

/// Applies one edit and leaves all else alone.
pub struct Edit {
    remaining: usize,
    done: bool,
}

impl Edit {
    /// The edit of this number.
    pub fn new(number: usize) -> Edit {
        Edit { remaining: number, done: false }
    }

    /// Whether there was an edit of this number.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Counts off the `n` edits that a node offers; gives the chosen one.
    fn choose(&mut self, n: usize) -> Option<usize> {
        if self.done {
            return None;
        }
        if self.remaining < n {
            self.done = true;
            return Some(self.remaining);
        }
        self.remaining -= n;
        None
    }

    fn replace<T>(&mut self, node: &mut T, mut alternatives: Vec<T>) {
        if let Some(i) = self.choose(alternatives.len()) {
            *node = alternatives.swap_remove(i);
        }
    }

    fn remove_one<T>(&mut self, items: &mut Vec<T>) {
        if let Some(i) = self.choose(items.len()) {
            items.remove(i);
        }
    }
}

impl Visitor for Edit {
    fn program(&mut self, program: &mut Program) {
        self.remove_one(&mut program.proctypes);
        self.remove_one(&mut program.claims);
        self.remove_one(&mut program.inlines);
        self.remove_one(&mut program.globals);
        self.remove_one(&mut program.typedefs);
        self.remove_one(&mut program.mtypes);
        if !program.defines.is_empty() && self.choose(1).is_some() {
            program.defines.clear();
        }
    }

    fn proctype(&mut self, item: &mut Proctype) {
        if item.active > 1 && self.choose(1).is_some() {
            item.active = 1;
        }
        if item.provided.is_some() && self.choose(1).is_some() {
            item.provided = None;
        }
        if item.priority.is_some() && self.choose(1).is_some() {
            item.priority = None;
        }
        if item.deterministic && self.choose(1).is_some() {
            item.deterministic = false;
        }
        self.remove_one(&mut item.parameters);
    }

    fn seq(&mut self, seq: &mut Seq) {
        let mut alternatives = Vec::new();
        let half = seq.len() / 2;
        if half > 1 {
            alternatives.push(seq[half..].to_vec());
            alternatives.push(seq[..half].to_vec());
        }
        for i in 0..seq.len() {
            for middle in without_shell(&seq[i]) {
                alternatives.push([&seq[..i], &middle[..], &seq[i + 1..]].concat());
            }
        }
        // An empty sequence is not Promela.
        alternatives.retain(|a| !a.is_empty());
        self.replace(seq, alternatives);
    }

    fn options(&mut self, options: &mut Vec<Seq>) {
        if options.len() > 1 {
            self.remove_one(options);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Send(_, op, _) if *op == "!!" && self.choose(1).is_some() => *op = "!",
            Stmt::Receive(r) => {
                if r.random && self.choose(1).is_some() {
                    r.random = false;
                }
                if r.keep && self.choose(1).is_some() {
                    r.keep = false;
                }
            }
            Stmt::Run(target @ Some(_), ..) if self.choose(1).is_some() => *target = None,
            _ => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        let alternatives = simpler(expr);
        self.replace(expr, alternatives);
    }

    fn argument(&mut self, argument: &mut Argument) {
        // A single `_` cannot stand for a record.
        let kept = matches!(argument, Argument::Any | Argument::BindRecord(_));
        if !kept && self.choose(1).is_some() {
            *argument = Argument::Any;
        }
    }

    fn place(&mut self, place: &mut Place) {
        for part in &mut place.0 {
            if matches!(part.index, Index::Modulo(..)) && self.choose(1).is_some() {
                part.index = Index::Constant(0);
            }
        }
    }

    fn decl(&mut self, decl: &mut Decl) {
        match &mut decl.init {
            Init::None => {}
            // Fields stay: spin finds a wrong number of arguments only when it runs.
            Init::Channel(capacity, _) => {
                if *capacity > 1 && self.choose(1).is_some() {
                    *capacity = 1;
                }
            }
            Init::Value(_) | Init::List(_) => {
                if self.choose(1).is_some() {
                    decl.init = Init::None;
                }
            }
        }
        if !decl.prefix.is_empty() && self.choose(1).is_some() {
            decl.prefix = "";
        }
    }
}

/// What can stand in the place of a statement: nothing, or parts of it.
fn without_shell(stmt: &Stmt) -> Vec<Seq> {
    let mut results = vec![Seq::new()];
    match stmt {
        Stmt::If(options) | Stmt::Do(options) => results.extend(options.iter().cloned()),
        Stmt::Atomic(body) | Stmt::Block(body) => results.push(body.clone()),
        Stmt::DStep(body) => {
            results.push(body.clone());
            results.push(vec![Stmt::Atomic(body.clone())]);
        }
        Stmt::Unless(body, escape) => results.extend([body.clone(), escape.clone()]),
        Stmt::ForRange(_, _, _, body) | Stmt::ForIn(_, _, body) => results.push(body.clone()),
        Stmt::Labelled(_, inner) => results.push(vec![(**inner).clone()]),
        Stmt::Select(x, from, _) => results.push(vec![Stmt::Assign(x.clone(), from.clone())]),
        Stmt::Printf(..) | Stmt::Call(..) => results.push(vec![Stmt::Skip]),
        _ => {}
    }
    results
}

fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut results = match expr {
        // Words may be variables of the system, but they are short already.
        Expr::Number(_) | Expr::Word(_) | Expr::Whole(_) => return Vec::new(),
        Expr::Unary(_, a) | Expr::ByConstant(_, a, _) => vec![(**a).clone()],
        Expr::Binary(_, a, b) => vec![(**a).clone(), (**b).clone()],
        Expr::Chain(a, rest) if rest.len() == 1 => vec![(**a).clone(), rest[0].1.clone()],
        Expr::Chain(a, rest) => vec![Expr::Chain(a.clone(), rest[..rest.len() - 1].to_vec())],
        Expr::Choice(c, a, b) => vec![(**a).clone(), (**b).clone(), (**c).clone()],
        _ => Vec::new(),
    };
    results.extend([Expr::Number(0), Expr::Number(1)]);
    results
}
