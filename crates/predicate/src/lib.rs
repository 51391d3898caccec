//! Finite abstractions of programs with unbounded data.
//!
//! - [`Embedded`]: our own decision procedure; every refutation has a derivation.
//! - [`Abstraction`]: verdicts by predicates, which are found from paths that are no runs.
//! - [`interpolant`]: a formula between two that contradict each other, from the derivation.
//! - [`LivenessQuestion`]: properties of infinite runs, by fair cycles and rankings.

mod abstraction;
mod certify;
mod embedded;
mod interpolant;
mod liveness;

pub use abstraction::{
    AbstractDoubt, AbstractEdge, AbstractGraph, AbstractId, AbstractState, AbstractVerdict,
    Abstraction, AbstractionBudget, Assignments, Basis, BasisPredicate, FactoredAbstraction,
    FactoredKind, FactoredStep, FactoredVariable, Polarity, PredicateSource, SuccessorMethod,
    UnboundedRun, UnboundedStep, approximate, points_of,
};
pub use certify::Uncertified;
pub use embedded::Embedded;
pub use interpolant::interpolant;
pub use liveness::LivenessQuestion;
