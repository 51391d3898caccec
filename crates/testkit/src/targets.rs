//! What the fuzz targets do with any bytes. A finding is a panic, or a text that takes too long.
//!
//! libFuzzer calls these functions (`fuzz/`), and so does `xtask campaign fuzz`, which needs no other
//! compiler. For the latter each returns [`Features`]: what an input reached, as far as it shows in the
//! results. An input that reaches something new is worth keeping.

mod features;
mod front_end;
mod networks;
mod walk;

pub use features::Features;
pub use front_end::{lower, parse, preprocess};
pub use networks::{fsp, network_file};

/// A fuzz target.
#[derive(Debug, Clone, Copy)]
pub struct FuzzTarget {
    /// Its name, which is that of its corpus.
    pub name: &'static str,
    /// What it does with an input.
    pub run: fn(&[u8]) -> Features,
}

/// All targets.
pub const TARGETS: [FuzzTarget; 5] = [
    FuzzTarget { name: "preprocess", run: preprocess },
    FuzzTarget { name: "parse", run: parse },
    FuzzTarget { name: "lower", run: lower },
    FuzzTarget { name: "fsp", run: fsp },
    FuzzTarget { name: "network", run: network_file },
];
