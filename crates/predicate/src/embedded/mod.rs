//! The embedded decision procedure.

use crate::solver::{Solver, SolverAnswer, SolverObstacle};
use crate::terms::{TermId, Terms};

/// The embedded decision procedure. Until it is complete, every answer is *unknown*.
#[derive(Debug, Default)]
pub struct Embedded {
    scopes: Vec<usize>,
    assertions: Vec<TermId>,
    n_queries: u64,
}

impl Embedded {
    /// Without assertions.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Solver for Embedded {
    fn name(&self) -> String {
        "embedded".to_owned()
    }

    fn push(&mut self) {
        self.scopes.push(self.assertions.len());
    }

    fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.assertions.truncate(length);
        }
    }

    fn assert(&mut self, formula: TermId) {
        self.assertions.push(formula);
    }

    fn check(&mut self, _terms: &mut Terms, _assumptions: &[TermId]) -> SolverAnswer {
        self.n_queries += 1;
        SolverAnswer::Unknown(SolverObstacle::Budget)
    }

    fn n_queries(&self) -> u64 {
        self.n_queries
    }
}
