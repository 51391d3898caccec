//! Requirements from an abstraction of the environment, refined step by step.
//!
//! Each part of the environment is abstracted by a partition, and only the reachable part of their
//! product is explored. *Lower* labels contain what is certain, *upper* labels what is possible. A
//! refinement step chooses a may-only edge that would change a lower label if it were a must edge,
//! and splits a class so that it comes nearer to one. These are sections 5 and 6 of the FORTE
//! paper, with separate must edges for each direction of time, and a partition for each part.
//!
//! The loops are [`assume()`], which ends at the canonical requirement, and [`check()`], which ends
//! as soon as the property is decided.

pub(crate) mod abstraction;
mod assume;
mod bundles;
mod check;
mod choose;
pub(crate) mod classes;
mod concretize;
mod context_table;
mod lower;
mod reach;
mod refinement;
mod renew;
mod steps;
mod strategy;
mod upper;

pub use abstraction::Direction;
pub use assume::{RequirementDraft, assume, assume_while};
pub use check::{RefineOutcome, check};
pub use refinement::RefineProgress;
pub use strategy::{Strategy, alternating, backward_first, forward_first};
