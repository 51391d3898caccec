//! What others read: runs and requirements for people, both together as a report, requirements as
//! processes of a program, and spin's trails; and the real spin, which reads programs.
//!
//! This crate writes and reads; it does not search.
#![forbid(unsafe_code)]

pub mod report;
pub mod requirement;
pub mod run;
pub mod spin;
pub mod stand_in;
mod trail;

pub use trail::{Trail, TrailError, TrailLine};
