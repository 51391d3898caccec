//! Exchange formats, as text: what other tools write and read.
//!
//! - [`aut`]: Aldebaran, a single automaton; written and read.
//! - [`network_file`]: a whole network; written and read.
//! - [`dot`]: pictures, for graphviz.
//! - [`fsp`]: a network for LTSA.
//! - [`hoa`]: an automaton on infinite words; read.

pub mod aut;
pub mod dot;
pub mod fsp;
pub mod hoa;
pub mod network_file;

pub mod caption;
mod names;
mod quote;

pub use names::ActionNames;

/// The names of the internal action that every reader knows.
pub const INTERNAL: [&str; 2] = ["i", "tau"];

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The line, from 1.
    pub line: usize,
    /// The message, a sentence.
    pub message: String,
}

impl LineError {
    fn new(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }

    fn cancelled(line: usize) -> Self {
        Self::new(line, "the reader has cancelled")
    }
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for LineError {}

/// An action that cannot be written because a reader would take it for the internal one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameClash {
    /// The name of the action.
    pub name: String,
}

impl std::fmt::Display for NameClash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an action has the name of the internal action, \"{}\"", self.name)
    }
}

impl std::error::Error for NameClash {}
