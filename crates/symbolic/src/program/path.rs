//! One path through a step: the choices that it makes, and the condition under which it is taken.
//!
//! A step is evaluated once for each sequence of choices, in order. A test of a symbolic value is a
//! choice between yes and no; so is a choice between several edges inside an `atomic`.

use crate::{TermId, Terms};

/// A step with more tests on one path is refused: it loops on unbounded data.
pub(crate) const MOST_CHOICES: usize = 200;

/// The choices of the present path.
#[derive(Default)]
pub(crate) struct PathChoices {
    /// What was chosen, of how many.
    trail: Vec<(usize, usize)>,
    at: usize,
    /// What must hold for the path to be taken.
    condition: Vec<TermId>,
    is_too_long: bool,
}

impl PathChoices {
    /// Begins a path.
    pub fn begin(&mut self) {
        self.at = 0;
        self.condition.clear();
    }

    /// A choice among `n`.
    pub fn choose(&mut self, n: usize) -> usize {
        if n <= 1 {
            return 0;
        }
        if self.at == self.trail.len() {
            self.is_too_long |= self.at >= MOST_CHOICES;
            self.trail.push((0, n));
        }
        self.at += 1;
        self.trail[self.at - 1].0
    }

    /// Whether a formula holds on this path: decided, if the path has not decided it yet.
    pub fn decide(&mut self, terms: &mut Terms, formula: TermId) -> bool {
        if let Some(truth) = terms.as_truth(formula) {
            return truth;
        }
        let opposite = terms.not(formula);
        if self.condition.contains(&formula) {
            return true;
        }
        if self.condition.contains(&opposite) {
            return false;
        }
        let holds = self.choose(2) == 0;
        self.condition.push(if holds { formula } else { opposite });
        holds
    }

    /// Requires a formula, which is no choice.
    pub fn require(&mut self, formula: TermId) {
        self.condition.push(formula);
    }

    /// The condition of the path so far.
    pub fn condition(&self) -> &[TermId] {
        &self.condition
    }

    /// Whether the path tests more than any step should.
    pub fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Turns to the next path; `false` if there is none.
    pub fn turn(&mut self) -> bool {
        self.trail.truncate(self.at);
        while let Some((chosen, n)) = self.trail.pop() {
            if chosen + 1 < n {
                self.trail.push((chosen + 1, n));
                return true;
            }
        }
        false
    }
}
