//! Guarded commands: what a program does between two of its control states.

use crate::{SymbolId, TermId};
use resy_index::define_id;
use resy_system::{LocationId, Move, Outcome, ProctypeId, SourcePlace, State};
use rustc_hash::FxHashMap;

define_id!(
    /// A control state of a program with unbounded data.
    pub struct ControlId,
    "f"
);

/// The finite part of a state: a data cell holds the word of its own variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ControlState {
    /// The finite variables, the locations, the channels.
    pub state: State,
    /// The sets of the monitors.
    pub sets: Vec<u64>,
}

/// Why a command is taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CommandKind {
    /// A process takes a step.
    Step {
        /// The process that moves on its own initiative.
        pid: usize,
        /// What it runs.
        proctype: ProctypeId,
        /// Where it stood.
        from: LocationId,
    },
    /// Time passes.
    Tick,
    /// No process can move: the last state lasts for ever.
    Idle,
    /// The program starts.
    Start,
}

/// `guard → data := values`, between two control states.
#[derive(Clone, Debug)]
pub struct GuardedCommand {
    /// Why it is taken.
    pub kind: CommandKind,
    /// The steps, one for each statement of an `atomic`, with the partner in a rendezvous.
    pub moves: Vec<(Move, Option<Move>)>,
    /// The conjunction that the data must satisfy.
    pub guard: Vec<TermId>,
    /// The new values of the data, over the old ones; what is not listed stays.
    pub updates: FxHashMap<SymbolId, TermId>,
    /// The variables in guard and values that are chosen freely.
    pub inputs: Vec<SymbolId>,
    /// Whether it does exactly what the program does: nothing in it stands for an unknown value.
    pub is_exact: bool,
    /// Where it leads; `None` if a violation ends the run.
    pub target: Option<ControlId>,
    /// What it violates.
    pub outcomes: Vec<Outcome>,
    /// The statements, as text.
    pub text: String,
    /// The place of the first one.
    pub source: SourcePlace,
}

/// What of a program is out of reach, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfReach {
    /// In words.
    pub why: String,
    /// The place of the statement.
    pub source: SourcePlace,
}
