//! Labels: what several components do in one step, and the values that they exchange.
//!
//! The [`name`] of a label (and of a [`state`]) is for people, its [`signature`] identifies it in certificates and
//! contracts, and its [`meaning`] is the data from which a requirement is written as Promela.

mod condition;
mod implied;
pub mod meaning;
pub mod name;
pub mod signature;
pub mod state;
mod value;
