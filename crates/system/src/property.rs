//! The properties of a model, and what violates each.

use crate::{
    Claim, ClaimKind, ClaimMonitor, LivenessClaim, LivenessKind, LocationId, Monitors, Proctype,
    System, Violation, ViolationKind,
};
use resy_index::IndexVec;
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
    /// A property of infinite runs is kept.
    Liveness {
        /// Its name.
        name: String,
        /// The number of its automaton.
        number: usize,
        /// What it is.
        kind: LivenessKind,
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
    /// A property of infinite runs, which components do not preserve.
    pub fn liveness(name: &str) -> Self {
        let reason = "what happens infinitely often is not seen in components; \
                      the search of all states checks it";
        Self { name: name.to_owned(), reason: reason.to_owned() }
    }

    /// End states, which components do not preserve.
    pub fn end_states() -> Self {
        let reason = "where a run ends is a matter of all components at once; \
                      the search of all states checks it";
        Self { name: Property::EndStates.name().to_owned(), reason: reason.to_owned() }
    }

    /// A property without a monitor.
    pub fn without_monitor(property: &Property) -> Self {
        let about = match property {
            Property::Liveness { name, .. } => return Self::liveness(name),
            Property::Composition { about, .. } => about,
            _ => return Self::end_states(),
        };
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
            Self::Claim { name, .. } | Self::Liveness { name, .. } => name,
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
            Self::Liveness { kind, .. } => kind.as_str(),
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
            Self::EndStates | Self::Liveness { .. } => false,
            Self::Composition { about, .. } => !matches!(about, Deadlock | Progress | Formula),
            _ => true,
        }
    }

    /// Whether it is about infinite runs.
    pub fn is_liveness(&self) -> bool {
        matches!(self, Self::Liveness { .. })
    }

    /// Whether it is a claim of the text or of a file, which has a name of its own.
    pub fn is_claim(&self) -> bool {
        use LivenessKind::{Acceptance, Progress};
        match self {
            Self::Claim { .. } => true,
            Self::Liveness { kind, .. } => !matches!(kind, Acceptance | Progress),
            _ => false,
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
    /// The automata of the properties of infinite runs.
    pub liveness: Vec<LivenessClaim>,
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

    /// Without end states and what else has no monitor; properties of infinite runs stay.
    #[must_use]
    pub fn with_infinite_runs(mut self) -> Self {
        let stays = |property: &Property| property.has_monitor() || property.is_liveness();
        let left_out = self.properties.iter().filter(|p| !stays(p));
        self.not_checked.extend(left_out.map(NotChecked::without_monitor));
        self.properties.retain(stays);
        self
    }

    /// Without the properties with these names, which the user leaves out. A claim with a name is meant before
    /// the property of every system that has it.
    pub fn without(mut self, names: &[String]) -> Result<Self, UnknownProperty> {
        let known: Vec<String> = self.names().map(str::to_owned).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(UnknownProperty { name: name.clone(), known });
        }
        let stays = |name: &str| !names.iter().any(|other| other == name);
        let is_claimed = |name: &str| {
            self.not_checked.iter().any(|n| n.name == name)
                || self.properties.iter().any(|p| p.is_claim() && p.name() == name)
        };
        let is_chosen = |p: &&Property| stays(p.name()) || (!p.is_claim() && is_claimed(p.name()));
        let chosen: Vec<Property> = self.properties.iter().filter(is_chosen).cloned().collect();
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
    pub fn may_have_no_value(&self, property: &Property, system: &System) -> bool {
        let Property::Claim { monitor, .. } = property else { return false };
        self.monitors.as_slice()[*monitor].may_have_no_value(system)
    }

    /// These properties only.
    pub fn only(&self, chosen: &[Property]) -> Self {
        let (mut properties, mut monitors, mut liveness) = (Vec::new(), Vec::new(), Vec::new());
        for property in chosen {
            properties.push(match property {
                Property::Claim { name, monitor, formula } => {
                    let (name, number) = (name.clone(), monitors.len());
                    monitors.push(self.monitors.as_slice()[*monitor].clone());
                    Property::Claim { name, monitor: number, formula: *formula }
                }
                Property::Liveness { name, number, kind } => {
                    liveness.push(self.liveness[*number].clone());
                    let (name, number) = (name.clone(), liveness.len() - 1);
                    Property::Liveness { name, number, kind: *kind }
                }
                other => other.clone(),
            });
        }
        let counts_steps = monitors.iter().any(ClaimMonitor::counts_steps);
        let monitors = Monitors::new(monitors);
        Self { properties, monitors, liveness, counts_steps, not_checked: Vec::new() }
    }

    /// The selection in which a monitor only follows the one property, which is about infinite runs; or why there is
    /// none.
    pub fn tracking(&self, system: &System) -> Result<Self, &'static str> {
        let [Property::Liveness { name, number, kind }] = &self.properties[..] else {
            return Err("there is not one property of infinite runs");
        };
        let monitor = self.liveness[*number].tracker()?;
        if monitor.may_have_no_value(system) {
            return Err("one of its conditions may have no value");
        }
        let formula = *kind == LivenessKind::Formula;
        let properties = vec![Property::Claim { name: name.clone(), monitor: 0, formula }];
        let counts_steps = monitor.counts_steps();
        let monitors = Monitors::new(vec![monitor]);
        Ok(Self { monitors, counts_steps, ..Self::of_properties(properties) })
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
            liveness: Vec::new(),
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
    properties.retain(|p| only.is_none_or(|o| o == p.name() && !has_claim(system, o)));
    let mut selection = Selection { properties, liveness: Vec::new(), ..Selection::of_monitor() };
    let mut monitors = Vec::new();
    for claim in system.claims.iter().filter(|claim| only.is_none_or(|o| is_called(claim, o))) {
        match ClaimMonitor::of(claim) {
            Ok(monitor) => {
                let (name, number) = (claim.name.clone(), monitors.len());
                let formula = matches!(claim.kind, ClaimKind::Ltl(_));
                selection.counts_steps |= monitor.counts_steps();
                selection.properties.push(Property::Claim { name, monitor: number, formula });
                monitors.push(monitor);
            }
            Err(_) => match LivenessClaim::of(claim) {
                Ok(automaton) => selection.add_liveness(automaton),
                Err(refusal) => selection
                    .not_checked
                    .push(NotChecked { name: claim.name.clone(), reason: refusal.to_string() }),
            },
        }
    }
    selection.monitors = Monitors::new(monitors);
    cycle_properties(system, only).for_each(|automaton| selection.add_liveness(automaton));
    match only {
        Some(only) if selection.names().next().is_none() => Err(unknown_property(system, only)),
        _ => Ok(selection),
    }
}

impl Selection {
    fn add_liveness(&mut self, automaton: LivenessClaim) {
        let (name, kind, number) = (automaton.name.clone(), automaton.kind(), self.liveness.len());
        self.properties.push(Property::Liveness { name, number, kind });
        self.liveness.push(automaton);
    }
}

fn unknown_property(system: &System, name: &str) -> UnknownProperty {
    let claims = system.claims.iter().map(|claim| claim.name.as_str());
    let trace = system.trace.as_ref().map(|_| Property::Trace.name());
    let own = ["assertions", "end-states", "runtime", "acceptance", "progress"];
    let known = own.into_iter().chain(trace).chain(claims).map(str::to_owned).collect();
    UnknownProperty { name: name.to_owned(), known }
}

/// The properties that labels ask for, which are about cycles: by default if there are such labels. A claim with
/// the name is meant before them.
fn cycle_properties(system: &System, only: Option<&str>) -> impl Iterator<Item = LivenessClaim> {
    let any = |at: fn(&Proctype) -> &IndexVec<LocationId, bool>| {
        system.proctypes.iter().any(|proctype| at(proctype).iter().any(|&label| label))
    };
    let has_labels = [any(|p| &p.accept_locations), any(|p| &p.progress_locations)];
    let all = [LivenessClaim::acceptance(), LivenessClaim::progress()].into_iter().zip(has_labels);
    let is_asked = move |name: &str, has_labels: bool| match only {
        None => has_labels,
        Some(only) => only == name && !has_claim(system, name),
    };
    all.filter(move |(claim, has_labels)| is_asked(&claim.name, *has_labels))
        .map(|(claim, _)| claim)
}

/// The properties without the claims, which the user has left out.
pub fn select_without_claims(system: &System) -> Result<Selection, UnknownProperty> {
    let mut bare = system.clone();
    bare.claims.clear();
    select(&bare, None)
}

/// Whether a claim has this name, which is meant before a property of every system.
fn has_claim(system: &System, name: &str) -> bool {
    system.claims.iter().any(|claim| claim.name == name)
}

/// Whether `--property` means this claim.
fn is_called(claim: &Claim, name: &str) -> bool {
    claim.name == name || (name == "never" && matches!(claim.kind, ClaimKind::Never(_)))
}
