//! The narrow interface to a decision procedure.
//!
//! *Unsat* must be right; *unknown* is always allowed. A caller that abstracts counts *unknown* as
//! satisfiable, a caller that proves counts it as not proved.

use crate::derivation::Derivation;
use crate::terms::{Interpretation, TermId, Terms};
use std::fmt;

/// What a solver says about a conjunction.
#[derive(Debug, Clone)]
pub enum SolverAnswer {
    /// It has a model.
    Satisfiable(Interpretation),
    /// It has none.
    Unsatisfiable(Refutation),
    /// The solver does not know.
    Unknown(SolverObstacle),
}

/// That a conjunction has no model.
#[derive(Debug, Clone)]
pub struct Refutation {
    /// Assumptions of the query that are contradictory together with the assertions. Small, not
    /// always minimal; in the order of the query.
    pub core: Vec<TermId>,
    /// Why, from the embedded procedure: [`crate::derivation::check`] accepts it. Processes give none.
    pub derivation: Option<Derivation>,
}

/// Why a solver does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolverObstacle {
    /// The term is outside the fragment: a product of two variables, or a quantifier.
    Fragment(TermId),
    /// A number does not fit into 128 bits.
    Overflow,
    /// The query's budget of work is spent.
    Budget,
    /// The caller lost interest.
    Cancelled,
    /// The process ended, could not be asked, or answered something else: its words.
    Process(String),
}

impl fmt::Display for SolverObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fragment(_) => f.write_str("a term is not linear or has a quantifier"),
            Self::Overflow => f.write_str("a number does not fit into 128 bits"),
            Self::Budget => f.write_str("the budget of a query is spent"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Process(words) => write!(f, "the solver process: {words}"),
        }
    }
}

/// A decision procedure with a stack of assertions. All terms of one solver's life are of one
/// [`Terms`]; a procedure may add terms to it.
pub trait Solver {
    /// What people call it.
    fn name(&self) -> String;

    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope and forgets its assertions; without a scope, nothing happens.
    fn pop(&mut self);

    /// Adds an assertion to the innermost scope.
    fn assert(&mut self, formula: TermId);

    /// Whether the assertions and the assumptions have a common model. The assumptions may be any
    /// Boolean terms; they hold for this query only.
    fn check(&mut self, terms: &mut Terms, assumptions: &[TermId]) -> SolverAnswer;

    /// Whether the assertions and these formulas certainly have no common model. Cheaper than [`check`](Self::check) with
    /// assumptions, because no core is asked for.
    fn refutes(&mut self, terms: &mut Terms, formulas: &[TermId]) -> bool {
        self.push();
        formulas.iter().for_each(|&formula| self.assert(formula));
        let answer = self.check(terms, &[]);
        self.pop();
        matches!(answer, SolverAnswer::Unsatisfiable(_))
    }

    /// The number of queries so far.
    fn n_queries(&self) -> u64;
}
