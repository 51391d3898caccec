//! `resy simulate`.
use crate::Exit;
use crate::args::Simulate;

/// Runs the command.
pub fn run(_: &Simulate) -> Exit {
    Exit::Unknown
}
