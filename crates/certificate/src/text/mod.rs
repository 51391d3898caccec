//! Certificates as text (`docs/certificate.md`): each line has one meaning, determined by its
//! position.
//!
//! A file may have several certificates, one after the other ([`read_all_within`]): each is complete by itself.
//!
//! There is exactly one way to write a certificate: what [`read`] accepts, [`write`](write())
//! reproduces byte for byte. Counts in the text are only trusted as far as there are lines, so that
//! a damaged text costs no more memory than its length.

mod lines;
mod read;
mod write;

pub(crate) use lines::CertificateLines;
pub(crate) use read::read_origin;
pub use read::{read, read_all_within, read_within};
pub(crate) use write::{escaped, line, numbers, write_origin};
pub use write::{write, write_while};

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// The message, a sentence.
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

/// A proof that covers all actions.
const ALL: &str = "all";

/// A row without transitions.
const NOTHING: &str = "-";

#[cfg(test)]
mod tests;
