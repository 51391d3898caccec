//! The properties of a model, and what a search says about each.

use resy_engine::{Found, Outcome, Search, Stopped};
use resy_system::{ClaimKind, System, ViolationKind};

/// A property that the search decides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// No assertion is violated.
    Assertions,
    /// No process gets stuck before its end.
    EndStates,
    /// No statement does what has no meaning: an index out of range and the like.
    Runtime,
    /// The event trace is kept.
    Trace,
}

/// A verdict on one property.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds in all states.
    Holds,
    /// It does not.
    Fails,
    /// The search did not tell.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unknown => "unknown",
        }
    }
}

/// A property that was asked for and cannot be decided here.
pub struct NotChecked {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: &'static str,
}

impl Property {
    /// Its name, as in `--property`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertions => "assertions",
            Self::EndStates => "end-states",
            Self::Runtime => "runtime",
            Self::Trace => "trace",
        }
    }

    /// Its kind, as in the JSON output.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Assertions => "assertion",
            Self::EndStates => "end-state",
            Self::Runtime => "runtime",
            Self::Trace => "trace",
        }
    }

    /// The property that a violation violates.
    pub fn of(outcome: &Outcome) -> Property {
        match outcome {
            Outcome::InvalidEnd => Self::EndStates,
            Outcome::Violation(v) => match v.kind {
                ViolationKind::Assertion(_) => Self::Assertions,
                ViolationKind::Trace | ViolationKind::NoTrace => Self::Trace,
                _ => Self::Runtime,
            },
        }
    }

    /// What a search says about it.
    pub fn verdict(self, search: &Search) -> Verdict {
        if self.violation(search).is_some() {
            Verdict::Fails
        } else if search.stopped.is_some() {
            Verdict::Unknown
        } else {
            Verdict::Holds
        }
    }

    /// The first violation of it.
    pub fn violation(self, search: &Search) -> Option<&Found> {
        search.found.iter().map(|(f, _)| f).find(|f| Property::of(&f.outcome) == self)
    }
}

/// Why an undecided property is undecided.
pub fn reason(stopped: Option<Stopped>) -> Option<&'static str> {
    stopped.map(|s| match s {
        Stopped::Timeout => "the time limit was reached",
        Stopped::Memory => "the memory limit was reached",
        Stopped::Violation => "the search stopped at a violation of another property",
    })
}

/// The properties to check, and those that cannot be; an error if `only` names none.
pub fn select(
    system: &System,
    only: Option<&str>,
) -> Result<(Vec<Property>, Vec<NotChecked>), String> {
    let mut checked = vec![Property::Assertions, Property::EndStates, Property::Runtime];
    checked.extend(system.trace.as_ref().map(|_| Property::Trace));
    let not_checked = system.claims.iter().map(|claim| NotChecked {
        name: claim.name.clone(),
        reason: match claim.kind {
            ClaimKind::Never(_) => "never claims are not checked by this engine",
            ClaimKind::Ltl(_) => "ltl formulas are not checked by this engine",
        },
    });
    let mut not_checked: Vec<_> = not_checked.collect();
    if let Some(only) = only {
        let is_never =
            |c: &resy_system::Claim| only == "never" && matches!(c.kind, ClaimKind::Never(_));
        let nevers: Vec<_> =
            system.claims.iter().filter(|c| is_never(c)).map(|c| &c.name).collect();
        checked.retain(|p| p.name() == only);
        not_checked.retain(|n| n.name == only || nevers.contains(&&n.name));
        if checked.is_empty() && not_checked.is_empty() {
            return Err(format!("the model has no property `{only}`"));
        }
    }
    Ok((checked, not_checked))
}
