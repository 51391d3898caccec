//! Network files: components, a monitor and a split as text (`docs/network-file.md`).

mod clauses;
mod parser;
mod tokens;
mod write;

pub use write::{NetworkFiles, write, write_files};

use super::ActionNames;
use crate::network::Network;
use parser::Parser;
use std::borrow::Cow;

/// A message about a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMessage {
    /// The network file, or an automaton that it names.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The message, a sentence.
    pub text: String,
}

impl std::fmt::Display for FileMessage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.text)
    }
}

impl std::error::Error for FileMessage {}

/// Returns the text of an automaton, given its path in the network file, or why there is none.
pub type AutomatonLoader<'a, 't> = &'a mut dyn FnMut(&str) -> Result<Cow<'t, str>, String>;

/// The network that a text describes, with notes on what a user may not have meant.
///
/// `file` is the name for messages. `i`, `tau` and the names in `internal` are the
/// internal action in all automata.
pub fn read(
    file: &str,
    text: &str,
    internal: &[&str],
    load: AutomatonLoader<'_, '_>,
) -> Result<(Network, Vec<FileMessage>), FileMessage> {
    read_while(file, text, internal, load, &mut || true)
}

/// Like [`read`]; an error if `go_on` cancels.
pub fn read_while(
    file: &str,
    text: &str,
    internal: &[&str],
    load: AutomatonLoader<'_, '_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(Network, Vec<FileMessage>), FileMessage> {
    let tokens = tokens::tokens(text, go_on).map_err(|e| FileMessage {
        file: file.to_owned(),
        line: e.line,
        text: e.message,
    })?;
    Parser::new(file, tokens, ActionNames::new(), internal, load, go_on).network()
}

/// The words that begin statements and clauses; as names they stand in quotes.
const KEYWORDS: [&str; 9] =
    ["network", "component", "monitor", "module", "alphabet", "hide", "rename", "states", "error"];

#[cfg(test)]
mod tests;
