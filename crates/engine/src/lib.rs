//! Exhaustive search of a system.
//!
//! States are byte vectors, steps are machine code made when the search starts, and
//! the states seen are kept exactly, mostly in less than twenty bytes a state. One
//! thread searches in a plain loop; several threads or hosts are one dataflow.
//! Reductions leave out states that no property can tell from others.
//!
//! This crate knows neither Promela's syntax nor requirements.

pub mod compile;
pub mod search;
pub mod steps;
pub mod tree;
pub mod vector;
