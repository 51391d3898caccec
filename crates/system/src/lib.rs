//! Process automata, variables, channels and the one definition of a step.
//!
//! A [`System`] is the meaning of a Promela program: for every proctype a table from
//! locations to edges, the layout of the variables, the channel types and the properties.
//! [`Interpreter`] is the reference semantics: every other implementation of steps (compiled
//! code, components of a network) is tested against it.
//!
//! This crate knows no syntax and no search.

mod command;
mod edge;
mod effect;
mod eval;
mod event;
mod expr;
mod fairness;
mod formula;
mod guard;
mod interpreter;
mod layout;
mod liveness;
mod memory;
mod message;
mod monitor;
mod monitors;
mod partial;
mod process;
mod property;
mod size;
mod state;
mod step;
mod system;
mod validate;
mod violation;
mod whole;
mod writes;

pub use command::{Choice, Command, DStep, DStepGuard, Instruction, Pattern, PrintPart};
pub use expr::{BinaryOp, CellRef, Expr, IndexTerm, Probe, Scope, UnaryOp};
pub use fairness::Fairness;
pub use formula::Formula;
pub use interpreter::{Interpreter, Options};
pub use layout::{CellInit, CellType, Frame, Variable};
pub use liveness::{ClaimEdge, LivenessClaim, LivenessKind};
pub use memory::{Cell, FieldQuery, FoundMessage, Memory, MessageQuery, Value};
pub use message::Offer;
pub use monitor::{ClaimMonitor, Refusal, RefusalReason};
pub use monitors::{MonitorFailure, Monitors};
pub use property::{
    CompositionProperty, NotChecked, Outcome, Property, Selection, UnknownProperty, select,
    select_without_claims,
};
pub use size::{MAX_CELLS, MAX_CHANNELS, MAX_EDGES, TooLarge, check_size};
pub use state::{Channel, Process, State, channels_of};
pub use step::{Attempt, Control, Move, Step, Steps};
pub use system::{
    ChannelInit, ChannelType, ChannelTypeId, Claim, ClaimKind, Edge, EventTrace, GivenAutomaton,
    Instance, LocationId, LtlFormula, Mtype, Proctype, ProctypeId, SourcePlace, System,
};
pub use validate::validate;
pub use violation::{Violation, ViolationKind};
pub use writes::{for_each_command, for_each_write};
