//! Loops. Inside `atomic` and `d_step` only bounded ones are built.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::scope::Field;
use super::tree::{Expr, Place, Seq, Stmt, Type};

impl Builder {
    /// `do … od` that may go on for ever.
    pub fn repetition(&mut self, spot: Spot) -> Stmt {
        let spot = Spot { in_loop: true, ..spot };
        let count = self.rng.range(1, 3);
        let mut options: Vec<Seq> = (0..count).map(|_| self.option(spot)).collect();
        match self.rng.below(10) {
            0..3 => options.push(vec![Stmt::Guard(self.guard(spot)), Stmt::Break]),
            3..5 if self.has(Feature::Else) => options.push(vec![Stmt::Else, Stmt::Break]),
            5 => options.push(vec![Stmt::Break]),
            _ => {}
        }
        Stmt::Do(options)
    }

    /// `do :: i < n -> …; i++ :: else -> i = 0; break od`.
    pub fn counted_loop(&mut self, spot: Spot) -> Stmt {
        if spot.inline {
            return self.effect(spot);
        }
        let spot = Spot { in_loop: true, ..spot };
        let name = self.counter();
        let counter = Place::variable(&name);
        let limit = Expr::Number(self.rng.range(1, 3));
        let below = super::value::binary("<", Expr::Read(counter.clone()), limit);
        let mut again = vec![Stmt::Guard(below)];
        again.extend(self.sequence(2, spot));
        again.push(Stmt::Step(counter.clone(), "++"));
        let leave = vec![Stmt::Else, Stmt::Assign(counter, Expr::Number(0)), Stmt::Break];
        Stmt::Do(vec![again, leave])
    }

    /// One of the three forms of `for`.
    pub fn for_loop(&mut self, spot: Spot) -> Option<Stmt> {
        if spot.inline {
            return None;
        }
        let over_messages = !spot.indivisible && self.rng.chance(60);
        if let Some(Some(stmt)) = over_messages.then(|| self.for_message(spot)) {
            return Some(stmt);
        }
        let spot = Spot { in_loop: true, ..spot };
        let array = self.slots_where(|s| s.path.len() == 1 && s.path[0].1.is_some());
        let array = self.rng.pick(&array).cloned().filter(|_| self.rng.chance(55));
        let counter = Place::variable(&self.counter());
        let body = self.braces(2, spot);
        if let Some(array) = array {
            return Some(Stmt::ForIn(counter, Place::variable(&array.path[0].0), body));
        }
        let from = self.rng.range(0, 1);
        let to = from + self.rng.range(0, 2);
        Some(Stmt::ForRange(counter, Expr::Number(from), Expr::Number(to), body))
    }

    /// `for (m in channel)`: the channel carries records and nothing else.
    fn for_message(&mut self, spot: Spot) -> Option<Stmt> {
        let inner = [Field::Record("Inner".to_owned())];
        let channel = self.channel_where(|c| {
            c.global
                && c.capacity > 0
                && c.fields == inner
                && c.path.iter().all(|(_, n)| n.is_none())
        })?;
        let fits = |ty: &Type| matches!(ty, Type::Record(n) if n == "Inner");
        let records = self
            .scope
            .records
            .iter()
            .filter(|r| !r.global && r.path.len() == 1 && r.path[0].1.is_none() && fits(&r.ty));
        let records: Vec<_> = records.cloned().collect();
        let record = self.rng.pick(&records)?.path[0].0.clone();
        let body = vec![self.effect(Spot { in_loop: true, ..spot })];
        Some(Stmt::ForIn(Place::variable(&record), Place::variable(&channel.path[0].0), body))
    }
}
