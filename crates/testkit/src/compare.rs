//! One program, two checkers: do spin and resy agree?
//!
//! Compared are acceptance, the numbers of states and transitions, and which
//! kinds of errors exist. Where spin's search ends early on a fatal error
//! only the verdict is compared; where spin gives no answer, nothing is.

use crate::resy::ResyOutcome;
use crate::spin::{Kind, PanReport, SpinOutcome};
use std::collections::BTreeSet;
use std::fmt;

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// Counts and error kinds agree.
    Same,
    /// spin's search ended at a fatal error; resy finds an error as well.
    SameVerdict,
    /// Both refuse the text.
    BothReject,
    /// There is nothing to compare, for this reason.
    Discarded(Discard),
    /// They disagree.
    Difference(Difference),
}

/// Why a program could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discard {
    /// spin accepts, but `pan.c` does not compile.
    NotCompiled,
    /// pan refuses to search: unconditional self-loop.
    SelfLoop,
    /// spin or pan ran out of time, depth or memory.
    TooLarge(&'static str),
    /// spin or pan crashed.
    SpinCrashed,
    /// The program has what spin's verifier is known to get wrong.
    SpinFault(&'static str),
    /// resy answered unknown or ran out of time.
    ResyUnknown(String),
}

/// How the two disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// resy refuses what spin accepts.
    OnlyResyRejects,
    /// resy accepts what spin refuses.
    OnlySpinRejects,
    /// The numbers of states differ.
    States,
    /// The numbers of states agree, those of transitions do not.
    Transitions,
    /// The counts agree, the kinds of errors do not.
    Errors,
    /// resy panicked, was killed by a signal or broke the contract of its output.
    ResyCrashed,
}

/// Compares what the two said about one program.
pub fn compare(spin: &SpinOutcome, resy: &ResyOutcome) -> Comparison {
    use Comparison::{BothReject, Discarded};
    if let ResyOutcome::Crashed(_) = resy {
        return Comparison::Difference(Difference::ResyCrashed);
    }
    if let Some(discard) = discard_of_spin(spin) {
        return Discarded(discard);
    }
    match (spin, resy) {
        (SpinOutcome::Rejected(_), ResyOutcome::Rejected(_)) => BothReject,
        (SpinOutcome::Rejected(_), _) => Comparison::Difference(Difference::OnlySpinRejects),
        (_, ResyOutcome::Rejected(_)) => Comparison::Difference(Difference::OnlyResyRejects),
        (_, ResyOutcome::Unknown(why)) => Discarded(Discard::ResyUnknown(why.clone())),
        (SpinOutcome::Searched(pan), ResyOutcome::Decided(resy)) => compare_reports(pan, resy),
        _ => Discarded(Discard::ResyUnknown("no answer in time".to_owned())),
    }
}

/// The reason if spin's outcome cannot be compared with anything.
pub fn discard_of_spin(spin: &SpinOutcome) -> Option<Discard> {
    match spin {
        SpinOutcome::Rejected(_) => None,
        SpinOutcome::NotCompiled(_) => Some(Discard::NotCompiled),
        SpinOutcome::SelfLoop(_) => Some(Discard::SelfLoop),
        SpinOutcome::Crashed(_) => Some(Discard::SpinCrashed),
        SpinOutcome::TimedOut(_) => Some(Discard::TooLarge("time")),
        SpinOutcome::Searched(pan) if pan.is_fatal() => None,
        SpinOutcome::Searched(pan) if pan.truncated => Some(Discard::TooLarge("depth")),
        SpinOutcome::Searched(pan) if !pan.completed => Some(Discard::TooLarge("memory")),
        SpinOutcome::Searched(_) => None,
    }
}

fn compare_reports(pan: &PanReport, resy: &crate::resy::ResyReport) -> Comparison {
    let difference = if pan.is_fatal() {
        // A truncated or aborted search proves an error, never its absence.
        if resy.fails {
            return Comparison::SameVerdict;
        }
        Difference::Errors
    } else if !resy.is_whole {
        return Comparison::Discarded(Discard::ResyUnknown("not all states in time".to_owned()));
    } else if pan.states != resy.states {
        Difference::States
    } else if pan.transitions != resy.transitions {
        Difference::Transitions
    } else if aspects_of_pan(&pan.kinds()) != aspects_of_resy(&resy.failed_kinds) {
        Difference::Errors
    } else {
        return Comparison::Same;
    };
    Comparison::Difference(difference)
}

/// What both tools can be asked about. spin reports an index out of range as
/// an assertion and resy may call it a runtime error, so these are one aspect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Aspect {
    Step,
    EndState,
    Trace,
}

fn aspects_of_pan(kinds: &BTreeSet<Kind>) -> BTreeSet<Aspect> {
    let aspect = |kind: &Kind| match kind {
        Kind::EndState => Aspect::EndState,
        Kind::Trace => Aspect::Trace,
        Kind::Assertion | Kind::BlockedDStep | Kind::Runtime => Aspect::Step,
    };
    kinds.iter().map(aspect).collect()
}

fn aspects_of_resy(kinds: &BTreeSet<String>) -> BTreeSet<Aspect> {
    let aspect = |kind: &String| match kind.as_str() {
        "assertion" | "runtime" => Some(Aspect::Step),
        "end-state" => Some(Aspect::EndState),
        "trace" => Some(Aspect::Trace),
        // Claims are compiled out of the verifier (-DNOCLAIM).
        _ => None,
    };
    kinds.iter().filter_map(aspect).collect()
}

impl fmt::Display for Discard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Discard::NotCompiled => write!(f, "pan.c does not compile"),
            Discard::SelfLoop => write!(f, "pan refuses a self-loop"),
            Discard::TooLarge(limit) => write!(f, "too large ({limit})"),
            Discard::SpinCrashed => write!(f, "spin crashed"),
            Discard::SpinFault(what) => write!(f, "a fault of spin ({what})"),
            Discard::ResyUnknown(why) => write!(f, "resy unknown: {why}"),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::OnlyResyRejects => "only resy rejects",
            Difference::OnlySpinRejects => "only spin rejects",
            Difference::States => "states differ",
            Difference::Transitions => "transitions differ",
            Difference::Errors => "errors differ",
            Difference::ResyCrashed => "resy crashed",
        })
    }
}

#[cfg(test)]
mod tests;
