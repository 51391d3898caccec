//! Formulas on words that repeat their end: the definition, position by position.

use super::TemporalFormula;

impl TemporalFormula {
    /// Whether the formula holds of the word `stem` `cycle` `cycle` …; the cycle has a letter.
    pub fn holds_on(&self, stem: &[u64], cycle: &[u64]) -> bool {
        let letters: Vec<u64> = stem.iter().chain(cycle).copied().collect();
        let word = Word { letters: &letters, back_to: stem.len() };
        word.values(self).first().copied().unwrap_or(true)
    }
}

struct Word<'a> {
    letters: &'a [u64],
    /// The position after the last one.
    back_to: usize,
}

impl Word<'_> {
    /// For each position whether the formula holds of the rest of the word from there on.
    fn values(&self, formula: &TemporalFormula) -> Vec<bool> {
        use TemporalFormula as F;
        let both = |a: &F, b: &F, op: fn(bool, bool) -> bool| -> Vec<bool> {
            self.values(a).into_iter().zip(self.values(b)).map(|(a, b)| op(a, b)).collect()
        };
        match formula {
            F::Bool(value) => vec![*value; self.letters.len()],
            F::Prop(i) => self.letters.iter().map(|letter| letter >> i & 1 == 1).collect(),
            F::Not(a) => self.values(a).into_iter().map(|value| !value).collect(),
            F::And(a, b) => both(a, b, |a, b| a && b),
            F::Or(a, b) => both(a, b, |a, b| a || b),
            F::Implies(a, b) => both(a, b, |a, b| !a || b),
            F::Equiv(a, b) => both(a, b, |a, b| a == b),
            F::Next(a) => {
                let values = self.values(a);
                (0..values.len()).map(|i| values[self.next(i)]).collect()
            }
            F::Eventually(a) => self.fixpoint(&self.values(a), &self.all(true), false),
            F::Always(a) => self.fixpoint(&self.all(false), &self.values(a), true),
            F::Until(a, b) => self.fixpoint(&self.values(b), &self.values(a), false),
            F::WeakUntil(a, b) => self.fixpoint(&self.values(b), &self.values(a), true),
            F::Release(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                let now: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a && *b).collect();
                self.fixpoint(&now, &b, true)
            }
        }
    }

    fn all(&self, value: bool) -> Vec<bool> {
        vec![value; self.letters.len()]
    }

    fn next(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back_to }
    }

    /// The solution of `x = now || (stays && next x)`, the largest or the least one. Two rounds
    /// from the end carry a value around the cycle.
    fn fixpoint(&self, now: &[bool], stays: &[bool], largest: bool) -> Vec<bool> {
        let mut values = self.all(largest);
        for _ in 0..2 {
            for i in (0..values.len()).rev() {
                values[i] = now[i] || stays[i] && values[self.next(i)];
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(formula.holds_on(&stem, &cycle), expected, "{formula:?} {stem:?} {cycle:?}");
        }
    }
}
