//! The system: the meaning of a program.

use crate::command::Command;
use crate::expr::Expr;
use crate::formula::Formula;
use crate::layout::{CellType, Frame};
use resy_automata::ltl::BuchiAutomaton;
use resy_index::{IndexVec, define_id};

define_id!(
    /// A proctype (also `init`).
    pub struct ProctypeId,
    "proctype"
);
define_id!(
    /// A control point of a process. The numbers are spin's state numbers, so
    /// that `pc_value`, trails and `pan -d` agree with ours; 0 is not used.
    pub struct LocationId,
    "l"
);
define_id!(
    /// A kind of channel: its capacity and the types of its fields.
    pub struct ChannelTypeId,
    "chan"
);

/// A position in the source text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct SourcePlace {
    /// Index into [`System::files`].
    pub file: u32,
    /// The line, from 1; 0 if there is no place.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// A whole system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The source files that places refer to.
    pub files: Vec<String>,
    /// The global variables.
    pub globals: Frame,
    /// The proctypes, in the order of the text.
    pub proctypes: IndexVec<ProctypeId, Proctype>,
    /// The channel types.
    pub channel_types: IndexVec<ChannelTypeId, ChannelType>,
    /// The processes that exist at the start, in the order of their pids.
    pub instances: Vec<Instance>,
    /// The `mtype` declarations.
    pub mtypes: Vec<Mtype>,
    /// Never claims and `ltl` formulas.
    pub claims: Vec<Claim>,
    /// `trace` or `notrace`.
    pub trace: Option<EventTrace>,
    /// Whether `_last` is used; it is part of the state then.
    pub uses_last: bool,
    /// Whether priorities are used; otherwise all processes are equal.
    pub uses_priority: bool,
}

/// A process that exists at the start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it runs.
    pub proctype: ProctypeId,
    /// Its priority.
    pub priority: i32,
}

/// A proctype: the automaton and the variables of its processes.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name; `:init:` for `init`.
    pub name: String,
    /// Whether it was declared `D_proctype`.
    pub deterministic: bool,
    /// The variables; parameters first.
    pub frame: Frame,
    /// The condition under which its processes can move.
    pub provided: Option<Expr>,
    /// Where a process starts.
    pub start: LocationId,
    /// The edges out of every location, in the order in which they are tried.
    pub edges: IndexVec<LocationId, Vec<Edge>>,
    /// The locations where a process may stay in a valid end state.
    pub end_locations: IndexVec<LocationId, bool>,
    /// The locations with an accept label.
    pub accept_locations: IndexVec<LocationId, bool>,
    /// The locations with a progress label.
    pub progress_locations: IndexVec<LocationId, bool>,
    /// The labels of the text, with their locations.
    pub labels: Vec<(String, LocationId)>,
    /// Its place in the source.
    pub source: SourcePlace,
}

/// An edge from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What it does.
    pub command: Command,
    /// Where it leads; `None` for [`Command::Exit`].
    pub target: Option<LocationId>,
    /// Whether the process keeps control after it (inside `atomic`).
    pub atomic: bool,
    /// For an escape of an `unless`: where the escape starts. If one edge of an
    /// escape can be taken, only edges of that escape are.
    pub escape: Option<LocationId>,
    /// Cells of the process's frame that become 0 after the edge, because they are dead.
    /// Lowering leaves the list empty; a reduction may fill it.
    pub resets: Vec<u32>,
    /// Spin's number of the statement, as in trails.
    pub id: u32,
    /// The statement as text.
    pub text: String,
    /// Its place in the source.
    pub source: SourcePlace,
}

/// A kind of channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// The name of the first variable declared with it.
    pub name: String,
    /// The number of slots; 0 for rendezvous.
    pub capacity: u32,
    /// The types of the fields of a message.
    pub fields: Vec<CellType>,
    /// The numbers of the fields that were declared `bool`, in order.
    pub bools: Vec<usize>,
}

impl ChannelType {
    /// Cells that a channel needs: its length and the slots.
    pub fn n_cells(&self) -> usize {
        1 + self.capacity as usize * self.fields.len()
    }
}

/// A channel that is created with its frame.
#[derive(Clone, Debug)]
pub struct ChannelInit {
    /// Its type.
    pub ty: ChannelTypeId,
}

/// An `mtype` declaration (all declarations of one subtype together).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mtype {
    /// The subtype; `None` for the plain `mtype`.
    pub subtype: Option<String>,
    /// The names; the first has value 1.
    pub names: Vec<String>,
}

/// A claim on the runs of the system.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ClaimKind,
    /// Its place in the source.
    pub source: SourcePlace,
}

/// The kinds of claims.
#[derive(Clone, Debug)]
pub enum ClaimKind {
    /// A `never` claim: an automaton without variables of its own.
    Never(Box<Proctype>),
    /// An `ltl` formula.
    Ltl(LtlFormula),
    /// The automaton of the runs that violate a property.
    Automaton(Box<GivenAutomaton>),
}

/// The automaton of a negated property, given from outside.
#[derive(Clone, Debug)]
pub struct GivenAutomaton {
    /// The automaton.
    pub automaton: BuchiAutomaton,
    /// Its conditions on states.
    pub propositions: Vec<Expr>,
    /// Whether repeating a state may change whether a run is accepted.
    pub counts_steps: bool,
}

/// An `ltl` formula: what every run must satisfy.
#[derive(Clone, Debug)]
pub struct LtlFormula {
    /// As text.
    pub text: String,
    /// As a formula over the propositions.
    pub formula: Formula,
    /// Its conditions on states, without duplicates.
    pub propositions: Vec<Expr>,
}

/// A `trace` or `notrace`: an automaton over sends and receives.
#[derive(Clone, Debug)]
pub struct EventTrace {
    /// `notrace`.
    pub negated: bool,
    /// The automaton: its edges are sends and receives with patterns.
    pub automaton: Proctype,
    /// The location at its end.
    pub end: LocationId,
    /// Channels whose sends it watches, as expressions over globals.
    pub sends: Vec<Expr>,
    /// Channels whose receives it watches.
    pub receives: Vec<Expr>,
}

impl System {
    /// The name of an `mtype` value.
    pub fn mtype_name(&self, subtype: Option<&str>, value: i32) -> Option<&str> {
        let mtype = self.mtypes.iter().find(|m| m.subtype.as_deref() == subtype)?;
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        mtype.names.get(index).map(String::as_str)
    }

    /// `file:line` of a place.
    pub fn location(&self, place: SourcePlace) -> String {
        let file = self.files.get(place.file as usize).map_or("", String::as_str);
        // The name must not look like several lines.
        let shown =
            |c: char| if c.is_control() { c.escape_unicode().to_string() } else { c.into() };
        let file: String = file.chars().map(shown).collect();
        format!("{file}:{}", place.line)
    }
}
