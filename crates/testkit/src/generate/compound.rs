//! Statements with inner statements, and sequences.

use super::builder::{Builder, Spot};
use super::feature::Feature;
use super::tree::{Seq, Stmt};

impl Builder {
    /// Up to `count` statements, as far as the budget goes; at least one.
    pub fn sequence(&mut self, count: i64, spot: Spot) -> Seq {
        let mark = self.scope.mark();
        let mut seq = Seq::new();
        for i in 0..count.max(1) {
            if i > 0 && self.budget == 0 {
                break;
            }
            if !spot.inline && self.may(Feature::InnerDecl, 8) {
                seq.push(self.inner_local());
            }
            let statement = self.statement(Spot { braces: false, ..spot });
            // spin wants a label before the brace, not after it.
            let may_be_labelled = i > 0 || !spot.braces;
            seq.push(match may_be_labelled {
                true => self.maybe_labelled(statement, spot),
                false => statement,
            });
        }
        self.scope.reset(mark);
        seq
    }

    /// A sequence that follows an opening brace.
    pub fn braces(&mut self, count: i64, spot: Spot) -> Seq {
        self.sequence(count, Spot { braces: true, ..spot })
    }

    fn maybe_labelled(&mut self, stmt: Stmt, spot: Spot) -> Stmt {
        let free = !spot.d_step && !spot.inline && !matches!(stmt, Stmt::Group(_));
        if !free || !self.may(Feature::Label, 18) {
            return stmt;
        }
        let prefix = self.rng.one_of(["L", "L", "L", "end", "progress", "accept"]);
        let label = self.fresh(prefix);
        // A jump back into an atomic sequence could make it endless; spin takes a
        // label on a d_step for one inside.
        if !spot.indivisible && !matches!(stmt, Stmt::DStep(_)) {
            self.labels.push(label.clone());
        }
        Stmt::Labelled(label, Box::new(stmt))
    }

    /// One statement of any kind.
    pub fn statement(&mut self, spot: Spot) -> Stmt {
        self.budget = self.budget.saturating_sub(1);
        let nested = if spot.depth < 3 && self.budget > 1 { 30 } else { 0 };
        let blocks = if spot.d_step && !self.has(Feature::Blocking) { 0 } else { 22 };
        match self.rng.weighted(&[34, blocks, 14, nested]) {
            0 => self.effect(spot),
            1 => self.blocking(spot),
            2 => self.remark(spot),
            _ => self.compound(spot).unwrap_or_else(|| self.effect(spot)),
        }
    }

    fn compound(&mut self, spot: Spot) -> Option<Stmt> {
        let free = usize::from(!spot.d_step);
        let divisible = usize::from(!spot.indivisible);
        let with = |feature| usize::from(self.has(feature));
        let weights = [
            30,
            25 * divisible,
            22 * divisible * with(Feature::Atomic),
            28 * divisible * with(Feature::DStep),
            24 * divisible * with(Feature::Unless),
            24 * with(Feature::For),
            10 * with(Feature::InnerDecl) * usize::from(!spot.inline),
            4 * free,
            if spot.indivisible { 5 } else { 1 },
        ];
        let inner = spot.deeper();
        match self.rng.weighted(&weights) {
            0 => Some(self.selection(inner)),
            1 => Some(self.repetition(inner)),
            2 => Some(Stmt::Atomic(self.atomic_body(inner))),
            3 => Some(Stmt::DStep(self.d_step_body(inner))),
            4 => Some(self.unless(inner)),
            5 => self.for_loop(inner),
            6 => Some(self.block(inner)),
            7 => Some(Stmt::Block(self.braces(2, inner))),
            _ => Some(self.counted_loop(inner)),
        }
    }

    fn selection(&mut self, spot: Spot) -> Stmt {
        let count = self.rng.range(1, 3);
        let mut options: Vec<Seq> = (0..count).map(|_| self.option(spot)).collect();
        // Inside d_step a selection without else would usually be an error.
        let must = spot.d_step && !self.has(Feature::Blocking);
        if must || count == 1 || self.may(Feature::Else, 50) {
            options.push(self.else_option(spot));
        }
        Stmt::If(options)
    }

    fn else_option(&mut self, spot: Spot) -> Seq {
        let mut option = vec![Stmt::Else];
        match self.rng.below(3) {
            0 => option.push(self.effect(spot)),
            1 => option.push(Stmt::Skip),
            _ => {}
        }
        option
    }

    /// A guarded or unguarded option that has an effect.
    pub fn option(&mut self, spot: Spot) -> Seq {
        if !spot.indivisible && spot.depth < 3 {
            if self.may(Feature::Atomic, 14) {
                return vec![Stmt::Atomic(self.atomic_body(spot.deeper()))];
            }
            if self.may(Feature::DStep, 18) {
                return vec![Stmt::DStep(self.d_step_body(spot.deeper()))];
            }
        }
        let count = self.rng.chance(20).then(|| self.bounded_count());
        if let Some(Some(count)) = count {
            return count;
        }
        let mut option = if self.rng.chance(70) {
            let first = self.blocking(spot);
            match first {
                // A condition alone would make an empty cycle.
                Stmt::Guard(_) => vec![first, self.effect(spot)],
                _ => vec![first],
            }
        } else {
            vec![self.effect(spot)]
        };
        if self.budget > 0 && self.rng.chance(45) {
            option.extend(self.sequence(2, spot));
        }
        if let Some(jump) = self.jump(spot) {
            option.push(jump);
        }
        option
    }

    fn jump(&mut self, spot: Spot) -> Option<Stmt> {
        // spin takes a break at the end of a d_step for a jump out of it.
        if spot.in_loop && !spot.d_step && self.rng.chance(15) {
            return Some(Stmt::Break);
        }
        if spot.d_step || spot.inline || !self.may(Feature::Goto, 25) {
            return None;
        }
        let forward = self.final_label.clone().filter(|_| self.rng.chance(50));
        let backward = self.rng.pick(&self.labels).cloned();
        forward.or(backward).map(Stmt::Goto)
    }

    fn atomic_body(&mut self, spot: Spot) -> Seq {
        let spot = Spot { indivisible: true, ..spot };
        let mut body = vec![self.blocking(spot)];
        body.extend(self.sequence(3, spot));
        if let Some(jump) = self.jump(spot) {
            body.push(jump);
        }
        body
    }

    fn d_step_body(&mut self, spot: Spot) -> Seq {
        let spot = Spot { indivisible: true, d_step: true, in_loop: false, ..spot };
        self.plain_conditions = true;
        let first = match self.rng.chance(50) {
            true => self.blocking(spot),
            false => self.effect(spot),
        };
        let mut body = vec![first];
        body.extend(self.sequence(3, spot));
        // Loops, blocks and calls at the very end make spin see jumps out of the
        // d_step, or write C that does not compile.
        if !matches!(body.last(), Some(Stmt::Assign(..) | Stmt::Step(..) | Stmt::If(_))) {
            body.push(self.effect(spot));
        }
        self.plain_conditions = false;
        body
    }

    fn unless(&mut self, spot: Spot) -> Stmt {
        let main = self.braces(3, Spot { in_loop: false, ..spot });
        let mut escape = vec![self.blocking(spot)];
        if self.rng.chance(60) {
            escape.push(self.effect(spot));
        }
        if self.may(Feature::Atomic, 25) {
            escape = vec![Stmt::Atomic(escape)];
        }
        Stmt::Unless(main, escape)
    }

    /// A block with variables of its own. spin lets no variable hide another
    /// one, but blocks side by side may use the same name.
    fn block(&mut self, spot: Spot) -> Stmt {
        let mark = self.scope.mark();
        let mut body = vec![self.inner_local()];
        let again = match self.retired.is_empty() || self.rng.chance(50) {
            true => None,
            false => Some(self.retired.swap_remove(self.rng.below(self.retired.len()))),
        };
        if let (Some(name), Some(Stmt::Decl(decl))) = (again, body.first_mut()) {
            decl.name = name;
            self.scope.reset(mark);
            self.scope.add(decl, &[], false);
        }
        if self.rng.chance(30) {
            body.push(self.inner_local());
        }
        let names = body.iter().filter_map(|s| match s {
            Stmt::Decl(decl) => Some(decl.name.clone()),
            _ => None,
        });
        let names: Vec<String> = names.collect();
        body.extend(self.sequence(3, spot));
        self.retired.extend(names);
        self.scope.reset(mark);
        Stmt::Block(body)
    }
}
