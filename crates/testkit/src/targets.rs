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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each structure the parser has understood nothing, but it has two of the one before: the last one would have
    /// 2^60 fields without any room.
    #[test]
    fn structures_of_which_nothing_is_understood_have_room() {
        let twice = |i: usize| format!("typedef T{} {{ T{i} a; T{i} b }};", i + 1);
        let structures: String = (1..60).map(twice).collect();
        let text = format!("typedef T1 {{ T99 a }};{structures}chan c = [0] of {{ T60 }}; T60 v;");
        lower(text.as_bytes());
    }
}
