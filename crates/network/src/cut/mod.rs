//! The cut: which component owns what.
//!
//! A process owns its location and its variables. A shared cell or channel is a
//! component of its own. What one process alone uses belongs to that process, and what nobody
//! writes is a constant that everybody knows.

mod counter;
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
use resy_index::{IndexVec, define_id};
use resy_system::{Cell, CellType, ChannelTypeId, Interpreter, ProctypeId, State, System};
use rustc_hash::FxHashMap;

define_id!(
    /// A component of the network.
    pub struct PartId,
    "part"
);

/// A system cut into components.
pub struct Cut<'a> {
    /// What is cut.
    pub interpreter: Interpreter<'a>,
    /// The start of the system.
    pub start: Vec<MovePair>,
    /// The state after the start, in which all processes are there.
    pub initial: State,
    /// How it is cut.
    pub manner: Manner,
    /// The components.
    pub parts: IndexVec<PartId, Part>,
    /// Where each global cell lives.
    pub globals: Vec<Home>,
    /// Where each cell of each process lives.
    pub locals: Vec<Vec<Home>>,
    /// The channels.
    pub channels: Vec<ChannelHome>,
    /// What each process runs.
    pub proctypes: Vec<ProctypeId>,
    /// The component of each process.
    pub processes: Vec<PartId>,
    /// The component that knows `_last`, if it is used.
    pub last: Option<PartId>,
    /// The component of the event trace.
    pub trace: Option<PartId>,
    /// The claims that are watched.
    pub claims: Vec<WatchedClaim>,
    /// Whether processes die. They do not where nobody can tell: then the last location
    /// stands for death.
    pub deaths: bool,
    /// The counters in shares.
    pub sums: Vec<SharedCounter>,
    /// For each thing that changes, the processes that use it and those that write it.
    pub users: FxHashMap<Item, Users>,
    /// For each channel the processes that may receive from it.
    pub receivers: Vec<Vec<usize>>,
}

/// A component: what it owns, in the order of its local state.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Its name, for people.
    pub name: String,
    /// The process; its location is the first number of the local state.
    pub process: Option<usize>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The channels: a length and the slots of each.
    pub channels: Vec<usize>,
    /// How many numbers its local state has.
    pub width: u32,
    /// What else it is.
    pub role: Role,
}

/// Components that are neither processes nor made of cells and channels.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// None of these.
    #[default]
    Plain,
    /// It knows `_last`.
    Last,
    /// It knows where the messages of a channel in pieces begin, and how many there are.
    Ends(usize),
    /// It is a slot of a channel in pieces.
    Slot(usize, usize),
    /// It is the event trace: its location, and whether it has been violated.
    Trace,
    /// It is the monitor of a claim: the valuation, then the set of possible locations.
    Claim(usize),
}

/// Where a cell lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// Nowhere: it never changes.
    Constant(i32),
    /// At a position of the local state of a component.
    At(PartId, u32),
    /// In shares: the number of the sum.
    Sum(u32),
}

/// Where a channel lives, and what is known about it.
#[derive(Copy, Clone, Debug)]
pub struct ChannelHome {
    /// Its type.
    pub ty: ChannelTypeId,
    /// The component that owns it.
    pub part: PartId,
    /// The position of its length.
    pub base: u32,
    /// For a channel in pieces, the component of its first slot; those of the others follow.
    pub ring: Option<PartId>,
    /// The number of fields of a message.
    pub width: u32,
    /// The process that it dies with.
    pub frame: Option<usize>,
}

/// A counter of which every process that writes it keeps a share.
#[derive(Clone, Debug)]
pub struct SharedCounter {
    /// The counter.
    pub cell: Cell,
    /// Its value at the start, when all shares are 0.
    pub start: i32,
    /// Its type.
    pub ty: CellType,
    /// The shares: cells behind those of the processes' frames.
    pub shares: Vec<Cell>,
}

/// The processes that have to do with something.
#[derive(Clone, Debug, Default)]
pub struct Users {
    /// Those that read or write it.
    pub users: Vec<usize>,
    /// Those that write it.
    pub writers: Vec<usize>,
}

/// A claim that is watched.
pub struct WatchedClaim {
    /// Its monitor.
    pub monitor: resy_system::Monitor,
    /// Its component.
    pub part: PartId,
    /// For each of its conditions, what it depends on.
    pub supports: Vec<Support>,
    /// Its local state after the start.
    pub initial: Vec<i32>,
}

impl<'a> Cut<'a> {
    /// The system that was cut.
    pub fn system(&self) -> &'a System {
        self.interpreter.system()
    }

    /// Where a cell lives.
    pub fn home(&self, cell: Cell) -> Home {
        match cell {
            Cell::Global(offset) => self.globals[offset as usize],
            Cell::Local(pid, offset) => self.locals[pid as usize][offset as usize],
        }
    }

    /// The global variables through which these processes have to do with others: somebody else
    /// uses them too, or a claim looks at them. As components of their own ([`Manner::apart`]),
    /// they are told whatever is done to them.
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

    /// Whether a process can be found dead.
    pub fn can_die(&self, pid: usize) -> bool {
        self.deaths && pid < self.proctypes.len()
    }
}
