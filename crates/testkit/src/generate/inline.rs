//! Inlines and their calls.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Slot, constant_place};
use super::tree::{Expr, Inline, Seq, Stmt, Type};

/// What a caller needs to know.
pub struct Callable {
    /// The name.
    pub name: String,
    /// For each parameter, whether it is assigned.
    pub assigned: Vec<bool>,
    /// Whether the body may stand inside `d_step`.
    pub in_d_step: bool,
}

impl Builder {
    /// One or two inlines; the second may call the first.
    pub fn inlines(&mut self) {
        if !self.has(Feature::Inline) {
            return;
        }
        for _ in 0..self.rng.range(1, 2) {
            let inline = self.inline();
            self.program.inlines.push(inline);
        }
    }

    fn inline(&mut self) -> Inline {
        let mark = self.scope.mark();
        let assigned: Vec<bool> =
            (0..self.rng.below(3)).map(|i| i == 0 && self.rng.chance(60)).collect();
        let mut parameters = Vec::new();
        for &assigned in &assigned {
            let name = self.fresh("p");
            let path = vec![(name.clone(), None)];
            self.scope.slots.push(Slot { path, ty: Type::Byte, frozen: !assigned, global: false });
            parameters.push(name);
        }
        let in_d_step = self.rng.chance(60);
        let spot = Spot {
            depth: 1,
            indivisible: true,
            d_step: in_d_step,
            inline: true,
            ..Spot::default()
        };
        self.budget = 4;
        let body = self.with_declaration(spot);
        self.scope.reset(mark);
        let name = self.fresh("work");
        // A call inside a call at the end of a d_step is a jump out of it to spin.
        let in_d_step = in_d_step && !body.iter().any(|s| matches!(s, Stmt::Call(..)));
        self.callables.push(Callable { name: name.clone(), assigned, in_d_step });
        Inline { name, parameters, body }
    }

    fn with_declaration(&mut self, spot: Spot) -> Seq {
        let mut body =
            if self.may(Feature::InnerDecl, 30) { vec![self.inner_local()] } else { Seq::new() };
        body.push(self.effect(spot));
        body.extend(self.sequence(2, spot));
        body
    }

    /// A call of some inline that may stand here.
    pub fn call(&mut self, spot: Spot) -> Option<Stmt> {
        let fits = |c: &Callable| c.in_d_step || !spot.d_step;
        let callables: Vec<usize> =
            (0..self.callables.len()).filter(|&i| fits(&self.callables[i])).collect();
        let chosen = *self.rng.pick(&callables)?;
        let assigned = self.callables[chosen].assigned.clone();
        let mut arguments = Vec::new();
        for assigned in assigned {
            arguments.push(self.argument(assigned, &arguments)?);
        }
        Some(Stmt::Call(self.callables[chosen].name.clone(), arguments))
    }

    /// The body may index arrays with its parameters, so they have no negative
    /// values, and it may receive into them. What it receives into must be able to
    /// hold a byte, and must not be a global, which the body may use beside it:
    /// `c[g % 2]?g` is a trap of spin's verifier, see `without_undo_traps`.
    fn argument(&mut self, assigned: bool, taken: &[Expr]) -> Option<Expr> {
        if !assigned && self.rng.chance(40) {
            return Some(Expr::Number(self.rng.range(0, 3)));
        }
        let byte = Interval::of_type(&Type::Byte);
        let slots = self.slots_where(|s| {
            let range = Interval::of_type(&s.ty);
            let assignable = !s.frozen && !s.global && s.is_plain() && range.contains(byte);
            let readable = s.is_scalar() && !matches!(s.ty, Type::Mtype(_));
            range.is_natural() && readable && (!assigned || assignable)
        });
        let slot = self.rng.pick(&slots)?.clone();
        let argument = Expr::Read(constant_place(&slot.path, &mut self.rng));
        match taken.contains(&argument) {
            true => Some(Expr::Number(self.rng.range(0, 3))),
            false => Some(argument),
        }
    }
}
