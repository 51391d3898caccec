//! The violations of a step.

use crate::size::{MAX_CELLS, MAX_CHANNELS};
use crate::system::SourcePlace;

/// A violation, with the place of the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The kind.
    pub kind: ViolationKind,
    /// The place of the statement.
    pub source: SourcePlace,
}

/// The kinds of violations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ViolationKind {
    /// An assertion is false; its text.
    Assertion(String),
    /// An array index out of range: index and length.
    Index(i32, u32),
    /// Division or modulo by zero.
    DivisionByZero,
    /// A `d_step` blocks after its first statement.
    BlockedDStep,
    /// A `d_step` does not come to an end.
    EndlessDStep,
    /// A rendezvous inside a `d_step`.
    RendezvousInDStep,
    /// A channel variable that names no channel.
    NoChannel,
    /// A message with this many fields sent to a channel with that many.
    SendFields(usize, usize),
    /// A receive with this many fields from a channel with that many.
    ReceiveFields(usize, usize),
    /// A poll, or a receive that leaves the message, on a rendezvous channel.
    PollRendezvous,
    /// `enabled(_pid)`.
    EnabledOfSelf,
    /// A priority out of `1..=255`.
    Priority(i32),
    /// Two statements of a `D_proctype` are possible at once.
    NonDeterminism,
    /// An event that the `trace` does not allow here.
    Trace,
    /// The events of a `notrace` have all happened.
    NoTrace,
    /// Several statements of the `trace` or `notrace` match one event.
    AmbiguousTrace,
    /// More processes than the limit.
    TooManyProcesses,
    /// A new process makes the state larger than the limit.
    TooLarge,
    /// A step leads beyond what has been explored of a component: a network's own error, which no program has.
    Beyond,
    /// A reference to a process that does not exist.
    NoProcess(i32),
    /// The memory cannot answer a query. A whole state always can: this never occurs in a
    /// search of states.
    Unanswered,
}

impl ViolationKind {
    /// Whether it violates the event trace.
    pub fn is_of_trace(&self) -> bool {
        matches!(self, Self::Trace | Self::NoTrace | Self::AmbiguousTrace)
    }

    /// Whether the run continues after it, as in spin's verifier.
    pub fn recoverable(&self) -> bool {
        match self {
            Self::Assertion(_)
            | Self::SendFields(..)
            | Self::PollRendezvous
            | Self::NonDeterminism
            | Self::Trace
            | Self::NoTrace
            | Self::AmbiguousTrace => true,
            Self::ReceiveFields(wanted, fields) => wanted < fields,
            _ => false,
        }
    }
}

impl std::fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Assertion(text) => write!(f, "assertion violated: {text}"),
            Self::Index(index, 1) => {
                write!(f, "array index {index} is out of range: the array has 1 element")
            }
            Self::Index(index, len) => {
                write!(f, "array index {index} is out of range: the array has {len} elements")
            }
            Self::DivisionByZero => write!(f, "division by zero"),
            Self::BlockedDStep => write!(f, "d_step blocks"),
            Self::EndlessDStep => write!(f, "d_step does not end"),
            Self::RendezvousInDStep => write!(f, "rendezvous inside a d_step"),
            Self::NoChannel => write!(f, "channel variable is not initialised"),
            Self::SendFields(sent, fields) => {
                write!(f, "message of {sent} fields sent to a channel of {fields}")
            }
            Self::ReceiveFields(wanted, fields) => {
                write!(f, "receive of {wanted} fields from a channel of {fields}")
            }
            Self::PollRendezvous => write!(f, "poll of a rendezvous channel"),
            Self::EnabledOfSelf => write!(f, "enabled() of the process itself"),
            Self::Priority(value) => write!(f, "priority {value} is not in 1..255"),
            Self::NonDeterminism => write!(f, "non-determinism in a D_proctype"),
            Self::Trace => write!(f, "event not allowed by the trace"),
            Self::NoTrace => write!(f, "all events of the notrace have happened"),
            Self::AmbiguousTrace => {
                write!(f, "non-determinism in the trace: several of its statements match the event")
            }
            Self::TooManyProcesses => write!(f, "too many processes"),
            Self::TooLarge => write!(
                f,
                "the state becomes too large; at most {MAX_CELLS} cells and {MAX_CHANNELS} \
                 channels are possible"
            ),
            Self::Beyond => write!(f, "the step leads beyond what occurs"),
            Self::NoProcess(pid) => write!(f, "there is no process {pid} of that type"),
            Self::Unanswered => write!(f, "the value is not known here"),
        }
    }
}
