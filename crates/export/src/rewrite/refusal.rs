//! Why a requirement cannot be written as a process.

use resy_system::SourcePlace;
use std::fmt;

/// A requirement that cannot stand in a program, with the step that is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRefusal {
    /// The reason.
    pub why: RewriteObstacle,
    /// The action, by its name.
    pub action: Option<String>,
    /// Where the statement stands.
    pub source: Option<SourcePlace>,
}

/// The reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteObstacle {
    /// Somebody asks the module for what its states say: a variable, where it stands, whether it
    /// is ready to receive.
    Asked,
    /// A condition must hold in the very moment of a rendezvous.
    GuardedRendezvous,
    /// Something is done before a message is offered, and the offer might not be accepted.
    EffectBeforeOffer,
    /// One rendezvous follows another within a step.
    Chain,
    /// A channel is looked into after it has been changed, or behind its first message.
    InsideChannel,
    /// A channel is kept in pieces, because it has very many contents.
    Pieces,
    /// A counter is kept in shares.
    Shares,
    /// The module looks at another process.
    Remote,
    /// Something has no name where the module stands.
    Nameless(String),
    /// A name means something else where the module stands.
    Shadowed(String),
    /// A value or an expression cannot be written.
    Unwritable,
    /// Several events of a trace happen in one step.
    Events,
    /// The module sends on a rendezvous channel, and a trace watches sends.
    Attempts,
    /// A claim or a trace looks at what belongs to the module.
    Watched,
    /// Somebody asks who moved last, or counts steps.
    Counted,
    /// `timeout` depends on whether the module could move.
    Timeout,
    /// A claim may be violated where a run ends.
    ClaimAtEnd,
    /// It can be seen that the module dies.
    Death,
    /// The process has already moved, or creates others.
    Started,
    /// The `provided` clause of the process is about what belongs to it.
    Provided,
    /// The program's text could not be read again.
    Text,
}

impl RewriteRefusal {
    /// A reason that no single step is to blame for.
    pub fn of(why: RewriteObstacle) -> Self {
        Self { why, action: None, source: None }
    }
}

impl From<RewriteObstacle> for RewriteRefusal {
    fn from(why: RewriteObstacle) -> Self {
        Self::of(why)
    }
}

impl fmt::Display for RewriteObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "another process looks into the module",
            Self::GuardedRendezvous => {
                "a condition must hold in the moment of a rendezvous, which no statement can say"
            }
            Self::EffectBeforeOffer => {
                "something is done before a message is offered, which might not be accepted"
            }
            Self::Chain => "one rendezvous follows another within a step",
            Self::InsideChannel => {
                "a channel is looked into after it has been changed, or behind its first message"
            }
            Self::Pieces => "a channel with very many contents is kept in pieces",
            Self::Shares => "a counter is kept in shares",
            Self::Remote => "the module looks at another process",
            Self::Nameless(what) => {
                return write!(f, "`{what}` has no name where the module stands");
            }
            Self::Shadowed(name) => {
                return write!(f, "`{name}` means something else where the module stands");
            }
            Self::Unwritable => "a value cannot be written",
            Self::Attempts => {
                "spin takes a rendezvous that nobody accepts for an event of the trace"
            }
            Self::Events => "several events of the trace happen in one step",
            Self::Watched => "a claim or a trace looks at what belongs to the module",
            Self::Counted => "somebody asks who moved last, or counts steps",
            Self::Timeout => "`timeout` depends on whether the module could move",
            Self::ClaimAtEnd => "a claim may be violated where a run ends",
            Self::Death => "it can be seen whether the module has died",
            Self::Started => "the module has moved before all processes were there",
            Self::Provided => "the module has a `provided` clause about what belongs to it",
            Self::Text => "the module's body is not found in the text",
        })
    }
}

impl fmt::Display for RewriteRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.action {
            Some(action) => write!(f, "the step `{action}` cannot be written: {}", self.why),
            None => self.why.fmt(f),
        }
    }
}

impl std::error::Error for RewriteRefusal {}
