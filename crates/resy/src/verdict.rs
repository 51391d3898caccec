//! What comes out: a verdict on each property, with its evidence, its counterexample, or the
//! reason why there is none.

use crate::control::Stop;
use crate::counterexample::Counterexample;
use resy_engine::search::Stopped;
use resy_system::{Fairness, Property};
use std::fmt;
use std::sync::Arc;

/// The verdict on a property.
#[derive(Debug)]
pub enum Verdict {
    /// It holds in every run.
    Holds(Evidence),
    /// A run violates it.
    Fails(Counterexample),
    /// It is not decided.
    Unknown(Reason),
}

/// A verdict without its grounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Everything holds.
    Holds,
    /// Something fails.
    Fails,
    /// Something is not decided, and nothing fails.
    Unknown,
}

/// Why a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// All reachable states were visited, up to reductions that keep the verdict.
    Coverage {
        /// The number of states.
        states: u64,
    },
    /// No cycle of the product with the automaton of the property violates it, up to reductions that keep the
    /// verdict.
    NoCycle {
        /// The number of states of the product.
        states: u64,
        /// Which infinite runs count.
        fairness: Fairness,
    },
    /// An abstraction or a product of the components proves it, and no certificate was asked for.
    Proof {
        /// The method that found the proof.
        method: &'static str,
    },
    /// A certificate, as text, which [`recheck`](crate::recheck) accepts.
    Certificate(Arc<str>),
}

/// Why a property is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit or a cancellation ended the computation.
    Stopped(Stop),
    /// A violation was found, but a limit was reached while its run was replayed: it is not confirmed.
    NotReplayed(Stop),
    /// A search did not visit all states. The second part says what it covered.
    Search(Option<Stopped>, Option<String>),
    /// Another property was violated first.
    OtherViolation,
    /// The network of components has a violation that the program does not have.
    Spurious,
    /// A claim may be violated where a run ends, which the network does not show.
    EndOfRun,
    /// The model or the property is out of the engine's reach.
    OutOfReach(String),
    /// The engine gave up.
    GivenUp,
}

impl Reason {
    /// The reason for a computation that a control has ended, or that gave up.
    pub(crate) fn of(stop: Option<Stop>) -> Self {
        stop.map_or(Self::GivenUp, Self::Stopped)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped(stop) => stop.fmt(f),
            Self::NotReplayed(stop) => {
                write!(f, "a violation was found, but {stop} while its run was replayed")
            }
            Self::Search(stopped, covered) => {
                let parts = stopped.map(stop_word).into_iter().chain(covered.as_deref());
                f.write_str(&parts.collect::<Vec<_>>().join("; "))
            }
            Self::OtherViolation => f.write_str(stop_word(Stopped::Violation)),
            Self::Spurious => f.write_str(
                "the network has a run that violates it, the program has not: `timeout` is \
                 taken to hold at any time",
            ),
            Self::EndOfRun => {
                f.write_str("it may be violated at the end of a run, which is not seen here")
            }
            Self::OutOfReach(why) => f.write_str(why),
            Self::GivenUp => f.write_str("it was given up"),
        }
    }
}

/// What ended a search, in words.
pub(crate) fn stop_word(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::Timeout => "the time limit was reached",
        Stopped::Memory => "the memory limit was reached",
        Stopped::Transitions => "the limit on transitions was reached",
        Stopped::Violation => "the search stopped at a violation of another property",
        Stopped::Interrupt => "the search was interrupted",
        Stopped::HostLost => "a host was lost",
        Stopped::HostAbsent => "a host did not appear",
        Stopped::Numbers => "there are more states than the store has numbers for",
    }
}

impl Verdict {
    /// The verdict without its grounds.
    pub fn truth(&self) -> Truth {
        match self {
            Self::Holds(_) => Truth::Holds,
            Self::Fails(_) => Truth::Fails,
            Self::Unknown(_) => Truth::Unknown,
        }
    }
}

impl Truth {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unknown => "unknown",
        }
    }

    /// The conjunction: fails before unknown before holds.
    pub fn of_all(parts: impl IntoIterator<Item = Self>) -> Self {
        parts.into_iter().fold(Self::Holds, |total, part| match (total, part) {
            (Self::Fails, _) | (_, Self::Fails) => Self::Fails,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            _ => Self::Holds,
        })
    }
}

/// The verdict on one property, and the engine that gave it.
#[derive(Debug)]
pub struct Answer {
    /// The property.
    pub property: Property,
    /// The verdict.
    pub verdict: Verdict,
    /// The name of the engine.
    pub engine: &'static str,
}

impl Answer {
    /// What is wrong, or why it is not known.
    pub fn reason(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Holds(_) => None,
            Verdict::Fails(counterexample) => counterexample.what(),
            Verdict::Unknown(reason) => Some(reason.to_string()).filter(|text| !text.is_empty()),
        }
    }

    /// The fairness that the verdict rests on; `None` if it rests on none.
    pub fn fairness(&self) -> Option<Fairness> {
        let fairness = match &self.verdict {
            Verdict::Holds(Evidence::NoCycle { fairness, .. }) => *fairness,
            Verdict::Fails(counterexample) => counterexample.lasso()?.fairness,
            _ => return None,
        };
        Some(fairness).filter(|fairness| *fairness != Fairness::None)
    }

    /// The run that violates the property.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        match &self.verdict {
            Verdict::Fails(counterexample) => Some(counterexample),
            _ => None,
        }
    }
}
