//! Development tasks: tidy, comparison with the real spin, fuzzing, mutants, benchmark, cost of networks.
//!
//! `cargo run -p resy-xtask --release -- help` lists them.

pub mod args;
pub mod bench;
pub mod cache;
pub mod compare;
pub mod cost;
pub mod fuzz;
pub mod kill;
pub mod models;
pub mod mutants;
pub mod parallel;
pub mod synthesis;
pub mod tidy;
