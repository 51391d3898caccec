//! The cut: which component owns what.
//!
//! A process owns its location and its variables. A shared cell or channel is a component of its
//! own. A global cell or channel that only one process uses belongs to that process, and a cell
//! that is never written is a constant known to all.
//!
//! - [`start`] runs the program up to the state in which all processes exist;
//! - [`uses`] finds what each process may access, [`own`] distributes it;
//! - [`ring`] and [`counter`] are two ways to split an object that would be too large as one
//!   component;
//! - [`support`] says what a condition depends on and what a step has changed.

pub(crate) mod counter;
mod local;
mod names;
pub mod own;
pub mod refusal;
pub mod ring;
pub mod start;
pub mod support;
pub mod uses;

use crate::cut::own::Manner;
use crate::cut::start::MovePair;
use crate::cut::support::{Item, Support};
use crate::step::reply::join;
use resy_index::{Id, IndexVec, define_id};
use resy_system::{
    Cell, CellType, ChannelTypeId, Interpreter, LocationId, ProctypeId, State, System,
};
use rustc_hash::FxHashMap;

define_id!(
    /// A component of the network.
    pub struct PartId,
    "part"
);

/// A system cut into components.
pub struct Cut<'a> {
    /// The semantics of the system that is cut.
    pub interpreter: Interpreter<'a>,
    /// The moves of the start, up to the initial state.
    pub start: Vec<MovePair>,
    /// The state after the start, in which all processes exist.
    pub initial: State,
    /// The options of the cut.
    pub manner: Manner,
    /// The components.
    pub parts: IndexVec<PartId, Part>,
    /// For each global cell, its owner.
    pub globals: Vec<Home>,
    /// For each process and cell of its frame, the owner.
    pub locals: Vec<Vec<Home>>,
    /// The channels.
    pub channels: Vec<ChannelHome>,
    /// The proctype of each process; the first of them, if there are several.
    pub proctypes: Vec<ProctypeId>,
    /// All proctypes that the process with a pid can run. Only a process that is created late can have several.
    pub runs: Vec<Vec<ProctypeId>>,
    /// The component of each process.
    pub processes: Vec<PartId>,
    /// The component that holds `_last`, if the program uses it.
    pub last: Option<PartId>,
    /// The component of the event trace.
    pub trace: Option<PartId>,
    /// The claims that are watched.
    pub claims: Vec<WatchedClaim>,
    /// Whether processes die. If no process can observe a death, the last location stands for it.
    pub deaths: bool,
    /// The counters that are split into shares.
    pub sums: Vec<SharedCounter>,
    /// For each item that changes, the processes that use it and those that write it.
    pub users: FxHashMap<Item, Users>,
    /// For each channel, the processes that may receive from it.
    pub receivers: Vec<Vec<usize>>,
}

/// A component and the items that it owns, in the order of its local state.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Its name, as shown to users.
    pub name: String,
    /// The process, if it is one; its location is the first number of the local state.
    pub process: Option<usize>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The channels: each has a length and its slots.
    pub channels: Vec<usize>,
    /// The number of values in its local state.
    pub width: u32,
    /// Its special role, if any.
    pub role: Role,
}

/// The role of a component that is neither a process nor made of cells and channels.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// No special role.
    #[default]
    Plain,
    /// Holds `_last`.
    Last,
    /// Holds the position of the oldest message and the length of a channel in pieces.
    Ends(usize),
    /// A slot of a channel in pieces.
    Slot(usize, usize),
    /// The event trace: its location, and whether it has been violated.
    Trace,
    /// The monitor of a claim: the valuation, then the set of possible locations.
    Claim(usize),
}

/// The owner of a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// None: the cell never changes.
    Constant(i32),
    /// A component, with the position in its local state.
    At(PartId, u32),
    /// Several processes, each with a share of the counter with this number.
    Sum(u32),
}

/// The owner of a channel, and its static data.
#[derive(Copy, Clone, Debug)]
pub struct ChannelHome {
    /// Its type.
    pub ty: ChannelTypeId,
    /// The owner.
    pub part: PartId,
    /// The position of its length in the owner's local state.
    pub base: u32,
    /// For a channel in pieces, the component of its first slot; the other slots follow.
    pub ring: Option<PartId>,
    /// The number of fields of a message.
    pub width: u32,
    /// The process whose frame declares it, if one does.
    pub frame: Option<usize>,
}

/// A counter that is the sum of one share per writing process.
#[derive(Clone, Debug)]
pub struct SharedCounter {
    /// The counter.
    pub cell: Cell,
    /// Its initial value, when all shares are 0.
    pub start: i32,
    /// Its type.
    pub ty: CellType,
    /// The shares: extra cells behind the frames of the processes.
    pub shares: Vec<Cell>,
}

/// A place for processes of a program that creates some after its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSlot {
    /// What they may run.
    pub proctypes: Vec<ProctypeId>,
    /// Cells of the frame that always have the same value, with this value.
    pub constants: Vec<(u32, i32)>,
}

/// The processes that access an item.
#[derive(Clone, Debug, Default)]
pub struct Users {
    /// Those that read or write it.
    pub users: Vec<usize>,
    /// Those that write it.
    pub writers: Vec<usize>,
}

/// A claim with its watching component.
pub struct WatchedClaim {
    /// Its monitor.
    pub monitor: resy_system::ClaimMonitor,
    /// Its component.
    pub part: PartId,
    /// For each of its conditions, the items that it depends on.
    pub supports: Vec<Support>,
    /// Its local state after the start.
    pub initial: Vec<i32>,
}

impl WatchedClaim {
    /// The set of locations after the start; for a tracker, before the first state of the components is read.
    pub fn initial_set(&self) -> u64 {
        join(self.initial[2], self.initial[3])
    }
}

impl<'a> Cut<'a> {
    /// The system that was cut.
    pub fn system(&self) -> &'a System {
        self.interpreter.system()
    }

    /// The owner of a cell.
    pub fn home(&self, cell: Cell) -> Home {
        match cell {
            Cell::Global(offset) => self.globals[offset as usize],
            Cell::Local(pid, offset) => self.locals[pid as usize][offset as usize],
        }
    }

    /// The global variables that these processes share with others or that a claim reads. If they
    /// are components of their own ([`Manner::apart`]), they are told of every write.
    ///
    /// [`Manner::apart`]: crate::Manner::apart
    pub fn told_by(&self, pids: &[usize]) -> Vec<Cell> {
        let watched =
            |item: &Item| self.claims.iter().flat_map(|c| &c.supports).any(|s| s.meets(&[*item]));
        let shared = self.users.iter().filter(|(item, users)| {
            let inside = users.users.iter().any(|pid| pids.contains(pid));
            inside && (users.users.iter().any(|pid| !pids.contains(pid)) || watched(item))
        });
        let mut cells: Vec<Cell> = shared
            .filter_map(|(item, _)| match *item {
                Item::Cell(cell @ Cell::Global(_)) => Some(cell),
                _ => None,
            })
            .collect();
        cells.sort_unstable();
        cells
    }

    /// What a process runs and where it stands, by the first number of its local state. Locations of several
    /// proctypes are numbered one after the other.
    pub fn at(&self, pid: usize, code: i32) -> (ProctypeId, LocationId) {
        let mut index = usize::try_from(code).unwrap_or(0);
        let runs = &self.runs[pid];
        for &proctype in &runs[..runs.len() - 1] {
            let n_locations = self.system().proctypes[proctype].edges.len();
            if index < n_locations {
                return (proctype, LocationId::from_index(index));
            }
            index -= n_locations;
        }
        (runs[runs.len() - 1], LocationId::from_index(index))
    }

    /// The first number of the local state of a process that runs a proctype: the inverse of [`at`](Self::at).
    pub fn code(&self, pid: usize, proctype: ProctypeId, location: LocationId) -> i32 {
        let before = self.runs[pid].iter().take_while(|&&other| other != proctype);
        let n_before: usize = before.map(|&id| self.system().proctypes[id].edges.len()).sum();
        (n_before + location.index()) as i32
    }

    /// Where the process with a pid begins, for each proctype that it may run.
    pub fn begins(&self, pid: usize) -> Vec<(ProctypeId, LocationId)> {
        match self.initial.processes().get(pid) {
            Some(process) if self.manner.slots.is_empty() => {
                vec![(process.proctype, process.location)]
            }
            _ => self.runs[pid].iter().map(|&id| (id, self.system().proctypes[id].start)).collect(),
        }
    }

    /// The value of a cell of a process when it begins, if it always has this value.
    pub fn first_value(&self, pid: usize, offset: u32) -> Option<i32> {
        let Some(slot) = self.manner.slots.get(pid) else {
            return self.initial.locals(self.system(), pid).get(offset as usize).copied();
        };
        slot.constants.iter().find(|(other, _)| *other == offset).map(|&(_, value)| value)
    }

    /// Whether a process can be observed dead.
    pub fn can_die(&self, pid: usize) -> bool {
        self.deaths && pid < self.proctypes.len()
    }
}
