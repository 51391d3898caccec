//! Development tasks: tidy, comparison with the real spin, fuzzing, mutants, benchmarks.
//!
//! `cargo run -p resy-xtask --release -- help` lists them.

pub mod args;
pub mod assumptions;
pub mod bench;
pub mod cache;
pub mod campaign;
pub mod compare;
pub mod cost;
pub mod coverage;
pub mod cycles;
pub mod directed;
mod fit;
pub mod fsp;
pub mod fuzz;
pub mod grammar;
pub mod kill;
pub mod links;
mod machine;
pub mod models;
pub mod modules;
pub mod mutants;
pub mod network;
pub mod parallel;
pub mod peers;
mod plot;
mod progress;
pub mod race;
pub mod requirements;
pub mod same;
pub mod solver;
mod spin;
mod stats;
pub mod symmetry;
pub mod synthesis;
pub mod tables;
pub mod tidy;
