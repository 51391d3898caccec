//! The monitor: properties as one automaton over the labels.

use crate::build::LocalMoves;
use crate::closure::{ClassId, Closure, StepClass};
use crate::cut::{Cut, PartId, Role};
use crate::label::state::state_names;
use crate::step::reply::join;
use resy_automata::lts::{ActionId, Label, LtsBuilder, StateId};
use resy_automata::network::Monitor;
use resy_index::IndexVec;
use resy_system::ViolationKind;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};

/// A property that a network can be checked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum WatchedProperty {
    /// No assertion fails.
    Assertions,
    /// No other runtime error happens.
    Runtime,
    /// The event trace is not violated.
    Trace,
    /// The claim with this number, among the claims of the cut.
    Claim(usize),
}

impl WatchedProperty {
    /// Whether a step of the class violates the property by itself.
    pub fn is_violated_by(self, closure: &Closure<'_>, class: &StepClass) -> bool {
        let faults = |class: &StepClass| class.faults.iter().any(|kind| self.is_violated_if(kind));
        faults(class) || closure.senders(class.sender).any(faults)
    }

    /// Whether this kind of violation violates the property.
    pub fn is_violated_if(self, kind: &ViolationKind) -> bool {
        if *kind == ViolationKind::Beyond {
            return true;
        }
        match self {
            Self::Assertions => matches!(kind, ViolationKind::Assertion(_)),
            Self::Runtime => !matches!(kind, ViolationKind::Assertion(_)),
            Self::Trace | Self::Claim(_) => false,
        }
    }

    /// The name of the property.
    pub fn name<'c>(self, cut: &'c Cut<'_>) -> &'c str {
        match self {
            Self::Assertions => "assertions",
            Self::Runtime => "runtime",
            Self::Trace => "trace",
            Self::Claim(claim) => &cut.claims[claim].monitor.name,
        }
    }

    /// Whether the property may be violated where a run ends, as if its last state were repeated
    /// for ever.
    pub fn may_fail_at_end(self, cut: &Cut<'_>, closure: &Closure<'_>) -> bool {
        let Self::Claim(claim) = self else {
            return false;
        };
        let table = &closure.tables[cut.claims[claim].part];
        table.states.iter().any(|&state| self.fails_if_it_ends(cut, table.value(state)))
    }

    /// Whether the property is violated if the run ends while its watching component is in this
    /// local state.
    pub fn fails_if_it_ends(self, cut: &Cut<'_>, local: &[i32]) -> bool {
        let Self::Claim(claim) = self else {
            return false;
        };
        let monitor = &cut.claims[claim].monitor;
        let (valuation, set) = (join(local[0], local[1]), join(local[2], local[3]));
        monitor.counts_steps()
            && !monitor.is_bad(set)
            && monitor.is_bad(monitor.stutter(set, valuation))
    }

    /// The component that watches the property.
    pub fn part(self, cut: &Cut<'_>) -> Option<PartId> {
        match self {
            Self::Assertions | Self::Runtime => None,
            Self::Trace => cut.trace,
            Self::Claim(claim) => Some(cut.claims[claim].part),
        }
    }
}

/// For each action, the moves of a component.
type ByAction = FxHashMap<ActionId, FxHashMap<u32, u32>>;

/// One monitor for several properties. It keeps the local states of all watching components and
/// enters the error state when one property is violated. State 0 is the error state; for each other
/// state, the local states of the watching components are returned.
pub(crate) fn watcher(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    properties: &[WatchedProperty],
    classes: &IndexVec<ActionId, ClassId>,
    beyond: &[ActionId],
    moves: &BTreeMap<PartId, Vec<(Label, LocalMoves)>>,
) -> (Monitor, Vec<Vec<i32>>) {
    let parts: Vec<PartId> = properties.iter().filter_map(|p| p.part(cut)).collect();
    let steps: Vec<ByAction> = parts.iter().map(|part| by_action(moves.get(part))).collect();
    let errors: Vec<ActionId> = classes
        .iter_enumerated()
        .filter(|(action, class)| {
            let class = &closure.classes[**class];
            let is_beyond = beyond.binary_search(action).is_ok();
            is_beyond || properties.iter().any(|p| p.is_violated_by(closure, class))
        })
        .map(|(action, _)| action)
        .collect();
    let mut alphabet: Vec<ActionId> = steps.iter().flat_map(|s| s.keys().copied()).collect();
    alphabet.extend(&errors);
    alphabet.sort();
    alphabet.dedup();

    let mut builder = LtsBuilder::new();
    let error = builder.add_state();
    let mut names = IndexVec::from_vec(vec!["error".to_owned()]);
    let mut known: FxHashMap<Vec<u32>, StateId> = FxHashMap::default();
    let mut todo = VecDeque::new();
    let mut enter = |state: Vec<u32>, builder: &mut LtsBuilder, todo: &mut VecDeque<Vec<u32>>| {
        if parts
            .iter()
            .zip(&state)
            .any(|(&part, &value)| cut.is_violated(part, closure.tables[part].value(value)))
        {
            return error;
        }
        *known.entry(state).or_insert_with_key(|state| {
            todo.push_back(state.clone());
            let name = parts.iter().zip(state).flat_map(|(&part, &value)| {
                state_names(cut, part, [closure.tables[part].value(value)])
            });
            let name = name.collect::<Vec<_>>().join(", ");
            names.push(if name.is_empty() { "ok".to_owned() } else { name });
            builder.add_state()
        })
    };
    let first = parts.iter().map(|&part| closure.tables[part].states[0]).collect();
    let initial = enter(first, &mut builder, &mut todo);
    while let Some(state) = todo.pop_front() {
        let source = enter(state.clone(), &mut builder, &mut todo);
        for &action in &alphabet {
            let next = state.iter().zip(&steps).map(|(value, steps)| match steps.get(&action) {
                Some(moves) => moves.get(value).copied().unwrap_or(*value),
                None => *value,
            });
            let next: Vec<u32> = next.collect();
            let target = if errors.binary_search(&action).is_ok() {
                error
            } else {
                enter(next, &mut builder, &mut todo)
            };
            builder.add_transition(source, Label::Visible(action), target);
        }
    }
    let lts = builder.finish(initial, alphabet.into_iter().collect());
    let seen = |state: &Vec<u32>| {
        let values = parts.iter().zip(state);
        values.flat_map(|(&part, &value)| closure.tables[part].value(value).to_vec()).collect()
    };
    let mut watched: Vec<(StateId, Vec<i32>)> =
        known.iter().map(|(state, &id)| (id, seen(state))).collect();
    watched.sort();
    let watched = watched.into_iter().map(|(_, seen)| seen).collect();
    (Monitor { lts, error, state_names: names }, watched)
}

fn by_action(moves: Option<&Vec<(Label, LocalMoves)>>) -> ByAction {
    let mut found = ByAction::default();
    for (label, moves) in moves.into_iter().flatten() {
        if let Some(action) = label.action() {
            found.entry(action).or_default().extend(moves.iter().copied());
        }
    }
    found
}

impl Cut<'_> {
    /// Whether the local state of a watching component shows a violation.
    pub fn is_violated(&self, part: PartId, local: &[i32]) -> bool {
        match self.parts[part].role {
            Role::Trace => local[1] != 0,
            Role::Claim(claim) => self.claims[claim].monitor.is_bad(join(local[2], local[3])),
            _ => false,
        }
    }
}
