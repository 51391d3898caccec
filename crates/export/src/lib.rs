//! What others read: spin's trails, requirements for people, and as processes of a program.
//!
//! This crate writes and reads; it does not search.
#![forbid(unsafe_code)]

pub mod requirement;
pub mod stand_in;
mod trail;

pub use trail::{Trail, TrailError, TrailLine};
