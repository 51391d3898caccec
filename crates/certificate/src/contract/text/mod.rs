//! Contracts as text (`docs/contracts.md`), to be read, compared and edited by people.
//!
//! The text has sections with indented lines. Empty lines and lines that begin with `#` are
//! ignored. [`read`](read()) reads what [`write`](write()) writes; a text edited by hand is as
//! good, because nothing in it is trusted.

mod lines;
mod read;
mod write;

pub use read::read;
pub use write::{requirement, write};

/// The first line.
const VERSION: &str = "resy contract 1";

/// The internal action.
const INTERNAL: &str = "(internal)";

/// The error state of the monitor.
const ERROR: &str = "error";

/// Joins the last two requirements.
const JOIN: &str = "join";

#[cfg(test)]
mod tests;
