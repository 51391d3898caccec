//! Exhaustive search of a system.
//!
//! A breadth-first search over the reference interpreter, in one thread, with an
//! exact store: states are equal iff all their bytes are. It visits every state and
//! every transition that the semantics has, and counts them as spin's verifier
//! does without reductions.
//!
//! This crate knows neither Promela's syntax nor requirements.

pub mod compile;
mod monitor;
mod passes;
pub mod search;
pub mod steps;
pub mod tree;
pub mod vector;

pub use monitor::{Failure, Monitor, Monitors, Refusal, Why};
pub use passes::{Ample, Look, Progress, Visible, check_reduction, merge, reset_dead};
