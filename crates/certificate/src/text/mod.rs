//! Certificates as text (`docs/certificate.md`): lines, each with one meaning at its place.
//!
//! There is one way to write a certificate, and nothing else can be read: what [`read`] accepts,
//! [`write`](write()) gives back byte for byte. Counts in the text are believed only as far as
//! there are lines, so that a damaged one costs no more memory than its length.

mod lines;
mod read;
mod write;

pub use read::read;
pub use write::write;

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// A sentence.
    pub message: String,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Malformed {}

/// The first line.
const VERSION: &str = "resy certificate 1";

/// The internal action.
const TAU: &str = "i";

/// What a proof is about that is about all actions.
const ALL: &str = "all";

/// A row without transitions.
const NOTHING: &str = "-";

#[cfg(test)]
mod tests;
