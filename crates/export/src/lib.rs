//! What others read: spin trails, and requirements for people.
//!
//! This crate writes and reads; it does not search.

pub mod requirement;
mod trail;

pub use trail::{Trail, TrailError, TrailLine};
