//! Random Promela programs from a seed.
//!
//! The aim is small state spaces that do something: two or three processes,
//! loops, values kept small by modulo or by narrow types. Each program uses only
//! some of the language's features ("swarm testing", Groce et al., ISSTA 2012):
//! programs that use everything all look alike and are too large.
//!
//! What spin leaves undefined is kept out by construction: indices are reduced
//! modulo the length, divisors and shift distances are constants, intervals
//! of values exclude overflow, channels are set before use, `d_step` starts with a
//! guard or an assignment and has no rendezvous, loops inside `atomic` are bounded.

mod builder;
mod census;
mod claim;
mod compound;
mod condition;
mod declare;
mod feature;
mod inline;
mod interval;
mod message;
mod print;
mod process;
mod repeat;
pub mod rng;
mod scope;
mod shrink;
mod start;
mod statement;
pub mod tree;
mod value;
mod walk;

pub use census::census;
pub use print::print;
pub use shrink::{Shrunk, shrink};
pub use tree::Program;

/// The program of a seed; the same seed always gives the same program.
pub fn generate(seed: u64) -> Program {
    builder::Builder::new(seed).program()
}

#[cfg(test)]
mod tests;
