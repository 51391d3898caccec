//! Symmetry: ids that a system does not tell apart.
//!
//! Processes of one proctype are often alike: they have numbers (their pids, or a parameter) that are only copied,
//! compared for equality and used as indices. Exchanging two numbers everywhere, with the processes and the elements of
//! arrays that belong to them, then leads from a state to one with the same future (Ip and Dill's *scalarsets*, 1996). A
//! search may store one state of each such *orbit*.
//!
//! - *The initial state need not be symmetric*: a state and its images have the same future, so the future of the initial
//!   state is found among the representatives. Initial values are therefore no reason to refuse.
//! - *The start is not symmetric*: `init` counts, and turns numbers into ids. While a process may still create others
//!   ([`Symmetry::is_settled`]) states are stored as they are.
//! - *Only the youngest process can end*, so that processes at their end differ by their age. Those of a symmetric
//!   proctype lose their values there, and the canonical order begins with them: they end when all others have come to
//!   their end as well. Nothing may notice the difference, or the proctype is refused.
//! - *A dead variable that is reset to 0* has no id: at such locations it is a plain number.

mod assemble;
mod find;
mod infer;
mod places;
mod resets;
mod roles;
mod sorts;
mod start;
mod swap;

pub use find::find_symmetry;
pub use roles::{
    AxisRole, CellRole, FrameRoles, IdSort, OwnerKey, ProcessRoles, SortId, ValueRole,
};

use resy_index::IndexVec;
use resy_system::{LocationId, ProctypeId};

/// The ids of a system that are interchangeable, and where they occur in a state.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// The sorts of ids; values of one sort are exchanged with each other.
    pub sorts: IndexVec<SortId, IdSort>,
    /// The global variables.
    pub globals: FrameRoles,
    /// The processes of every proctype.
    pub processes: IndexVec<ProctypeId, ProcessRoles>,
}

/// What was found: the symmetry, if there is one, and why there is not more.
#[derive(Clone, Debug, Default)]
pub struct SymmetryReport {
    /// The symmetry.
    pub symmetry: Option<Symmetry>,
    /// For each kind of processes that is not symmetric, a sentence that says why.
    pub refused: Vec<String>,
}

impl Symmetry {
    /// Whether no process can be created any more once this process is at this location, as far as it is up to it.
    pub fn is_settled(&self, proctype: ProctypeId, location: LocationId) -> bool {
        self.processes[proctype].settled[location]
    }

    /// The proctypes whose processes are exchanged.
    pub fn owners(&self) -> impl Iterator<Item = ProctypeId> {
        self.sorts.iter().flat_map(|sort| sort.owners.iter().map(|&(proctype, _)| proctype))
    }
}
