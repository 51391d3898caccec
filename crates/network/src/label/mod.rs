//! Labels: what several components do in one step, and the values that they exchange.
//!
//! The [`name`] of a label is for people, its [`signature`] identifies it in certificates and
//! contracts, and its [`meaning`] is the data from which a requirement is written as Promela.

mod condition;
pub mod meaning;
pub mod name;
pub mod signature;
