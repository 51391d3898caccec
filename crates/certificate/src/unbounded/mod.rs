//! Certificates of abstractions: why a program with unbounded data has a property.
//!
//! A [`DataCertificate`] lists predicates, and for each control state of the program the valuations of the predicates
//! that its states may have. What it claims is a list of formulas that have no model, one for each control state and
//! command, each with a derivation. The checker derives the guarded commands from the program again, makes the
//! formulas, and goes through the derivations; it neither searches nor asks a solver. For a property of infinite runs
//! it also has the edges of the abstraction and a decomposition of its cycles ([`CycleEvidence`]).

mod check;
mod cycles;
mod evidence;
mod obligations;
mod product;
mod read;
mod steps;
mod write;

pub use check::{DataChecked, NotRefuted, check_data, derived, refuted_by};
pub use cycles::check_cycles;
pub use evidence::{
    AbstractStep, AbstractValuation, CycleComponent, CycleEvidence, CycleReason, DataCertificate,
    DataEvidence, WrittenDerivation,
};
pub use obligations::{
    DataQuestion, DerivedProgram, ProofObligation, derive_commands, obligations,
};
pub use product::{ClaimState, CycleGraph, GraphEdge};
pub use read::{is_of_data, read_data};
pub use write::write_data;
