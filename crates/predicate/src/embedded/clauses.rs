//! The Boolean part: clauses with two watched literals, unit propagation, and learning from conflicts
//! (first unique implication point). Every clause remembers its origin, for derivations.

use resy_symbolic::Rational;
use resy_symbolic::derivation::Axiom;

/// A variable or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn new(variable: usize, is_positive: bool) -> Self {
        Self((variable as u32) << 1 | u32::from(!is_positive))
    }

    pub(super) fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a clause.
pub(super) type ClauseNumber = usize;

/// Why a clause holds.
#[derive(Debug, Clone)]
pub(super) enum ClauseOrigin {
    Axiom(Axiom),
    Linear(Vec<Rational>),
    /// By propagation through these, in this order.
    Propagation(Vec<ClauseNumber>),
}

#[derive(Debug)]
pub(super) struct StoredClause {
    /// The first two are watched.
    pub(super) literals: Vec<Lit>,
    pub(super) origin: ClauseOrigin,
}

/// What became of a clause that was added.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum AddedClause {
    Fine,
    Conflict,
}

#[derive(Debug, Default)]
pub(super) struct Clauses {
    pub(super) stored: Vec<StoredClause>,
    watches: Vec<Vec<ClauseNumber>>,
    values: Vec<Option<bool>>,
    levels: Vec<usize>,
    reasons: Vec<Option<ClauseNumber>>,
    positions: Vec<usize>,
    seen: Vec<bool>,
    pub(super) trail: Vec<Lit>,
    /// The length of the trail before each level.
    limits: Vec<usize>,
    n_propagated: usize,
}

impl Clauses {
    pub(super) fn add_variable(&mut self) -> usize {
        self.values.push(None);
        self.levels.push(0);
        self.reasons.push(None);
        self.positions.push(0);
        self.seen.push(false);
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
        self.values.len() - 1
    }

    pub(super) fn n_variables(&self) -> usize {
        self.values.len()
    }

    pub(super) fn value(&self, literal: Lit) -> Option<bool> {
        self.values[literal.variable()].map(|value| value == literal.is_positive())
    }

    pub(super) fn level(&self) -> usize {
        self.limits.len()
    }

    /// Opens a level; the next assigned literal is its decision.
    pub(super) fn open_level(&mut self) {
        self.limits.push(self.trail.len());
    }

    pub(super) fn backtrack(&mut self, level: usize) {
        if level >= self.limits.len() {
            return;
        }
        let length = self.limits[level];
        for literal in self.trail.drain(length..) {
            self.values[literal.variable()] = None;
        }
        self.limits.truncate(level);
        self.n_propagated = self.n_propagated.min(length);
    }

    pub(super) fn assign(&mut self, literal: Lit, reason: Option<ClauseNumber>) {
        let variable = literal.variable();
        self.values[variable] = Some(literal.is_positive());
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.positions[variable] = self.trail.len();
        self.trail.push(literal);
    }

    /// Adds a clause at any time. If its literals are false it is a conflict; if one is left, that is
    /// assigned now. The watched ones are those that become free first.
    pub(super) fn add(&mut self, mut literals: Vec<Lit>, origin: ClauseOrigin) -> AddedClause {
        literals.sort_unstable_by_key(|&literal| match self.value(literal) {
            Some(true) => (0, 0),
            None => (1, 0),
            Some(false) => (2, usize::MAX - self.levels[literal.variable()]),
        });
        let number = self.stored.len();
        if literals.len() >= 2 {
            self.watches[literals[0].index()].push(number);
            self.watches[literals[1].index()].push(number);
        }
        let first = literals.first().map(|&first| (first, self.value(first)));
        let second = literals.get(1).map(|&second| self.value(second));
        self.stored.push(StoredClause { literals, origin });
        match (first, second) {
            (None | Some((_, Some(false))), _) => AddedClause::Conflict,
            (Some((first, None)), None | Some(Some(false))) => {
                self.assign(first, Some(number));
                AddedClause::Fine
            }
            _ => AddedClause::Fine,
        }
    }

    /// Unit propagation; the violated clause if there is one.
    pub(super) fn propagate(&mut self) -> Option<ClauseNumber> {
        while self.n_propagated < self.trail.len() {
            let false_literal = self.trail[self.n_propagated].negated();
            self.n_propagated += 1;
            let mut watching = std::mem::take(&mut self.watches[false_literal.index()]);
            let mut conflict = None;
            let mut kept = 0;
            for position in 0..watching.len() {
                let number = watching[position];
                if conflict.is_none() && self.moves_watch(number, false_literal) {
                    continue;
                }
                watching[kept] = number;
                kept += 1;
                if conflict.is_some() {
                    continue;
                }
                let other = self.stored[number].literals[0];
                match self.value(other) {
                    Some(true) => {}
                    None => self.assign(other, Some(number)),
                    Some(false) => conflict = Some(number),
                }
            }
            watching.truncate(kept);
            self.watches[false_literal.index()] = watching;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Whether another literal can be watched instead. Afterwards the false one is the second.
    fn moves_watch(&mut self, number: ClauseNumber, false_literal: Lit) -> bool {
        let literals = &mut self.stored[number].literals;
        if literals[0] == false_literal {
            literals.swap(0, 1);
        }
        let holds = |literal: Lit| self.values[literal.variable()] == Some(literal.is_positive());
        if holds(literals[0]) {
            return false;
        }
        let is_false =
            |literal: Lit| self.values[literal.variable()] == Some(!literal.is_positive());
        let Some(other) = (2..literals.len()).find(|&other| !is_false(literals[other])) else {
            return false;
        };
        literals.swap(1, other);
        self.watches[literals[1].index()].push(number);
        true
    }

    pub(super) fn level_of(&self, literal: Lit) -> usize {
        self.levels[literal.variable()]
    }

    /// The highest level of a clause's literals, all of which are false.
    pub(super) fn highest_level(&self, number: ClauseNumber) -> usize {
        let levels = self.stored[number].literals.iter().map(|l| self.levels[l.variable()]);
        levels.max().unwrap_or(0)
    }

    /// What follows from a conflict at the current level: literals of which one is false at this level
    /// (the first) and the others before, the highest of them second; and the premises.
    pub(super) fn analyze(&mut self, conflict: ClauseNumber) -> (Vec<Lit>, Vec<ClauseNumber>) {
        let level = self.level();
        let mut learned = Vec::new();
        let mut resolved = Vec::new();
        let mut marked = Vec::new();
        let mut n_open = 0;
        let mut reason = conflict;
        let mut position = self.trail.len();
        let asserting = loop {
            for index in 0..self.stored[reason].literals.len() {
                let literal = self.stored[reason].literals[index];
                let variable = literal.variable();
                if self.seen[variable] || self.value(literal) == Some(true) {
                    continue;
                }
                self.seen[variable] = true;
                marked.push(variable);
                match self.levels[variable] {
                    0 => {}
                    of if of == level => n_open += 1,
                    _ => learned.push(literal),
                }
            }
            loop {
                position -= 1;
                let variable = self.trail[position].variable();
                if self.seen[variable] && self.levels[variable] == level {
                    break;
                }
            }
            let literal = self.trail[position];
            n_open -= 1;
            match self.reasons[literal.variable()] {
                Some(next) if n_open > 0 => {
                    resolved.push(literal.variable());
                    reason = next;
                }
                _ => break literal.negated(),
            }
        };
        self.drop_implied(&mut learned, &mut resolved);
        learned.insert(0, asserting);
        let premises = self.premises(resolved, &mut marked, conflict);
        for variable in marked {
            self.seen[variable] = false;
        }
        let second = (1..learned.len()).max_by_key(|&i| self.levels[learned[i].variable()]);
        if let Some(second) = second {
            learned.swap(1, second);
        }
        (learned, premises)
    }

    /// Drops literals that the others imply by one clause.
    fn drop_implied(&self, learned: &mut Vec<Lit>, resolved: &mut Vec<usize>) {
        learned.retain(|literal| {
            let Some(reason) = self.reasons[literal.variable()] else { return true };
            let others = self.stored[reason].literals.iter().map(|l| l.variable());
            let implied = others.filter(|&v| v != literal.variable()).all(|v| self.seen[v]);
            if implied {
                resolved.push(literal.variable());
            }
            !implied
        });
    }

    /// The reasons of the resolved variables, and of everything at level 0 that they and the conflict
    /// rest on, in the order of the trail; then the conflict.
    fn premises(
        &mut self,
        mut resolved: Vec<usize>,
        marked: &mut Vec<usize>,
        conflict: ClauseNumber,
    ) -> Vec<ClauseNumber> {
        let mut stack: Vec<usize> =
            marked.iter().copied().filter(|&variable| self.levels[variable] == 0).collect();
        while let Some(variable) = stack.pop() {
            resolved.push(variable);
            let Some(reason) = self.reasons[variable] else { continue };
            for literal in &self.stored[reason].literals {
                if !self.seen[literal.variable()] {
                    self.seen[literal.variable()] = true;
                    marked.push(literal.variable());
                    if self.levels[literal.variable()] == 0 {
                        stack.push(literal.variable());
                    }
                }
            }
        }
        resolved.sort_unstable_by_key(|&variable| self.positions[variable]);
        resolved.dedup();
        let reasons = resolved.iter().filter_map(|&variable| self.reasons[variable]);
        reasons.chain([conflict]).collect()
    }

    /// The decisions that make these literals false, and the reasons in between in the order of the
    /// trail.
    pub(super) fn causes(&self, false_literals: &[Lit]) -> (Vec<Lit>, Vec<ClauseNumber>) {
        let mut needed = vec![false; self.values.len()];
        false_literals.iter().for_each(|literal| needed[literal.variable()] = true);
        let (mut decisions, mut premises) = (Vec::new(), Vec::new());
        for &literal in self.trail.iter().rev() {
            if !needed[literal.variable()] {
                continue;
            }
            match self.reasons[literal.variable()] {
                None => decisions.push(literal),
                Some(reason) => {
                    premises.push(reason);
                    let literals = &self.stored[reason].literals;
                    literals.iter().for_each(|literal| needed[literal.variable()] = true);
                }
            }
        }
        premises.reverse();
        (decisions, premises)
    }
}
