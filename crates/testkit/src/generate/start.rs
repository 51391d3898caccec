//! How processes are started: parameters, `run`, and the init process.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::scope::{Channel, constant_place};
use super::tree::{Decl, Expr, Place, Proctype, Seq, Stmt, Type};

/// What `run` needs to know.
pub struct Runnable {
    /// The proctype.
    pub name: String,
    /// The parameters; a channel parameter comes with the channel that it stands for.
    pub parameters: Vec<(Type, Option<Channel>)>,
}

impl Builder {
    /// The parameters of a process type, put in scope.
    pub fn parameters(&mut self, name: &str, active: u32) -> Vec<Decl> {
        let mut runnable = Runnable { name: name.to_owned(), parameters: Vec::new() };
        let mut decls = Vec::new();
        // An active process gets zeroes: good for numbers, fatal for channels.
        let wanted = active == 0 || self.rng.chance(8);
        if wanted && self.has(Feature::Parameters) {
            for _ in 0..self.rng.range(1, 2) {
                let channel = self.channel_where(|c| c.global).filter(|_| active == 0);
                let channel = channel.filter(|_| self.rng.chance(40));
                let (ty, name) = (Type::Byte, self.fresh("a"));
                let ty = if channel.is_some() { Type::Chan } else { ty };
                let decl = Decl::new(ty.clone(), name);
                match &channel {
                    Some(c) => {
                        let path = vec![(decl.name.clone(), None)];
                        self.scope.channels.push(Channel { path, global: false, ..c.clone() });
                    }
                    None => self.scope.add(&decl, &[], false),
                }
                decls.push(decl);
                runnable.parameters.push((ty, channel));
            }
        }
        if active == 0 {
            self.runnables.push(runnable);
        }
        decls
    }

    /// A process may start an earlier one before it does anything else.
    pub fn opening(&mut self) -> Seq {
        let earlier = self.runnables.len().saturating_sub(1);
        if earlier == 0 || self.rng.chance(75) {
            return Seq::new();
        }
        let chosen = self.rng.below(earlier);
        vec![self.run(chosen)]
    }

    /// The init process: it runs everything that is not active.
    pub fn init(&mut self) -> Proctype {
        let mark = self.scope.mark();
        self.extra_locals.clear();
        self.retired.clear();
        self.final_label = None;
        self.budget = 3;
        let mut runs: Seq = (0..self.runnables.len()).map(|i| self.run(i)).collect();
        if self.rng.chance(25) {
            runs.push(self.run_loop());
        } else if self.rng.chance(30) {
            let again = self.rng.below(self.runnables.len());
            runs.push(self.run(again));
        }
        let mut body = match self.rng.below(3) {
            0 => vec![Stmt::Atomic(runs)],
            _ => runs,
        };
        if self.rng.chance(50) {
            body.extend(self.sequence(2, Spot::default()));
        }
        let mut all: Seq = self.extra_locals.drain(..).map(Stmt::Decl).collect();
        all.extend(body);
        self.scope.reset(mark);
        Proctype { name: "init".to_owned(), body: all, ..Proctype::default() }
    }

    fn run_loop(&mut self) -> Stmt {
        let counter = Place::variable(&self.counter());
        let limit = self.rng.range(1, 2);
        let chosen = self.rng.below(self.runnables.len());
        let body = vec![self.run(chosen)];
        Stmt::ForRange(counter, Expr::Number(1), Expr::Number(limit), body)
    }

    /// Starts a process type with arguments that fit.
    fn run(&mut self, chosen: usize) -> Stmt {
        let name = self.runnables[chosen].name.clone();
        let parameters = self.runnables[chosen].parameters.clone();
        let mut arguments = Vec::new();
        for (_, channel) in parameters {
            arguments.push(match channel {
                Some(c) => {
                    // Any channel of the same kind will do.
                    let same = self.channel_where(|other| {
                        other.fields == c.fields
                            && (other.capacity > 0) == (c.capacity > 0)
                            && other.global
                    });
                    let path = same.unwrap_or(c).path;
                    Expr::Whole(constant_place(&path, &mut self.rng))
                }
                None => Expr::Number(self.rng.range(0, 2)),
            });
        }
        let slots = self.slots_where(|s| !s.frozen && matches!(s.ty, Type::Pid | Type::Byte));
        let target = self.rng.pick(&slots).cloned().filter(|_| self.rng.chance(20));
        let target = target.map(|s| constant_place(&s.path, &mut self.rng));
        Stmt::Run(target, name, arguments)
    }
}
