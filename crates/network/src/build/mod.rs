//! From a closure to the automata of a network.
//!
//! A class of steps becomes an action that all its participants share. A step of a single component
//! that no property watches becomes internal. A class that some participant can never take is
//! dropped, together with the states that only it reaches.

mod guard;
pub mod monitor;

use crate::build::guard::guarded;
use crate::build::monitor::{WatchedProperty, watcher};
use crate::closure::{ClassId, Closure, StepClass};
use crate::cut::uses::reachable;
use crate::cut::{Cut, PartId, Role};
use crate::label::meaning::Meaning;
use crate::label::name::action_name;
use crate::label::signature::{StepStage, signature};
use crate::label::state::state_names;
use crate::step::script::asks_timeout;
use resy_automata::lts::{ActionId, Label, LtsBuilder, StateId};
use resy_automata::network::{Action, Component, ComponentId, Network};
use resy_index::{Id, IndexVec};
use resy_system::{SourcePlace, ViolationKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The automata of a system, and what their states and actions stand for.
pub struct Components {
    /// The network; its monitor watches the requested properties.
    pub network: Network,
    /// For each component, its part of the cut.
    pub parts: IndexVec<ComponentId, PartId>,
    /// For each component, its local states by state number.
    pub locals: IndexVec<ComponentId, IndexVec<StateId, Box<[i32]>>>,
    /// For each action, its class of steps.
    pub classes: IndexVec<ActionId, ClassId>,
    /// For each action, what it stands for.
    pub meanings: IndexVec<ActionId, Meaning>,
    /// For each action, the signature that identifies it, also in a changed program.
    pub signatures: IndexVec<ActionId, String>,
    /// For each state of the monitor except the first (the error state), the local states of the
    /// watching components.
    pub watched: Vec<Vec<i32>>,
    /// For each action, the process that drives it.
    pub drivers: IndexVec<ActionId, Option<usize>>,
    /// Reasons why the network is not exact.
    pub doubts: Vec<Doubt>,
}

/// A reason why the product of a network differs from the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// `timeout` depends on the whole system. The network lets it be true or false at any time
    /// ([`Manner::loose`](crate::Manner::loose)), so that it may have more runs than the program.
    Timeout(SourcePlace),
    /// Processes are created late, and the program has too many states to see whether there are more of them than the
    /// network has places for. That one more is created is an error of the network.
    Late(SourcePlace),
    /// For a claim, a run that ends counts as one that stutters for ever, which may violate the
    /// claim. The network does not see where runs end.
    ClaimAtEnd(String),
}

impl Doubt {
    /// The source place of the reason.
    pub fn source(&self) -> Option<SourcePlace> {
        match self {
            Self::Timeout(source) | Self::Late(source) => Some(*source),
            Self::ClaimAtEnd(_) => None,
        }
    }
}

impl std::fmt::Display for Doubt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Timeout(_) => {
                write!(f, "`timeout` is taken to hold at any time: a violation may be spurious")
            }
            Self::Late(_) => {
                write!(
                    f,
                    "more processes may be created than were seen: a violation may be spurious"
                )
            }
            Self::ClaimAtEnd(claim) => {
                write!(f, "claim `{claim}` may be violated at the end of a run, which is not seen")
            }
        }
    }
}

/// The local states of a component, by the states of its automaton.
type LocalStates = IndexVec<StateId, Box<[i32]>>;

/// The moves of one component in a class, as pairs of state numbers of its table.
pub(crate) type LocalMoves = Vec<(u32, u32)>;

/// Builds the automata of a closure and a monitor for these properties, unless `go_on` ends it.
pub fn build(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    properties: &[WatchedProperty],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Components> {
    let Labelled { classes, actions, signatures, beyond, mut moves } =
        labelled(cut, closure, properties, go_on)?;
    let mut parts = IndexVec::new();
    let mut locals = IndexVec::new();
    let mut components = IndexVec::new();
    for (part, described) in cut.parts.iter_enumerated() {
        if matches!(described.role, Role::Trace | Role::Claim(_)) {
            continue;
        }
        let moves = moves.remove(&part).unwrap_or_default();
        // A rendezvous channel holds nothing, and some variables are never accessed.
        if moves.is_empty() && described.process.is_none() {
            continue;
        }
        let (component, values) = component(cut, closure, part, &moves, go_on)?;
        parts.push(part);
        components.push(component);
        locals.push(values);
    }
    let watcher = (!properties.is_empty())
        .then(|| watcher(cut, closure, properties, &classes, &beyond, &moves));
    let (monitor, watched) = watcher.unzip();
    let network = Network::new(actions, components, monitor, Vec::new());
    let doubts = doubts(cut, closure, properties);
    let watched = watched.unwrap_or_default();
    let meanings = classes.iter_enumerated().map(|(action, &class)| {
        let meaning = Meaning::of(closure, class);
        Meaning { fails: meaning.fails || beyond.contains(&action), ..meaning }
    });
    let meanings = meanings.collect();
    let drivers =
        classes.iter().map(|&class| cut.parts[closure.classes[class].part].process).collect();
    Some(Components {
        network,
        parts,
        locals,
        classes,
        meanings,
        signatures,
        watched,
        drivers,
        doubts,
    })
}

/// The steps of a closure with their labels.
#[derive(Default)]
struct Labelled {
    classes: IndexVec<ActionId, ClassId>,
    actions: IndexVec<ActionId, Action>,
    signatures: IndexVec<ActionId, String>,
    /// The actions that lead beyond what was explored.
    beyond: Vec<ActionId>,
    moves: BTreeMap<PartId, Vec<(Label, LocalMoves)>>,
}

/// Each class is an action; what a component does alone is internal, unless it is watched.
fn labelled(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    properties: &[WatchedProperty],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Labelled> {
    let mut found = Labelled::default();
    let mut names = FxHashMap::default();
    for (id, class) in closure.classes.iter_enumerated() {
        let is_error = properties.iter().any(|p| p.is_violated_by(closure, class));
        if class.offer.is_some() || class.fails && !is_error {
            continue;
        }
        if !go_on() {
            return None;
        }
        for guarded in guarded(cut, closure, class, taking_part(closure, class)) {
            if guarded.beyond.is_some() && properties.is_empty() {
                continue;
            }
            let alone = guarded.moves.len() == 1 && !is_error && guarded.beyond.is_none();
            let label = if alone {
                Label::Tau
            } else {
                found.classes.push(id);
                let stages = stages(closure, class);
                let called = |name: String| match guarded.beyond {
                    Some(part) => cut.beyond(&name, part),
                    None => name,
                };
                found.signatures.push(called(signature(cut, &stages)));
                let name = unique(called(action_name(cut, &stages)), &mut names);
                let action = found.actions.push(Action { name });
                found.beyond.extend(guarded.beyond.map(|_| action));
                Label::Visible(action)
            };
            for (part, part_moves) in guarded.moves {
                found.moves.entry(part).or_default().push((label, part_moves));
            }
        }
    }
    Some(found)
}

fn doubts(cut: &Cut<'_>, closure: &Closure<'_>, properties: &[WatchedProperty]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let begins = (0..cut.processes.len()).flat_map(|pid| cut.begins(pid));
    for (id, begin) in begins.filter(|_| cut.manner.loose) {
        let proctype = &cut.system().proctypes[id];
        for location in reachable(proctype, begin) {
            let edge = proctype.edges[location].iter().find(|edge| asks_timeout(edge));
            doubts.extend(edge.map(|edge| Doubt::Timeout(edge.source)));
        }
    }
    doubts.dedup();
    let is_beyond = |class: &&StepClass| class.faults.contains(&ViolationKind::Beyond);
    if !cut.manner.within
        && let Some(class) = closure.classes.iter().find(is_beyond)
    {
        doubts.push(Doubt::Late(class.sources.first().copied().unwrap_or_default()));
    }
    let claims = properties.iter().filter(|p| p.may_fail_at_end(cut, closure));
    doubts.extend(claims.map(|p| Doubt::ClaimAtEnd(p.name(cut).to_owned())));
    doubts
}

/// Makes a name unique.
fn unique(name: String, names: &mut FxHashMap<String, u32>) -> String {
    let count = names.entry(name.clone()).or_insert(0);
    *count += 1;
    match *count {
        1 => name,
        n => unique(format!("{name} #{n}"), names),
    }
}

/// The stages of a class: its senders in order, then its driver.
fn stages<'c>(closure: &'c Closure<'_>, class: &'c StepClass) -> Vec<StepStage<'c>> {
    let mut stages: Vec<StepStage<'c>> =
        closure.senders(class.sender).map(StepClass::stage).collect();
    stages.reverse();
    stages.push(class.stage());
    stages
}

/// The participants of a class, each with its moves.
pub(crate) fn taking_part(closure: &Closure<'_>, class: &StepClass) -> Vec<(PartId, LocalMoves)> {
    let mut found = vec![(class.part, class.moves.clone())];
    for &(part, node) in &class.ends {
        found.push((part, closure.tables[part].pairs(node).to_vec()));
    }
    found
}

fn component(
    cut: &Cut<'_>,
    closure: &Closure<'_>,
    part: PartId,
    moves: &[(Label, LocalMoves)],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Component, LocalStates)> {
    let table = &closure.tables[part];
    let numbers: FxHashMap<u32, StateId> = table
        .states
        .iter()
        .enumerate()
        .map(|(i, &value)| (value, StateId::from_index(i)))
        .collect();
    let mut builder = LtsBuilder::with_states(table.states.len());
    for (label, moves) in moves {
        if !go_on() {
            return None;
        }
        for (start, end) in moves {
            // A failing step may pass through local states that are not reached between steps.
            if let (Some(&start), Some(&end)) = (numbers.get(start), numbers.get(end)) {
                builder.add_transition(start, *label, end);
            }
        }
    }
    let alphabet = moves.iter().filter_map(|(label, _)| label.action()).collect();
    let (lts, kept) = builder.finish(StateId::from_index(0), alphabet).reachable();
    let values: LocalStates =
        kept.iter().map(|state| table.value(table.states[state.index()]).into()).collect();
    let named = state_names(cut, part, values.iter().map(|value| &**value));
    let state_names = named.map(|name| go_on().then_some(name)).collect::<Option<_>>()?;
    Some((Component { name: cut.parts[part].name.clone(), lts, state_names }, values))
}
