//! Reasons why a system cannot be cut into components.

use resy_system::{SourcePlace, ViolationKind};

/// The refusal to cut a system, with the responsible source place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutRefusal {
    /// The reason.
    pub why: CutObstacle,
    /// The source place.
    pub source: SourcePlace,
}

/// What prevents a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutObstacle {
    /// A process is created while others may already be running.
    LateRun,
    /// More and more processes are created, or the number of a channel depends on the order of creation.
    ManyProcesses,
    /// The start of the program violates something.
    BadStart(ViolationKind),
    /// The start of the program takes too many steps.
    LongStart,
    /// The program changes process priorities.
    Priorities,
    /// `np_` is a property of cycles.
    NonProgress,
    /// A condition of a claim may have no value in some state.
    NoValue,
    /// A limit was reached while it was cut.
    Stopped,
}

impl std::fmt::Display for CutObstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LateRun => write!(
                f,
                "a process is created after the start of the program, and no run that was tried \
                 creates it"
            ),
            Self::ManyProcesses => write!(
                f,
                "processes are created after the start of the program: without a bound that was \
                 found, or with channels whose numbers depend on the order of creation"
            ),
            Self::BadStart(kind) => write!(f, "the start of the program goes wrong: {kind}"),
            Self::Stopped => write!(f, "time or memory ran out while the program was cut"),
            Self::LongStart => write!(f, "the start of the program does not come to an end"),
            Self::Priorities => {
                write!(
                    f,
                    "with priorities that change, every step depends on all processes at once"
                )
            }
            Self::NonProgress => write!(f, "`np_` speaks of cycles"),
            Self::NoValue => write!(
                f,
                "a condition of a claim may have no value in some state, which components do not show"
            ),
        }
    }
}

impl std::fmt::Display for CutRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for CutRefusal {}
