//! What other tools read: spin's trails, and requirements as processes of a program.
//!
//! This crate writes and reads; it does not search.
#![forbid(unsafe_code)]

pub mod stand_in;
mod trail;

pub use trail::{Trail, TrailError, TrailLine};
