//! Programs with unbounded data, and their finite abstractions.
//!
//! - [`Terms`]: hash-consed formulas of linear arithmetic and arrays, in normal form.
//! - [`Solver`]: the narrow interface to a decision procedure; [`Embedded`] is our own, [`SmtProcess`] any
//!   other program.
//! - [`derivation`]: why a formula has no model, with a checker of its own.

pub mod derivation;
mod embedded;
mod rational;
mod smt;
mod solver;
mod terms;

pub use embedded::Embedded;
pub use rational::Rational;
pub use smt::{SmtProcess, smt_script};
pub use solver::{Refutation, Solver, SolverAnswer, SolverObstacle};
pub use terms::{
    ArrayValue, DataValue, Interpretation, LinearSum, Relation, Sort, Symbol, SymbolId, Term,
    TermId, Terms,
};
