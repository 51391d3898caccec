//! Programs with unbounded data as formulas: what both the search for a proof and its checker rest on.
//!
//! - [`Terms`]: hash-consed formulas of linear arithmetic and arrays, in normal form.
//! - [`SymbolicProgram`]: a program as guarded commands, by the reference semantics.
//! - [`derivation`]: why a formula has no model, with a checker of its own.
//! - [`Solver`]: the narrow interface to a decision procedure; [`SmtProcess`] is any other program.
#![forbid(unsafe_code)]

pub mod derivation;
mod fairness;
mod horn;
mod program;
mod rational;
mod renumbered;
mod smt;
mod solver;
mod terms;

pub use fairness::{FairAction, FairnessAssumptions};
pub use horn::horn_clauses;
pub use program::{
    CommandKind, ControlId, ControlState, DataCell, DataDeclarations, DataKind, DataVariable,
    GuardedCommand, OutOfReach, SymbolicProgram,
};
pub use rational::Rational;
pub use smt::{SmtProcess, smt_script};
pub use solver::{Refutation, Solver, SolverAnswer, SolverObstacle};
pub use terms::{
    ArrayValue, DataValue, Evaluation, EvaluationUnder, Interpretation, LinearSum, Relation, Sort,
    Symbol, SymbolId, Term, TermExcerpt, TermId, Terms,
};
