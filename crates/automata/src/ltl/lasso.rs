//! Formulas on ultimately periodic words, straight from the definitions.
//!
//! The truth of a formula is computed at every position, from the innermost subformulas outwards. `U` is a least and `V`
//! a greatest fixpoint: two rounds against the direction of reading reach it, because after one round the value at the
//! start of the cycle is right.

use super::formula::TemporalFormula;

/// The word of some letters, of which those from `start` on are repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LassoWord {
    letters: Vec<u64>,
    start: usize,
}

impl LassoWord {
    /// A word.
    ///
    /// # Panics
    ///
    /// If no letter is repeated.
    pub fn new(letters: Vec<u64>, start: usize) -> Self {
        assert!(start < letters.len(), "some letter is repeated");
        Self { letters, start }
    }

    /// Whether the formula holds of the word.
    pub fn satisfies(&self, formula: &TemporalFormula) -> bool {
        self.values(formula)[0]
    }

    /// The position after a position.
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.start }
    }

    /// The truth of a formula at every position.
    fn values(&self, formula: &TemporalFormula) -> Vec<bool> {
        let n = self.letters.len();
        let both = |a: &TemporalFormula, b: &TemporalFormula, of: fn(bool, bool) -> bool| {
            let (a, b) = (self.values(a), self.values(b));
            a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect()
        };
        let constant = |b: bool| vec![b; n];
        match formula {
            TemporalFormula::Bool(b) => constant(*b),
            TemporalFormula::Prop(p) => {
                self.letters.iter().map(|letter| letter >> p & 1 == 1).collect()
            }
            TemporalFormula::Not(a) => self.values(a).into_iter().map(|a| !a).collect(),
            TemporalFormula::And(a, b) => both(a, b, |a, b| a && b),
            TemporalFormula::Or(a, b) => both(a, b, |a, b| a || b),
            TemporalFormula::Implies(a, b) => both(a, b, |a, b| !a || b),
            TemporalFormula::Equiv(a, b) => both(a, b, |a, b| a == b),
            TemporalFormula::Next(a) => {
                let a = self.values(a);
                (0..n).map(|at| a[self.next(at)]).collect()
            }
            TemporalFormula::Always(a) => self.release(&constant(false), &self.values(a)),
            TemporalFormula::Eventually(a) => self.until(&constant(true), &self.values(a)),
            TemporalFormula::Until(a, b) => self.until(&self.values(a), &self.values(b)),
            TemporalFormula::Release(a, b) => self.release(&self.values(a), &self.values(b)),
            TemporalFormula::WeakUntil(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                let either: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a || *b).collect();
                self.release(&b, &either)
            }
        }
    }

    /// The least solution of `x = b || a && X x`.
    fn until(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.fixpoint(false, |at, later| b[at] || a[at] && later)
    }

    /// The greatest solution of `x = b && (a || X x)`.
    fn release(&self, a: &[bool], b: &[bool]) -> Vec<bool> {
        self.fixpoint(true, |at, later| b[at] && (a[at] || later))
    }

    fn fixpoint(&self, from: bool, now: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![from; self.letters.len()];
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                values[at] = now(at, values[self.next(at)]);
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::LassoWord;
    use super::TemporalFormula as F;

    fn p(i: u32) -> Box<F> {
        Box::new(F::Prop(i))
    }

    #[test]
    fn words_with_a_cycle() {
        let (a, b) = (1, 2);
        for (formula, stem, cycle, expected) in [
            (F::Eventually(p(0)), vec![0, 0], vec![b, a], true),
            (F::Eventually(p(0)), vec![0], vec![b], false),
            (F::Always(p(1)), vec![b], vec![b, b], true),
            (F::Always(p(1)), vec![b], vec![b, a], false),
            (F::Until(p(0), p(1)), vec![a, a], vec![a], false),
            (F::WeakUntil(p(0), p(1)), vec![a, a], vec![a], true),
            (F::Until(p(0), p(1)), vec![a, a], vec![a, b], true),
            (F::Release(p(0), p(1)), vec![b], vec![a | b, 0], true),
            (F::Next(p(0)), vec![], vec![0, a], true),
            (F::Always(Box::new(F::Eventually(p(0)))), vec![0], vec![0, 0, a, 0], true),
            (F::Eventually(Box::new(F::Always(p(0)))), vec![0], vec![a, 0], false),
        ] {
            let start = stem.len();
            let word = LassoWord::new([stem, cycle].concat(), start);
            assert_eq!(word.satisfies(&formula), expected, "{formula:?} {word:?}");
        }
    }
}
