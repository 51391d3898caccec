//! `resy fmt`.
use crate::Exit;
use crate::args::Fmt;

/// Runs the command.
pub fn run(_: &Fmt) -> Exit {
    Exit::Unknown
}
