//! Which infinite runs count: assumptions about the scheduler.

use std::fmt;

/// An assumption about the scheduler, per process. A process is *enabled* in a state if it can take a step on its own
/// initiative there; the receiver of a rendezvous cannot. It *moves* in every step that it takes part in, so that a
/// receiver moves when a message is handed to it. Both are as in spin.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// None: every infinite run counts.
    #[default]
    None,
    /// A process that is enabled from some moment on moves infinitely often (spin's `-f`).
    Weak,
    /// A process that is enabled infinitely often moves infinitely often.
    Strong,
}

impl Fairness {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [Self; 3] = [Self::None, Self::Weak, Self::Strong];

    /// Its name, as in `--fair`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Weak => "weak",
            Self::Strong => "strong",
        }
    }

    /// What a verdict rests on, in words; `None` if it rests on nothing.
    pub fn assumption(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Weak => Some("under weak fairness"),
            Self::Strong => Some("under strong fairness"),
        }
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
