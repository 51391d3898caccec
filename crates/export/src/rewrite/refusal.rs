//! Why a requirement cannot be written as a process.

use resy_system::SourcePlace;
use std::fmt;

/// A requirement cannot replace its module in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRefusal {
    /// The reason.
    pub why: RewriteObstacle,
    /// The name of the action that cannot be written.
    pub action: Option<String>,
    /// The location of the action's statement.
    pub source: Option<SourcePlace>,
}

/// The reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteObstacle {
    /// Another process reads the module's state: a variable, its location, or whether it is ready to
    /// receive.
    Asked,
    /// A condition must hold at the moment of a rendezvous.
    GuardedRendezvous,
    /// The step has an effect before it offers a message, and the offer may not be accepted.
    EffectBeforeOffer,
    /// One rendezvous follows another within a step.
    Chain,
    /// A channel is read after it was changed, or behind its first message.
    InsideChannel,
    /// A channel with very many contents is split into several components.
    Pieces,
    /// A counter is split into shares.
    Shares,
    /// The module reads the state of another process.
    Remote,
    /// A variable or channel has no name in the scope of the module.
    Nameless(String),
    /// A name is shadowed in the scope of the module.
    Shadowed(String),
    /// A value or an expression has no notation in Promela.
    Unwritable,
    /// Several events of a trace happen in one step.
    Events,
    /// The module sends on a rendezvous channel, and a trace observes sends.
    Attempts,
    /// A claim or a trace observes something that belongs to the module.
    Watched,
    /// The program reads `_last`, or a claim counts steps.
    Counted,
    /// `timeout` depends on whether the module is blocked.
    Timeout,
    /// The components are bounded by the local states that occur.
    Bounded,
    /// A claim may be violated at the end of a run.
    ClaimAtEnd,
    /// Other processes can observe that the module has ended.
    Death,
    /// The process has already moved, or creates others.
    Started,
    /// The `provided` clause of the process refers to something that belongs to the module.
    Provided,
    /// The text of the program could not be parsed again.
    Text,
}

impl RewriteRefusal {
    /// A refusal that no single action causes.
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
            Self::Bounded => "components are bounded by what occurs in the program as it is",
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
