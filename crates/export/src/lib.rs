//! What others read: spin's trails, requirements for people, and as processes of a program;
//! and the real spin, which reads programs.
//!
//! This crate writes and reads; it does not search.
#![forbid(unsafe_code)]

pub mod requirement;
pub mod run;
pub mod spin;
pub mod stand_in;
mod trail;

pub use trail::{Trail, TrailError, TrailLine};
