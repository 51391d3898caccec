//! Random queries for decision procedures, and the comparison of two procedures on them.
//!
//! A scope has three assertions, some of them disjunctions, and eight literals; a query assumes two to
//! five of the literals. The kinds differ in what their terms have.

mod compare;
mod damage;
mod generate;

pub use compare::{QueryComparison, QueryTally};
pub use damage::damaged;
pub use generate::{QueryKind, RandomQueries, RandomScope};
