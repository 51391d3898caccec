//! Scopes of random assertions and literals.

use resy_index::random::SplitMix;
use resy_symbolic::{Rational, Sort, TermId, Terms};

/// What the terms of a query may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Linear integers with small numbers.
    Integers,
    /// Linear integers, equations with larger coefficients among them: parity decides.
    Equations,
    /// Rationals, strict inequalities, and some integers.
    Rationals,
    /// Conditionals, equivalences and Boolean variables.
    Connectives,
    /// Reads and writes of arrays.
    Arrays,
    /// Also equalities of arrays and conditional arrays.
    ArrayEqualities,
    /// Truncated divisions and remainders by constants.
    Divisions,
}

impl QueryKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Integers,
        Self::Equations,
        Self::Rationals,
        Self::Connectives,
        Self::Arrays,
        Self::ArrayEqualities,
        Self::Divisions,
    ];

    fn has_arrays(self) -> bool {
        matches!(self, Self::Arrays | Self::ArrayEqualities)
    }
}

/// Assertions, and literals to assume.
#[derive(Debug)]
pub struct RandomScope {
    /// What always holds.
    pub assertions: Vec<TermId>,
    /// What queries assume.
    pub literals: Vec<TermId>,
}

/// A generator of scopes over the same variables.
#[derive(Debug)]
pub struct RandomQueries {
    /// Of all scopes.
    pub terms: Terms,
    kind: QueryKind,
    random: SplitMix,
    numbers: Vec<TermId>,
    booleans: Vec<TermId>,
    arrays: Vec<TermId>,
}

impl RandomQueries {
    /// The variables of a kind.
    pub fn new(kind: QueryKind) -> Self {
        let mut terms = Terms::new();
        let mut numbers = Vec::new();
        for number in 0..6 {
            let is_rational = kind == QueryKind::Rationals && number < 4;
            let sort = if is_rational { Sort::Rational } else { Sort::Integer };
            numbers.push(terms.fresh(&format!("x{number}"), sort));
        }
        let booleans = (0..3).map(|n| terms.fresh(&format!("p{n}"), Sort::Boolean)).collect();
        let n_arrays = if kind == QueryKind::ArrayEqualities { 3 } else { 1 };
        let array = |n| terms.fresh(&format!("a{n}"), Sort::IntegerArray);
        let arrays = (0..n_arrays).map(array).collect();
        Self { terms, kind, random: SplitMix(0), numbers, booleans, arrays }
    }

    /// The scope of a seed; the queries after it depend on the seed as well.
    pub fn scope(&mut self, seed: u64) -> RandomScope {
        self.random = SplitMix(seed);
        let mut assertions = Vec::new();
        for number in 0..3 {
            let is_deep = number == 0 || self.kind == QueryKind::Connectives;
            assertions.push(self.formula(if is_deep { 2 } else { 0 }));
        }
        let literals = (0..8).map(|_| self.formula(0)).collect();
        RandomScope { assertions, literals }
    }

    /// Two to five of the literals.
    pub fn query(&mut self, scope: &RandomScope) -> Vec<TermId> {
        let n_literals = 2 + self.random.below(4);
        let literals = &scope.literals;
        (0..n_literals).map(|_| literals[self.random.below(literals.len())]).collect()
    }

    /// The kind of all scopes.
    pub fn kind(&self) -> QueryKind {
        self.kind
    }

    fn small(&mut self, size: usize) -> i128 {
        self.random.below(2 * size + 1) as i128 - size as i128
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.atom();
        }
        let parts: Vec<TermId> = (0..3).map(|_| self.formula(depth - 1)).collect();
        match self.random.below(if self.kind == QueryKind::Connectives { 5 } else { 2 }) {
            0 => self.terms.or(&parts),
            1 => {
                let both = self.terms.and(&parts[..2]);
                self.terms.or(&[both, parts[2]])
            }
            2 => self.terms.iff(parts[0], parts[1]),
            3 => self.terms.ite(parts[0], parts[1], parts[2]),
            _ => {
                let all = self.terms.and(&parts);
                self.terms.not(all)
            }
        }
    }

    fn atom(&mut self) -> TermId {
        if self.kind == QueryKind::Connectives && self.one_in(3) {
            let chosen = self.booleans[self.random.below(self.booleans.len())];
            return if self.one_in(2) { chosen } else { self.terms.not(chosen) };
        }
        if self.kind == QueryKind::ArrayEqualities && self.one_in(4) {
            let (left, right) = (self.array(2), self.array(1));
            let same = self.terms.equal(left, right);
            return if self.one_in(2) { same } else { self.terms.not(same) };
        }
        let (left, right) = (self.number(2), self.number(1));
        let equations = if self.kind == QueryKind::Equations { 3 } else { 0 };
        match self.random.below(6 + equations) {
            0 => self.terms.at_most(left, right),
            1 => self.terms.less(left, right),
            2 => self.terms.at_least(left, right),
            3 => self.terms.greater(left, right),
            4 => self.terms.not_equal(left, right),
            _ => self.terms.equal(left, right),
        }
    }

    /// A sum of a few summands and a constant.
    fn number(&mut self, n_summands: usize) -> TermId {
        let constant = self.small(5);
        let mut total = self.terms.number(constant);
        for _ in 0..n_summands {
            let size = if self.kind == QueryKind::Equations { 7 } else { 2 };
            let factor = self.small(size);
            let factor = if self.kind == QueryKind::Rationals && self.one_in(4) {
                Rational::new(factor, 3).unwrap_or(Rational::ONE)
            } else {
                Rational::integer(factor)
            };
            let summand = self.summand();
            let scaled = self.terms.scale(factor, summand);
            total = self.terms.add(total, scaled);
        }
        total
    }

    fn summand(&mut self) -> TermId {
        let variable = self.numbers[self.random.below(self.numbers.len())];
        let kind = self.kind;
        match kind {
            QueryKind::Connectives if self.one_in(4) => {
                let condition = self.atom_without_conditionals();
                let other = self.numbers[self.random.below(self.numbers.len())];
                self.terms.ite(condition, variable, other)
            }
            QueryKind::Divisions if self.one_in(3) => {
                let divisor = self.small(4);
                let divisor = if divisor == 0 { 5 } else { divisor };
                let dividend = self.terms.add(variable, self.numbers[0]);
                let remainder = self.one_in(2);
                let made = if remainder {
                    self.terms.remainder(dividend, divisor)
                } else {
                    self.terms.divide(dividend, divisor)
                };
                made.unwrap_or(variable)
            }
            _ if kind.has_arrays() && self.one_in(2) => {
                let (array, index) = (self.array(2), self.index());
                self.terms.select(array, index)
            }
            _ => variable,
        }
    }

    fn atom_without_conditionals(&mut self) -> TermId {
        let (left, right) = (self.random.below(6), self.random.below(6));
        let bound = self.small(3);
        let bound = self.terms.number(bound);
        let sum = self.terms.add(self.numbers[right], bound);
        self.terms.at_most(self.numbers[left], sum)
    }

    fn index(&mut self) -> TermId {
        let (variable, offset) = (self.random.below(self.numbers.len()), self.small(1));
        let offset = self.terms.number(offset);
        self.terms.add(self.numbers[variable], offset)
    }

    fn array(&mut self, n_writes: usize) -> TermId {
        let mut array = self.arrays[self.random.below(self.arrays.len())];
        for _ in 0..self.random.below(n_writes + 1) {
            if self.kind == QueryKind::ArrayEqualities && self.one_in(4) {
                let condition = self.atom_without_conditionals();
                let other = self.arrays[self.random.below(self.arrays.len())];
                array = self.terms.ite(condition, array, other);
                continue;
            }
            let (index, value) = (self.index(), self.numbers[self.random.below(6)]);
            array = self.terms.store(array, index, value);
        }
        array
    }
}
