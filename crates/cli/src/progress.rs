//! One line on the terminal that says how far a search is.

use crate::args::Common;
use resy_engine::search::Progress;
use std::io::{IsTerminal, Write};

/// Whether progress is shown: on a terminal, unless it is not wanted.
pub fn shown(common: &Common) -> bool {
    !common.no_progress && !common.quiet && std::io::stderr().is_terminal()
}

/// Shows how far the search is.
pub fn show(progress: &Progress) {
    let seconds = progress.elapsed.as_secs_f64();
    eprint!(
        "\r{:.1} s: {} states ({:.2} M/s), {} waiting, depth {}, {} MB \x1b[K",
        seconds,
        progress.states,
        progress.states as f64 / seconds / 1e6,
        progress.waiting,
        progress.depth,
        progress.memory >> 20,
    );
    let _ = std::io::stderr().flush();
}

/// Takes the line away.
pub fn done(common: &Common) {
    if shown(common) {
        eprint!("\r\x1b[K");
    }
}
