//! Conditions: comparisons, flags, polls, and questions about other processes.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::interval::Interval;
use super::scope::constant_place;
use super::tree::{Expr, Type};
use super::value::binary;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Builder {
    /// A truth value that reads something.
    pub fn condition(&mut self, depth: usize) -> Expr {
        let deep = if depth == 0 { 0 } else { 1 };
        let remote = match self.has(Feature::Remote) && !self.plain_conditions {
            true => 18,
            false => 0,
        };
        let asks = self.has(Feature::Enabled) || self.has(Feature::Last);
        let system = if asks { 24 } else { 4 };
        let weights = [40, 10 * deep, 8 * deep, 8, 6, remote, system, 4];
        match self.rng.weighted(&weights) {
            0 => self.comparison(depth),
            1 => {
                let op = self.rng.one_of(["&&", "||"]);
                binary(op, self.condition(depth - 1), self.condition(depth - 1))
            }
            2 => Expr::Unary("!", Box::new(self.condition(depth - 1))),
            3 => self.flag(),
            // spin's value of `c??[…]` may be the position of the message.
            4 => match self.poll() {
                Some(Expr::Poll(r)) if r.random => binary("!=", Expr::Poll(r), Expr::Number(0)),
                Some(poll) => poll,
                None => self.comparison(depth),
            },
            5 => self.remote().unwrap_or_else(|| self.comparison(depth)),
            6 => self.system_condition().unwrap_or_else(|| self.flag()),
            _ if self.has(Feature::Macro) => {
                let (a, b) = (self.number(0).0, self.number(0).0);
                Expr::Apply("SAME".to_owned(), vec![a, b])
            }
            _ => self.comparison(depth),
        }
    }

    /// A condition for a statement: here, but not inside other operators
    /// than `&&` and `||`, spin allows `full(c)` and its kin.
    pub fn guard(&mut self, spot: Spot) -> Expr {
        if !spot.d_step && self.may(Feature::Timeout, 12) {
            return Expr::Word("timeout".to_owned());
        }
        let poll = self.rng.chance(5).then(|| self.poll()).flatten();
        if let Some(poll) = poll {
            return poll;
        }
        let buffered = self.channel_where(|c| c.capacity > 0);
        let Some(channel) = buffered.filter(|_| self.rng.chance(12)) else {
            return self.condition(2);
        };
        let function = self.rng.one_of(["full", "empty", "nfull", "nempty"]);
        let probe = Expr::Query(function, constant_place(&channel.path, &mut self.rng));
        match self.rng.below(4) {
            0 => binary("&&", probe, self.condition(1)),
            1 => binary("||", self.condition(1), probe),
            _ => probe,
        }
    }

    /// Two numbers, or an mtype variable and a constant, compared.
    pub fn comparison(&mut self, depth: usize) -> Expr {
        let mtypes = self.slots_where(|s| matches!(s.ty, Type::Mtype(_)));
        if let Some(slot) = self.rng.pick(&mtypes).cloned().filter(|_| self.rng.chance(40)) {
            let constant = self.constant_of(&slot.ty);
            let op = self.rng.one_of(["==", "!="]);
            return binary(op, Expr::Read(self.place(&slot.path)), constant);
        }
        let (left, bounds) = self.variable_number(depth.saturating_sub(1));
        match self.rng.below(10) {
            // Most variables start with zero: let processes start as well.
            0..5 => {
                let op = self.rng.one_of(["<", "<=", "!=", "=="]);
                let limit = if op == "==" { 0 } else { self.rng.range(1, 3) };
                binary(op, left, Expr::Number(limit))
            }
            5..8 => {
                let (low, high) = (bounds.low.max(-1), bounds.high.clamp(0, 3));
                let limit = Expr::Number(self.rng.range(low, high));
                binary(self.rng.one_of(COMPARISONS), left, limit)
            }
            _ => {
                let op = self.rng.one_of(COMPARISONS);
                binary(op, left, self.number(0).0)
            }
        }
    }

    /// A number that is not a constant, if there are variables.
    fn variable_number(&mut self, depth: usize) -> (Expr, Interval) {
        let mut found = self.number(depth);
        for _ in 0..5 {
            if !matches!(found.0, Expr::Number(_)) {
                break;
            }
            found = self.number(depth);
        }
        found
    }

    fn flag(&mut self) -> Expr {
        let flags = self.slots_where(|s| matches!(s.ty, Type::Bit | Type::Bool));
        match self.rng.pick(&flags).cloned() {
            Some(slot) => Expr::Read(self.place(&slot.path)),
            None => self.comparison(0),
        }
    }

    fn remote(&mut self) -> Option<Expr> {
        if !self.has(Feature::Remote) {
            return None;
        }
        let target = self.rng.below(self.finished.len());
        let offset = self.rng.below(2) as u32;
        let by_label = self.rng.chance(60);
        let target = self.finished.get(target)?;
        let pid = target.pid + offset % target.instances.max(1);
        let name = target.name.clone();
        if by_label {
            let label = self.rng.pick(&target.labels)?.clone();
            let pid = (target.instances > 1 || self.rng.chance(70)).then_some(pid);
            return Some(Expr::RemoteLabel(name, pid, label));
        }
        let variable = self.rng.pick(&target.locals)?.clone();
        let limit = Expr::Number(self.rng.range(0, 2));
        Some(binary("==", Expr::RemoteVariable(name, pid, variable), limit))
    }

    fn system_condition(&mut self) -> Option<Expr> {
        let number = |n: i64| Expr::Number(n);
        if !self.plain_conditions && self.may(Feature::Enabled, 70) {
            // A process may not ask about itself, and pids grow in the order of
            // the text: only processes already finished are asked about.
            let target = self.rng.below(self.finished.len());
            let pid = i64::from(self.finished.get(target)?.pid);
            if self.rng.chance(60) {
                // Its value is not always 0 or 1, so it is used as a truth value only.
                let enabled = Expr::Apply("enabled".to_owned(), vec![number(pid)]);
                return Some(binary("&&", enabled, self.comparison(0)));
            }
            let position = Expr::Apply("pc_value".to_owned(), vec![number(pid)]);
            return Some(binary(">", position, number(self.rng.range(1, 5))));
        }
        if self.may(Feature::Last, 70) {
            let last = Expr::Word("_last".to_owned());
            return Some(binary("==", last, number(self.rng.range(0, 2))));
        }
        let word = self.rng.one_of(["_nr_pr", "_nr_pr", "_pid"]);
        let op = self.rng.one_of(COMPARISONS);
        Some(binary(op, Expr::Word(word.to_owned()), number(self.rng.range(0, 3))))
    }
}
