//! Programs with unbounded data, and their finite abstractions.
//!
//! - [`Terms`]: hash-consed formulas of linear arithmetic and arrays, in normal form.
//! - [`Solver`]: the narrow interface to a decision procedure; [`Embedded`] is our own, [`SmtProcess`] any
//!   other program.
//! - [`SymbolicProgram`]: a program as guarded commands, by the reference semantics.
//! - [`Abstraction`]: verdicts by predicates, which are found from paths that are no runs.
//! - [`derivation`]: why a formula has no model, with a checker of its own.

mod abstraction;
pub mod derivation;
mod embedded;
mod horn;
mod liveness;
mod rational;
mod smt;
mod solver;
mod symbolic;
mod terms;

pub use abstraction::{
    AbstractDoubt, AbstractEdge, AbstractGraph, AbstractId, AbstractState, AbstractVerdict,
    Abstraction, AbstractionBudget, Basis, BasisPredicate, Polarity, PredicateSource,
    SuccessorMethod, UnboundedRun, UnboundedStep, approximate, points_of,
};
pub use embedded::Embedded;
pub use horn::horn_clauses;
pub use liveness::{FairnessAssumptions, LivenessQuestion};
pub use rational::Rational;
pub use smt::{SmtProcess, smt_script};
pub use solver::{Refutation, Solver, SolverAnswer, SolverObstacle};
pub use symbolic::{
    CommandKind, ControlId, ControlState, DataCell, DataDeclarations, DataKind, DataVariable,
    GuardedCommand, OutOfReach, SymbolicProgram,
};
pub use terms::{
    ArrayValue, DataValue, Interpretation, LinearSum, Relation, Sort, Symbol, SymbolId, Term,
    TermId, Terms,
};
