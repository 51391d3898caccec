//! The properties of a model, and what violates each.

use crate::{Claim, ClaimKind, ClaimMonitor, Monitors, System, Violation, ViolationKind};
use std::fmt;

/// What was violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A violation in a step.
    Violation(Violation),
    /// A state without steps in which some process is not at a valid end.
    InvalidEnd,
    /// A violated claim: the number of its monitor.
    Claim(usize),
    /// A condition of a claim that has no value: the number of its monitor, and why.
    Condition(usize, ViolationKind),
}

/// A property that can be decided.
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
    /// The monitor of a network stays out of its error state.
    Monitor,
    /// A property of a composition of processes that synchronise on actions.
    Composition {
        /// Its name.
        name: String,
        /// What it is about.
        about: CompositionProperty,
    },
}

/// What a property of a composition is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum CompositionProperty {
    /// No run stops before its end.
    Deadlock,
    /// Finite runs show its violations.
    Safety,
    /// An action is taken again and again, under fair choice.
    Progress,
    /// A formula, with a monitor.
    SafetyFormula,
    /// A formula about infinite runs, under fair choice.
    Formula,
}

/// A property that was asked for and cannot be decided here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotChecked {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl NotChecked {
    /// End states, which components do not preserve.
    pub fn end_states() -> Self {
        let reason = "where a run ends is a matter of all components at once; \
                      the search of all states checks it";
        Self { name: Property::EndStates.name().to_owned(), reason: reason.to_owned() }
    }

    /// A property without a monitor.
    pub fn without_monitor(property: &Property) -> Self {
        let Property::Composition { about, .. } = property else { return Self::end_states() };
        let reason = match about {
            CompositionProperty::Deadlock => {
                "where a run ends is a matter of all components at once; \
                 the search of all states checks it"
            }
            _ => "it is about infinite runs; the search of all states checks it",
        };
        Self { name: property.name().to_owned(), reason: reason.to_owned() }
    }
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
            Self::Monitor => "monitor",
            Self::Composition { name, .. } => name,
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
            Self::Monitor => "safety",
            Self::Composition { about, .. } => match about {
                CompositionProperty::Deadlock => "deadlock",
                CompositionProperty::Safety => "safety",
                CompositionProperty::Progress => "progress",
                CompositionProperty::SafetyFormula | CompositionProperty::Formula => "ltl",
            },
        }
    }

    /// Whether components preserve it and a monitor watches it; else it is a matter of the whole
    /// state graph.
    pub fn has_monitor(&self) -> bool {
        use CompositionProperty::{Deadlock, Formula, Progress};
        match self {
            Self::EndStates => false,
            Self::Composition { about, .. } => !matches!(about, Deadlock | Progress | Formula),
            _ => true,
        }
    }

    /// Whether an outcome violates it.
    pub fn is_violated_by(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (Self::EndStates, Outcome::InvalidEnd) => true,
            (Self::Claim { monitor, .. }, Outcome::Claim(m) | Outcome::Condition(m, _)) => {
                monitor == m
            }
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
}

/// A name that no property of a system has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProperty {
    /// The name.
    pub name: String,
    /// The names that properties have.
    pub known: Vec<String>,
}

impl fmt::Display for UnknownProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no property `{}`", self.name)
    }
}

impl std::error::Error for UnknownProperty {}

/// What is to be decided.
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
    /// Without properties that have no monitor, such as end states, which a cut into components
    /// does not preserve.
    #[must_use]
    pub fn without_end_states(mut self) -> Self {
        let left_out = self.properties.iter().filter(|p| !p.has_monitor());
        self.not_checked.extend(left_out.map(NotChecked::without_monitor));
        self.properties.retain(Property::has_monitor);
        self
    }

    /// Without the properties with these names, which the user leaves out.
    pub fn without(mut self, names: &[String]) -> Result<Self, UnknownProperty> {
        let known: Vec<String> = self.names().map(str::to_owned).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(UnknownProperty { name: name.clone(), known });
        }
        let stays = |name: &str| !names.iter().any(|other| other == name);
        let chosen: Vec<Property> =
            self.properties.iter().filter(|p| stays(p.name())).cloned().collect();
        self.not_checked.retain(|n| stays(&n.name));
        Ok(Self { not_checked: self.not_checked.clone(), ..self.only(&chosen) })
    }

    /// The names of all properties.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let not_checked = self.not_checked.iter().map(|n| n.name.as_str());
        self.properties.iter().map(Property::name).chain(not_checked)
    }

    /// Whether only claims are asked for, and all of them may be settled before a run ends.
    pub fn claims_only(&self) -> bool {
        let is_claim = |p: &Property| matches!(p, Property::Claim { .. });
        self.properties.iter().all(is_claim)
            && self.monitors.as_slice().iter().all(ClaimMonitor::can_settle)
    }

    /// Whether a property is a claim with a condition that may have no value in some state, such as a
    /// division. Components evaluate such a condition where they know a part of the state only.
    pub fn may_have_no_value(&self, property: &Property) -> bool {
        let Property::Claim { monitor, .. } = property else { return false };
        self.monitors.as_slice()[*monitor].may_have_no_value()
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

impl Selection {
    /// The property of a network: its monitor.
    pub fn of_monitor() -> Self {
        Self::of_properties(vec![Property::Monitor])
    }

    /// Properties that need no monitors of claims.
    pub fn of_properties(properties: Vec<Property>) -> Self {
        Self {
            properties,
            monitors: Monitors::default(),
            counts_steps: false,
            not_checked: Vec::new(),
        }
    }
}

/// The properties of a system that can be decided, and those that cannot; an error if `only`
/// names none.
pub fn select(system: &System, only: Option<&str>) -> Result<Selection, UnknownProperty> {
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
    not_checked.extend(cycle_properties(system).filter(|n| only.is_none_or(|o| o == n.name)));
    if let Some(only) = only
        && properties.is_empty()
        && not_checked.is_empty()
    {
        let claims = system.claims.iter().map(|claim| claim.name.as_str());
        let trace = system.trace.as_ref().map(|_| Property::Trace.name());
        let own = ["assertions", "end-states", "runtime"];
        let known = own.into_iter().chain(trace).chain(claims).map(str::to_owned).collect();
        return Err(UnknownProperty { name: only.to_owned(), known });
    }
    Ok(Selection { properties, monitors: Monitors::new(monitors), counts_steps, not_checked })
}

/// The properties that labels ask for, which are about cycles.
fn cycle_properties(system: &System) -> impl Iterator<Item = NotChecked> + '_ {
    let has_label = |prefix: &str| {
        let labels = system.proctypes.iter().flat_map(|proctype| &proctype.labels);
        labels.map(|(label, _)| label).any(|label| label.starts_with(prefix))
    };
    [("acceptance", "accept"), ("progress", "progress")]
        .into_iter()
        .filter(move |(_, prefix)| has_label(prefix))
        .map(|(name, prefix)| NotChecked {
            name: name.to_owned(),
            reason: format!("the model has `{prefix}` labels, and cycles are not searched for"),
        })
}

/// The properties without the claims, which the user has left out.
pub fn select_without_claims(system: &System) -> Result<Selection, UnknownProperty> {
    let mut bare = system.clone();
    bare.claims.clear();
    select(&bare, None)
}

/// Whether `--property` means this claim.
fn is_called(claim: &Claim, name: &str) -> bool {
    claim.name == name || (name == "never" && matches!(claim.kind, ClaimKind::Never(_)))
}
