//! Numbers. Each comes with bounds of its values.

use super::builder::Builder;
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Path, Slot, constant_place};
use super::tree::{Expr, Index, Part, Place, Type};

impl Builder {
    /// A number with bounds that exclude overflow in every part.
    pub fn number(&mut self, depth: usize) -> (Expr, Interval) {
        if depth == 0 {
            return self.leaf();
        }
        let weights = self.number_weights();
        let (expr, bounds) = match self.rng.weighted(&weights) {
            0 => return self.leaf(),
            1 => self.binary_number(["+", "-", "*", "+", "-"], depth),
            2 => self.by_constant(["/", "%", "%", "%", "/"], depth),
            3 if self.rng.chance(60) => self.binary_number(["&", "|", "^", "&", "|"], depth),
            3 => self.by_constant(["<<", ">>", "<<", ">>", "<<"], depth),
            4 => {
                let condition = self.condition(depth - 1);
                let (a, x) = self.number(depth - 1);
                let (b, y) = self.number(depth - 1);
                (Expr::Choice(condition.into(), a.into(), b.into()), x.hull(y))
            }
            5 => self.chain(),
            6 => {
                let (a, x) = self.number(depth - 1);
                let op = self.rng.one_of(["-", "-", "~", "!"]);
                (Expr::Unary(op, a.into()), x.unary(op))
            }
            // No polls here: in C, spin writes one as `a && b` without parentheses,
            // so that `3 - c?[_]` is computed as `(3 - a) && b`.
            _ => (self.comparison(depth - 1), Interval::truth()),
        };
        if bounds.is_safe() { (expr, bounds) } else { self.leaf() }
    }

    fn number_weights(&self) -> [usize; 8] {
        let weight = |feature, yes, no| if self.has(feature) { yes } else { no };
        let arithmetic = weight(Feature::Arithmetic, 14, 2);
        let bits = weight(Feature::Bits, 10, 0);
        let choice = weight(Feature::Choice, 8, 0);
        let chain = weight(Feature::Chain, 8, 0);
        let (divide, negate) = (arithmetic / 2, arithmetic / 3);
        [30, arithmetic, divide, bits, choice, chain, negate, 3]
    }

    fn binary_number(&mut self, ops: [&'static str; 5], depth: usize) -> (Expr, Interval) {
        let (a, x) = self.number(depth - 1);
        let (b, y) = self.number(depth - 1);
        let op = self.rng.one_of(ops);
        (binary(op, a, b), x.binary(op, y))
    }

    fn by_constant(&mut self, ops: [&'static str; 5], depth: usize) -> (Expr, Interval) {
        let (a, x) = self.number(depth - 1);
        let op = self.rng.one_of(ops);
        // C does not define a left shift of negative values.
        let op = if op == "<<" && !x.is_natural() { ">>" } else { op };
        let k = if op.len() == 2 { self.rng.range(0, 3) } else { self.rng.range(2, 5) };
        (Expr::ByConstant(op, a.into(), k), x.by_constant(op, k))
    }

    /// Operators in a row without parentheses, to test precedence: the values
    /// are so small that every reading is defined.
    fn chain(&mut self) -> (Expr, Interval) {
        let first = self.small();
        let mut rest = Vec::new();
        let shifts = self.rng.chance(30);
        for _ in 0..self.rng.range(2, 3) {
            let op = if shifts {
                self.rng.one_of(["<<", ">>", "+", "&", "|", "==", "<", "&&", "||"])
            } else {
                let arithmetic = ["+", "-", "*", "/", "%", "&", "|", "^"];
                let truth = ["==", "!=", "<", ">=", "&&", "||", "+", "-"];
                let ops = if self.rng.chance(60) { arithmetic } else { truth };
                self.rng.one_of(ops)
            };
            let constant = matches!(op, "/" | "%");
            let right = if constant { Expr::Number(self.rng.range(2, 3)) } else { self.small() };
            rest.push((op, right));
        }
        (Expr::Chain(first.into(), rest), Interval::new(-4096, 4095))
    }

    /// A value from 0 to 3.
    fn small(&mut self) -> Expr {
        let narrow = self.slots_where(|s| s.is_scalar() && Interval::of_type(&s.ty).high <= 3);
        match self.rng.pick(&narrow).cloned() {
            Some(slot) if self.rng.chance(70) => Expr::Read(self.place(&slot.path)),
            _ => Expr::Number(self.rng.range(0, 3)),
        }
    }

    fn leaf(&mut self) -> (Expr, Interval) {
        match self.rng.below(100) {
            0..72 => {
                let slots = self.slots_where(|s| !matches!(s.ty, Type::Mtype(_)));
                if let Some(slot) = self.rng.pick(&slots).cloned() {
                    return (Expr::Read(self.place(&slot.path)), Interval::of_type(&slot.ty));
                }
            }
            72..76 => {
                if let Some(channel) = self.channel_where(|c| c.capacity > 0) {
                    let place = constant_place(&channel.path, &mut self.rng);
                    return (Expr::Query("len", place), Interval::new(0, 3));
                }
            }
            76..79 => return (Expr::Word("_pid".to_owned()), Interval::new(0, 255)),
            79..85 => {
                if let Some(name) = self.rng.pick(&self.constants) {
                    return (Expr::Word(name.clone()), Interval::new(1, 3));
                }
            }
            _ => {}
        }
        let value = self.rng.range(0, 3);
        (Expr::Number(value), Interval::point(value))
    }

    /// The variables with a property.
    pub fn slots_where(&self, wanted: impl Fn(&Slot) -> bool) -> Vec<Slot> {
        self.scope.slots.iter().filter(|s| wanted(s)).cloned().collect()
    }

    /// A place on a path; array indices are constants or variables modulo the length.
    pub fn place(&mut self, path: &Path) -> Place {
        let mut place = constant_place(path, &mut self.rng);
        for (part, (_, length)) in place.0.iter_mut().zip(path) {
            if let (Some(n), true) = (length, self.rng.chance(60)) {
                *part = Part { name: part.name.clone(), index: self.index(*n) };
            }
        }
        place
    }

    fn index(&mut self, length: u32) -> Index {
        // spin warns about an array that is indexed with itself.
        let natural = |s: &Slot| s.is_scalar() && Interval::of_type(&s.ty).is_natural();
        let slots = self.slots_where(|s| natural(s) && !matches!(s.ty, Type::Mtype(_)));
        let value = match self.rng.pick(&slots).cloned() {
            Some(slot) => Expr::Read(constant_place(&slot.path, &mut self.rng)),
            None => Expr::Word("_pid".to_owned()),
        };
        Index::Modulo(Box::new(value), length)
    }
}

/// `a op b`.
pub fn binary(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}
