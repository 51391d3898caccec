//! Results that all workers agree on: of a round, of the search, and the paths to its violations.

pub mod gather;
pub mod tally;
pub mod trace;
