//! The properties of a model, and what a search says about each.

use crate::split::unknown;
use resy_engine::search::{Finding, Outcome, Search, Stopped};
use resy_system::{Claim, ClaimKind, ClaimMonitor, Monitors, System, ViolationKind};

/// A property that the search decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// No assertion is violated.
    Assertions,
    /// No process gets stuck before its end.
    EndStates,
    /// No statement does what has no meaning: an index out of range and the like.
    Runtime,
    /// The event trace is kept.
    Trace,
    /// A claim is kept.
    Claim {
        /// Its name.
        name: String,
        /// The number of its monitor.
        monitor: usize,
        /// Whether it is a formula; else a never claim.
        formula: bool,
    },
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
    pub reason: String,
}

impl Property {
    /// Its name, as in `--property`.
    pub fn name(&self) -> &str {
        match self {
            Self::Assertions => "assertions",
            Self::EndStates => "end-states",
            Self::Runtime => "runtime",
            Self::Trace => "trace",
            Self::Claim { name, .. } => name,
        }
    }

    /// Its kind, as in the JSON output.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Assertions => "assertion",
            Self::EndStates => "end-state",
            Self::Runtime => "runtime",
            Self::Trace => "trace",
            Self::Claim { formula: true, .. } => "ltl",
            Self::Claim { formula: false, .. } => "never",
        }
    }

    /// Whether an outcome violates it.
    pub fn is_violated_by(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::EndStates, Outcome::InvalidEnd) => true,
            (Self::Claim { monitor, .. }, Outcome::Claim(m)) => monitor == m,
            (Self::Runtime, Outcome::Condition(..)) => true,
            (_, Outcome::Violation(v)) => match v.kind {
                ViolationKind::Assertion(_) => *self == Self::Assertions,
                ref kind if kind.is_of_trace() => *self == Self::Trace,
                _ => *self == Self::Runtime,
            },
            _ => false,
        }
    }

    /// What is wrong when this happens, in words.
    pub fn describe(&self, system: &System, outcome: &Outcome) -> String {
        match outcome {
            Outcome::InvalidEnd => "invalid end state".to_string(),
            Outcome::Condition(_, kind) => format!("a condition of a claim has no value: {kind}"),
            Outcome::Violation(v) => format!("{} at {}", v.kind, system.location(v.source)),
            Outcome::Claim(_) => {
                let claim = system.claims.iter().find(|claim| claim.name == self.name());
                match claim.map(|claim| &claim.kind) {
                    Some(ClaimKind::Ltl(formula)) => format!("the run violates {}", formula.text),
                    _ => "the run does what the claim forbids".to_string(),
                }
            }
        }
    }

    /// What a search says about it.
    pub fn verdict(&self, search: &Search) -> Verdict {
        if self.violation(search).is_some() {
            Verdict::Fails
        } else if search.stopped.is_some() || search.covered.is_some() {
            Verdict::Unknown
        } else {
            Verdict::Holds
        }
    }

    /// The first violation of it.
    pub fn violation<'a>(&self, search: &'a Search) -> Option<&'a Finding> {
        search.findings.iter().find(|f| self.is_violated_by(&f.outcome))
    }
}

/// Why an undecided property is undecided.
pub fn reason(stopped: Option<Stopped>) -> Option<&'static str> {
    stopped.map(|s| match s {
        Stopped::Timeout => "the time limit was reached",
        Stopped::Memory => "the memory limit was reached",
        Stopped::Violation => "the search stopped at a violation of another property",
        Stopped::Interrupt => "the search was interrupted",
        Stopped::HostLost => "a host was lost",
        Stopped::HostAbsent => "a host did not appear",
        Stopped::Numbers => "there are more states than the store has numbers for",
    })
}

/// What is to be checked.
pub struct Selection {
    /// The properties.
    pub properties: Vec<Property>,
    /// The monitors of the claims among them.
    pub monitors: Monitors,
    /// Whether the claims count steps, so that reductions would change their meaning.
    pub counts_steps: bool,
    /// Those that cannot be checked.
    pub not_checked: Vec<NotChecked>,
}

impl Selection {
    /// Without invalid end states, which have no monitor, and are not preserved where processes
    /// are looked at one by one.
    #[must_use]
    pub fn without_end_states(mut self) -> Self {
        let n_all = self.properties.len();
        self.properties.retain(|p| *p != Property::EndStates);
        if self.properties.len() < n_all {
            let reason = "where a run ends is a matter of all components at once; \
                          --engine monolithic checks it";
            let name = Property::EndStates.name().to_owned();
            self.not_checked.push(NotChecked { name, reason: reason.to_owned() });
        }
        self
    }

    /// Whether nothing is asked but claims, which may all be settled before a run ends.
    pub fn claims_only(&self) -> bool {
        let is_claim = |p: &Property| matches!(p, Property::Claim { .. });
        self.properties.iter().all(is_claim)
            && self.monitors.as_slice().iter().all(ClaimMonitor::can_settle)
    }

    /// These properties only.
    pub fn only(&self, chosen: &[Property]) -> Self {
        let (mut properties, mut monitors) = (Vec::new(), Vec::new());
        for property in chosen {
            properties.push(match property {
                Property::Claim { name, monitor, formula } => {
                    let (name, number) = (name.clone(), monitors.len());
                    monitors.push(self.monitors.as_slice()[*monitor].clone());
                    Property::Claim { name, monitor: number, formula: *formula }
                }
                other => other.clone(),
            });
        }
        let counts_steps = monitors.iter().any(ClaimMonitor::counts_steps);
        let monitors = Monitors::new(monitors);
        Self { properties, monitors, counts_steps, not_checked: Vec::new() }
    }

    /// What spin would have left out: a run of its verifier checks one claim, and no end
    /// states beside it.
    pub fn beyond_spin(&self) -> Option<String> {
        let is_claim = |p: &&Property| matches!(p, Property::Claim { .. });
        let n = self.properties.iter().filter(is_claim).count();
        let end_states = self.properties.contains(&Property::EndStates);
        let what = match (n, end_states) {
            (0, _) | (1, false) => return None,
            (1, true) => "end states were checked beside the claim".to_string(),
            (n, false) => format!("all {n} claims were checked"),
            (n, true) => format!("all {n} claims and the end states were checked"),
        };
        Some(format!("{what}, in one search; spin checks one claim a run, without end states"))
    }
}

/// The properties to check, and those that cannot be; an error if `only` names none.
pub fn select(system: &System, only: Option<&str>) -> Result<Selection, String> {
    let mut properties = vec![Property::Assertions, Property::EndStates, Property::Runtime];
    properties.extend(system.trace.as_ref().map(|_| Property::Trace));
    properties.retain(|p| only.is_none_or(|o| o == p.name()));
    let (mut monitors, mut not_checked) = (Vec::new(), Vec::new());
    let mut counts_steps = false;
    for claim in &system.claims {
        if !only.is_none_or(|o| is_called(claim, o)) {
            continue;
        }
        match ClaimMonitor::of(claim) {
            Ok(monitor) => {
                let formula = matches!(claim.kind, ClaimKind::Ltl(_));
                counts_steps |= monitor.counts_steps();
                let (name, monitor_number) = (claim.name.clone(), monitors.len());
                properties.push(Property::Claim { name, monitor: monitor_number, formula });
                monitors.push(monitor);
            }
            Err(refusal) => not_checked
                .push(NotChecked { name: claim.name.clone(), reason: refusal.to_string() }),
        }
    }
    if let Some(only) = only
        && properties.is_empty()
        && not_checked.is_empty()
    {
        let claims = system.claims.iter().map(|claim| claim.name.as_str());
        let trace = system.trace.as_ref().map(|_| Property::Trace.name());
        let own = ["assertions", "end-states", "runtime"];
        let known: Vec<&str> = own.into_iter().chain(trace).chain(claims).collect();
        return Err(unknown("property", only, &known));
    }
    Ok(Selection { properties, monitors: Monitors::new(monitors), counts_steps, not_checked })
}

/// The properties without the claims, which are listed as not checked.
pub fn select_without_claims(system: &System) -> Result<Selection, String> {
    let mut bare = system.clone();
    let claims = std::mem::take(&mut bare.claims);
    let reason = || "left out by --no-claims".to_string();
    let not_checked = claims.into_iter().map(|c| NotChecked { name: c.name, reason: reason() });
    Ok(Selection { not_checked: not_checked.collect(), ..select(&bare, None)? })
}

/// Whether `--property` means this claim.
fn is_called(claim: &Claim, name: &str) -> bool {
    claim.name == name || (name == "never" && matches!(claim.kind, ClaimKind::Never(_)))
}
