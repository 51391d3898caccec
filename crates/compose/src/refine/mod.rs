//! Requirements from an abstraction of the environment, refined step by step.
//!
//! Each part of the environment is abstracted by a partition, and only what may be reached of
//! the product of these is explored. *Lower* labels say what is sure and *upper* ones what is
//! possible. A refinement step chooses an edge that may be taken and is no must, though
//! it would change a lower label, and splits a class so that it comes nearer to a must. These
//! are sections 5 and 6 of the FORTE paper, with must edges of their own for each
//! direction of time, and a partition for each part.

pub(crate) mod abstraction;
mod assume;
mod bundles;
mod check;
mod choose;
pub(crate) mod classes;
mod concretize;
mod lower;
mod places;
mod reach;
mod refinement;
mod renew;
mod steps;
mod strategy;
mod upper;

pub use abstraction::Direction;
pub use assume::{Draft, assume};
pub use check::{RefineOutcome, check};
pub use refinement::RefineProgress;
pub use strategy::{Strategy, alternating, backward_first, forward_first};
