//! Exhaustive search of a system.
//!
//! States are byte vectors, steps are machine code that is compiled when the search starts, and the visited
//! states are stored exactly: as they are while memory is plentiful, then mostly in less than twenty bytes per
//! state. One thread searches in a plain
//! loop; several threads or hosts form one dataflow. A partial order reduction leaves out states that no
//! property can distinguish from others.
//!
//! This crate knows neither Promela's syntax nor requirements.

#![cfg_attr(
    not(all(feature = "compile", feature = "hosts")),
    allow(dead_code, reason = "what only compiled steps or several hosts use")
)]

#[cfg(feature = "compile")]
pub mod compile;
pub mod flat;
pub mod search;
pub mod steps;
pub mod store;
pub mod tree;
pub mod vector;
