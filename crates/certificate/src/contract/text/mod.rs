//! Contracts as text (`docs/contracts.md`): for people, who read it, compare it and may change it.
//!
//! Sections, and under each indented lines. Empty lines and lines that begin with `#` say nothing. What [`write`](write())
//! gives, [`read`](read()) reads again; a text changed by hand is as good, because nothing in it is believed.

mod lines;
mod read;
mod write;

pub use read::read;
pub use write::{requirement, write};

/// The first line.
const VERSION: &str = "resy contract 1";

/// The internal action.
const INTERNAL: &str = "(internal)";

/// Where the monitor must not go.
const ERROR: &str = "error";

/// The last two requirements become one.
const JOIN: &str = "join";

#[cfg(test)]
mod tests;
