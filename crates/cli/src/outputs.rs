//! Files that commands write, and messages to the user.

use crate::Exit;
use std::path::Path;

/// Complains that the call or its input is wrong.
pub fn bad_input(message: impl std::fmt::Display) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}

/// Writes a file.
pub fn write(file: &Path, text: &str) -> Result<(), Exit> {
    std::fs::write(file, text)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", file.display())))
}

/// The width of the page: that of the terminal, if there is one.
pub fn columns() -> usize {
    const COLUMNS: usize = 100;
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0))
}

/// How a file was made, for its readers.
pub fn made_by() -> String {
    let call: Vec<String> =
        std::env::args_os().skip(1).map(|a| a.to_string_lossy().into()).collect();
    format!("Made by resy {} with: resy {}", env!("CARGO_PKG_VERSION"), call.join(" "))
}
