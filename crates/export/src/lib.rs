//! What other tools read: spin trails.
//!
//! This crate writes and reads; it does not search.

mod trail;

pub use trail::{Trail, TrailError, TrailLine};
