//! Why a system is not cut into components.

use resy_system::{SourcePlace, ViolationKind};

/// A system that has no network, with the place in the source that is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutRefusal {
    /// The reason.
    pub why: CutObstacle,
    /// Where.
    pub source: SourcePlace,
}

/// The reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutObstacle {
    /// Processes are created when others may already be running.
    LateRun,
    /// The start of the program goes wrong.
    BadStart(ViolationKind),
    /// The start of the program takes too many steps.
    LongStart,
    /// Processes have priorities.
    Priorities,
    /// `np_` speaks of cycles.
    NonProgress,
}

impl std::fmt::Display for CutObstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LateRun => write!(
                f,
                "a process is created after the start of the program: only processes of the \
                 start can be components"
            ),
            Self::BadStart(kind) => write!(f, "the start of the program goes wrong: {kind}"),
            Self::LongStart => write!(f, "the start of the program does not come to an end"),
            Self::Priorities => {
                write!(f, "with priorities every step depends on all processes at once")
            }
            Self::NonProgress => write!(f, "`np_` speaks of cycles"),
        }
    }
}

impl std::fmt::Display for CutRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for CutRefusal {}
