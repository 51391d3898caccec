//! Statements without inner statements.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::interval::Interval;
use super::scope::Slot;
use super::tree::{Decl, Expr, Init, Stmt, Type};
use super::value::binary;

impl Builder {
    /// A statement that may block: a guard, a send or a receive.
    pub fn blocking(&mut self, spot: Spot) -> Stmt {
        let communicates = !self.scope.channels.is_empty() && self.rng.chance(60);
        let communication = match communicates {
            true => self.communication(spot),
            false => None,
        };
        communication.unwrap_or_else(|| Stmt::Guard(self.guard(spot)))
    }

    /// A statement that changes something and never blocks.
    pub fn effect(&mut self, spot: Spot) -> Stmt {
        let slots = self.slots_where(|s| !s.frozen);
        let Some(slot) = self.rng.pick(&slots).cloned() else {
            return self.blocking(spot);
        };
        let steps = !matches!(slot.ty, Type::Mtype(_) | Type::Short | Type::Int);
        let wraps_soon = Interval::of_type(&slot.ty).high < 8;
        if steps && self.rng.chance(if wraps_soon { 35 } else { 6 }) {
            let op = self.rng.one_of(["++", "++", "--"]);
            return Stmt::Step(self.place(&slot.path), op);
        }
        let value = self.value_for(&slot.ty);
        Stmt::Assign(self.place(&slot.path), value)
    }

    /// `x < 2 -> x++` and similar: counts without running away.
    pub fn bounded_count(&mut self) -> Option<Vec<Stmt>> {
        let slots = self.slots_where(|s| !s.frozen && is_counter(s));
        let slot = self.rng.pick(&slots)?.clone();
        let place = super::scope::constant_place(&slot.path, &mut self.rng);
        let read = Expr::Read(place.clone());
        let up = self.rng.chance(65);
        let (op, limit, step) = if up { ("<", self.rng.range(1, 3), "++") } else { (">", 0, "--") };
        let guard = Stmt::Guard(binary(op, read, Expr::Number(limit)));
        Some(vec![guard, Stmt::Step(place, step)])
    }

    /// A statement of the less frequent kinds.
    pub fn remark(&mut self, spot: Spot) -> Stmt {
        match self.rng.below(10) {
            0..4 if self.has(Feature::Assert) => Stmt::Assert(self.assertion()),
            4..6 if self.has(Feature::Printf) => self.printf(),
            6 => Stmt::Skip,
            7..9 if self.has(Feature::Select) => self.select().unwrap_or_else(|| self.effect(spot)),
            _ => self.call(spot).unwrap_or_else(|| self.effect(spot)),
        }
    }

    fn assertion(&mut self) -> Expr {
        let slots = self.slots_where(|s| !matches!(s.ty, Type::Mtype(_)));
        match self.rng.pick(&slots).cloned() {
            Some(slot) if self.rng.chance(50) => {
                let high = Interval::of_type(&slot.ty).high;
                let limit = if self.rng.chance(60) { high } else { 2 };
                binary("<=", Expr::Read(self.place(&slot.path)), Expr::Number(limit))
            }
            _ => self.condition(1),
        }
    }

    fn printf(&mut self) -> Stmt {
        match self.rng.below(4) {
            0 => Stmt::Printf("here", Vec::new()),
            1 => Stmt::Printf("%d %u", vec![self.number(1).0, self.number(0).0]),
            2 => Stmt::Printf("%x %o", vec![self.number(0).0, self.number(0).0]),
            _ => {
                let mtypes = self.slots_where(|s| matches!(s.ty, Type::Mtype(_)));
                match self.rng.pick(&mtypes).cloned() {
                    Some(slot) => Stmt::Printf("%e", vec![Expr::Read(self.place(&slot.path))]),
                    None => Stmt::Printf("%c", vec![self.number(0).0]),
                }
            }
        }
    }

    fn select(&mut self) -> Option<Stmt> {
        let slots = self.slots_where(|s| !s.frozen && s.is_plain() && is_counter(s));
        let slot = self.rng.pick(&slots)?.clone();
        let from = self.rng.range(0, 1);
        let to = from + self.rng.range(0, 2);
        let place = super::scope::constant_place(&slot.path, &mut self.rng);
        Some(Stmt::Select(place, Expr::Number(from), Expr::Number(to)))
    }

    /// An expression to be stored in a variable or field of the type: mostly
    /// of few values, sometimes one that has to be cut to the type.
    pub fn value_for(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Mtype(_) => {
                let same = self.slots_where(|s| s.ty == *ty);
                match self.rng.pick(&same).cloned() {
                    Some(slot) if self.rng.chance(30) => Expr::Read(self.place(&slot.path)),
                    _ => self.constant_of(ty),
                }
            }
            Type::Bit | Type::Bool => match self.rng.below(10) {
                0..5 => self.condition(1),
                5..8 => self.constant_of(ty),
                _ => self.number(2).0,
            },
            Type::Pid => match self.rng.below(2) {
                0 => Expr::Word("_pid".to_owned()),
                _ => Expr::Number(self.rng.range(0, 2)),
            },
            _ => self.small_number(ty),
        }
    }

    fn small_number(&mut self, ty: &Type) -> Expr {
        let (value, bounds) = self.number(2);
        let wild = match ty {
            Type::Int => 0,
            Type::Short => 4,
            _ => 10,
        };
        if bounds.width() <= 8 || self.rng.chance(wild) {
            return value;
        }
        if self.rng.chance(5) {
            // The ends of the range, and just beyond: stores cut values.
            let high = Interval::of_type(ty).high;
            return binary("+", Expr::ByConstant("%", value.into(), 2), Expr::Number(high));
        }
        Expr::ByConstant("%", value.into(), self.rng.range(2, 4))
    }

    /// A new byte of the present process that counts a bounded loop.
    pub fn counter(&mut self) -> String {
        let name = self.fresh("i");
        let decl = Decl::new(Type::Byte, name.clone());
        self.scope.add(&decl, &[], false);
        self.scope.freeze(&name, true);
        self.extra_locals.push(decl);
        name
    }

    /// A channel variable of the present process without initialiser.
    pub fn local_channel_variable(&mut self) -> String {
        let chan = |d: &&Decl| d.ty == Type::Chan && d.init == Init::None;
        if let Some(existing) = self.extra_locals.iter().find(chan) {
            return existing.name.clone();
        }
        let name = self.fresh("d");
        self.extra_locals.push(Decl::new(Type::Chan, name.clone()));
        name
    }
}

/// Whether the variable can count to four.
fn is_counter(slot: &Slot) -> bool {
    match slot.ty {
        Type::Byte | Type::Short | Type::Int => true,
        Type::Unsigned(width) => width > 1,
        _ => false,
    }
}
