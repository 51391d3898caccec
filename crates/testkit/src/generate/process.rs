//! Process types and their bodies.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::scope::Field;
use super::tree::{Decl, Expr, Proctype, Seq, Stmt, Type};

impl Builder {
    /// One to three process types, and init if something has to be run.
    pub fn processes(&mut self) {
        let count = self.rng.one_of([1, 2, 2, 2, 3]);
        let mut pid = 0;
        for number in 0..count {
            let run_only = self.has(Feature::Run) && (number == 0 || self.rng.chance(60));
            let active = match () {
                _ if run_only => 0,
                _ if count < 3 && self.rng.chance(30) => 2,
                _ => 1,
            };
            let locals_before = self.scope.mark();
            let proctype = self.proctype(active, count);
            let locals = self.local_names();
            self.scope.reset(locals_before);
            pid += self.finish_at(proctype, pid, locals);
        }
        if self.has(Feature::Run) {
            let init = self.init();
            self.finish_at(init, pid, Vec::new());
        }
    }

    fn finish_at(&mut self, proctype: Proctype, pid: u32, locals: Vec<String>) -> u32 {
        let active = proctype.active;
        self.finish(proctype, pid, locals);
        active
    }

    fn local_names(&self) -> Vec<String> {
        let numeric = |s: &&super::scope::Slot| {
            !s.global && s.is_scalar() && s.path.len() == 1 && !matches!(s.ty, Type::Mtype(_))
        };
        self.scope.slots.iter().filter(numeric).map(|s| s.path[0].0.clone()).collect()
    }

    fn proctype(&mut self, active: u32, count: usize) -> Proctype {
        let name = self.fresh("P");
        self.plain_conditions = true;
        let provided = self.may(Feature::Provided, 60).then(|| self.condition(1));
        self.plain_conditions = false;
        let priority = self.may(Feature::Priority, 70).then(|| self.rng.range(1, 4) as u32);
        let deterministic = self.may(Feature::Deterministic, 70);
        let parameters = self.parameters(&name, active);
        self.budget = [9, 6, 5][count - 1] + self.rng.below(4);
        let body = self.process_body();
        Proctype { name, deterministic, active, parameters, priority, provided, body }
    }

    fn process_body(&mut self) -> Seq {
        self.extra_locals.clear();
        self.retired.clear();
        self.final_label = self.may(Feature::Goto, 60).then(|| self.fresh("last"));
        let count = self.rng.range(0, 2);
        let mut decls = self.locals(count);
        decls.extend(self.local_record());
        let owns_channel = self.local_channel(&mut decls);
        let mut body = self.opening();
        let spot = Spot::default();
        let before = self.rng.range(0, 2);
        for _ in 0..before {
            // A process that blocks at once shows little.
            match self.rng.chance(80) {
                true => body.push(self.effect(spot)),
                false => body.extend(self.sequence(1, spot)),
            }
        }
        if self.rng.chance(75) {
            body.push(self.main_loop(spot));
        }
        if body.is_empty() || self.rng.chance(40) {
            body.extend(self.sequence(2, spot));
        }
        if let Some(label) = self.final_label.clone() {
            let last = self.effect(spot);
            body.push(Stmt::Labelled(label, Box::new(last)));
        }
        if owns_channel {
            // Its channel may be in use elsewhere, so the process must not end.
            let label = self.fresh("end");
            let forever = Stmt::Guard(Expr::Word("false".to_owned()));
            body.push(Stmt::Labelled(label, Box::new(forever)));
        }
        decls.extend(self.extra_locals.drain(..).map(Stmt::Decl));
        decls.extend(body);
        decls
    }

    fn local_record(&mut self) -> Option<Stmt> {
        if !self.has(Feature::RecordMessage) && !self.may(Feature::Record, 30) {
            return None;
        }
        let ty = Type::Record("Inner".to_owned());
        let name = self.fresh("m");
        let decl = Decl::new(ty, name);
        self.scope.add(&decl, &self.program.typedefs, false);
        Some(Stmt::Decl(decl))
    }

    fn local_channel(&mut self, decls: &mut Seq) -> bool {
        if !self.may(Feature::LocalChannel, 60) {
            return false;
        }
        let fields = vec![Field::Basic(Type::Byte)];
        let rendezvous = self.has(Feature::Rendezvous) && self.has(Feature::Passing);
        let capacity = if rendezvous { self.rng.below(2) as u32 } else { 1 };
        let decl = self.channel("o", capacity, fields, None, false);
        decls.push(Stmt::Decl(decl));
        true
    }

    fn main_loop(&mut self, spot: Spot) -> Stmt {
        let spot = Spot { in_loop: true, ..spot.deeper() };
        let count = self.rng.range(2, 3);
        let mut options: Vec<Seq> = (0..count).map(|_| self.option(spot)).collect();
        if self.may(Feature::Else, 25) {
            options.push(vec![Stmt::Else, Stmt::Break]);
        } else if self.rng.chance(25) {
            options.push(vec![Stmt::Guard(self.guard(spot)), Stmt::Break]);
        }
        let repetition = Stmt::Do(options);
        if self.rng.chance(50) {
            return repetition;
        }
        let label = self.fresh("end");
        self.labels.push(label.clone());
        Stmt::Labelled(label, Box::new(repetition))
    }
}
