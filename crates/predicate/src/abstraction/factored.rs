//! An abstract graph as a program over finite variables: locations, finite cells, and one Boolean for each predicate.
//!
//! A state is a vector. Transitions of one command that change the same variables in the same way become steps whose
//! guards mention only the variables that matter: a variable is left out if no reached state shows a difference. So
//! the reached states of the program are those of the graph, and its steps are as local as the graph permits.

use super::{AbstractGraph, AbstractId, Abstraction};
use crate::liveness::is_refuted;
use resy_index::Id;
use resy_symbolic::{CommandKind, OutOfReach};
use resy_system::Property;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A variable of a factored abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactoredVariable {
    /// What it stands for.
    pub kind: FactoredKind,
    /// What people call it.
    pub name: String,
    /// What people call its values.
    pub values: Vec<String>,
}

/// What a variable of a factored abstraction stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FactoredKind {
    /// The location of a process.
    Location,
    /// A finite cell of the program.
    Cell,
    /// The set of a monitor.
    Monitor,
    /// Whatever else distinguishes control states.
    Rest,
    /// A predicate.
    Predicate,
}

/// Values of some variables, by their numbers.
pub type Assignments = Vec<(usize, usize)>;

/// A step: if the guard holds, the changes are made, or the property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactoredStep {
    /// The process that moves; `None` if time passes.
    pub actor: Option<(String, usize)>,
    /// The statements, as text.
    pub text: String,
    /// The guard: these variables have these values.
    pub guard: Assignments,
    /// The new values.
    pub changes: Assignments,
    /// Whether the step may violate the property.
    pub is_violation: bool,
}

/// A factored abstraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FactoredAbstraction {
    /// The variables.
    pub variables: Vec<FactoredVariable>,
    /// The states that the graph has, as values of the variables.
    pub states: Vec<Vec<usize>>,
    /// The numbers of the initial ones.
    pub initial: Vec<usize>,
    /// The transitions: source, step as text with its actor, target.
    pub transitions: Vec<(usize, String, usize)>,
    /// The steps.
    pub steps: Vec<FactoredStep>,
}

/// More states are not written.
const MOST_STATES: usize = 20_000;

/// Transitions that do the same: actor, text, changes, whether they violate.
type StepGroup = (Option<(String, usize)>, String, Assignments, bool);

impl Abstraction<'_, '_> {
    /// The whole abstraction over the present basis as a program; `None` if it is too large or `go_on` ends it.
    pub fn factored(
        &mut self,
        property: &Property,
        most_states: usize,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Option<FactoredAbstraction>, OutOfReach> {
        if self.reachable(most_states.min(MOST_STATES), go_on)?.is_none() {
            return Ok(None);
        }
        let mut found = self.vectors();
        let mut groups: BTreeMap<StepGroup, BTreeSet<usize>> = BTreeMap::new();
        for id in self.graph.states.ids() {
            for (group, target) in self.moves(property, id, &found)? {
                if let Some(target) = target {
                    let name = label(&group.0, &group.1);
                    found.transitions.push((id.index(), name, target));
                }
                groups.entry(group).or_default().insert(id.index());
            }
        }
        found.initial = self.graph.initial.iter().map(|id| id.index()).collect();
        for (number, (group, sources)) in groups.into_iter().enumerate() {
            if !go_on(number) {
                return Ok(None);
            }
            let (actor, text, changes, is_violation) = group;
            for guard in guards(&found, &sources) {
                let (actor, text, changes) = (actor.clone(), text.clone(), changes.clone());
                found.steps.push(FactoredStep { actor, text, guard, changes, is_violation });
            }
        }
        Ok(Some(found))
    }

    /// What may happen in a state: steps that change it, and steps that may violate the property.
    fn moves(
        &mut self,
        property: &Property,
        id: AbstractId,
        found: &FactoredAbstraction,
    ) -> Result<Vec<(StepGroup, Option<usize>)>, OutOfReach> {
        let control = self.graph.states[id].control;
        let commands = self.program.commands(control)?;
        let system = self.program.interpreter().system();
        let actor = |kind: CommandKind| match kind {
            CommandKind::Step { pid, proctype, .. } => {
                Some((system.proctypes[proctype].name.clone(), pid))
            }
            _ => None,
        };
        let violates = |number: usize| {
            let outcomes = commands[number].outcomes.iter();
            outcomes.into_iter().any(|outcome| property.is_violated_by(outcome))
        };
        let mut moves = Vec::new();
        for edge in &self.graph.edges[id] {
            let command = &commands[edge.command];
            if command.kind == CommandKind::Idle || violates(edge.command) {
                continue;
            }
            let (before, after) = (&found.states[id.index()], &found.states[edge.target.index()]);
            let changed = (0..after.len()).filter(|&i| before[i] != after[i]);
            let changes = changed.map(|i| (i, after[i])).collect();
            let group = (actor(command.kind), command.text.clone(), changes, false);
            moves.push((group, Some(edge.target.index())));
        }
        let values = self.graph.states[id].values.clone();
        for (_, command) in commands.iter().enumerate().filter(|(n, _)| violates(*n)) {
            let mut query = super::literals_of(self.program, &mut self.basis, control, &values);
            query.extend(self.program.assumptions(control)?.iter());
            query.extend(&command.guard);
            let mut terms = self.program.terms().borrow_mut();
            if !is_refuted(&mut terms, self.solver, &query) {
                moves.push(((actor(command.kind), command.text.clone(), Vec::new(), true), None));
            }
        }
        Ok(moves)
    }

    /// The variables, and the states as vectors.
    fn vectors(&self) -> FactoredAbstraction {
        let controls = self.program.controls();
        let graph: &AbstractGraph = &self.graph;
        let state_of = |id: AbstractId| &controls[graph.states[id].control];
        let shape = |id: AbstractId| {
            let state = &state_of(id).state;
            let proctypes: Vec<_> = state.processes().iter().map(|p| p.proctype).collect();
            (proctypes, state.channels().to_vec(), state.last(), state.event())
        };
        let shapes: BTreeSet<String> =
            graph.states.ids().map(|id| format!("{:?}", shape(id))).collect();
        let is_uniform = shapes.len() == 1;
        let mut columns: Vec<(FactoredKind, String, Vec<String>)> = Vec::new();
        let ids: Vec<AbstractId> = graph.states.ids().collect();
        let mut column = |kind, name: String, value: &dyn Fn(AbstractId) -> String| {
            columns.push((kind, name, ids.iter().map(|&id| value(id)).collect()));
        };
        let system = self.program.interpreter().system();
        if let (true, Some(&first)) = (is_uniform, ids.first()) {
            for (pid, process) in state_of(first).state.processes().iter().enumerate() {
                let name = format!("{}[{pid}]", system.proctypes[process.proctype].name);
                column(FactoredKind::Location, name, &|id| {
                    state_of(id).state.processes()[pid].location.index().to_string()
                });
            }
            for position in 0..state_of(first).state.cells().len() {
                let name = self.program.cell_name(graph.states[first].control, position);
                column(FactoredKind::Cell, name, &|id| {
                    let shape = self.program.shape_of(graph.states[id].control);
                    match shape.state.cells()[position] {
                        i32::MIN => "data".to_owned(),
                        word => word.to_string(),
                    }
                });
            }
        } else {
            column(FactoredKind::Rest, "control".to_owned(), &|id| {
                graph.states[id].control.index().to_string()
            });
        }
        let n_sets = ids.first().map_or(0, |&id| state_of(id).sets.len());
        for number in 0..n_sets {
            column(FactoredKind::Monitor, format!("monitor {number}"), &|id| {
                state_of(id).sets[number].to_string()
            });
        }
        let terms = self.program.terms().borrow();
        for (number, predicate) in self.basis.as_slice().iter().enumerate() {
            column(FactoredKind::Predicate, terms.text(predicate.formula), &|id| {
                u8::from(graph.states[id].values[number]).to_string()
            });
        }
        numbered(columns, ids.len())
    }
}

/// Columns whose values differ become variables.
fn numbered(
    columns: Vec<(FactoredKind, String, Vec<String>)>,
    n_states: usize,
) -> FactoredAbstraction {
    let mut found = FactoredAbstraction {
        states: vec![Vec::new(); n_states],
        ..FactoredAbstraction::default()
    };
    for (kind, name, column) in columns {
        let mut values: Vec<String> = Vec::new();
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        for value in &column {
            numbers.entry(value).or_insert_with(|| {
                values.push(value.clone());
                values.len() - 1
            });
        }
        let is_predicate = kind == FactoredKind::Predicate;
        if values.len() < 2 && !is_predicate {
            continue;
        }
        if is_predicate {
            values = vec!["0".to_owned(), "1".to_owned()];
            numbers = FxHashMap::from_iter([("0", 0), ("1", 1)]);
        }
        for (state, value) in found.states.iter_mut().zip(&column) {
            state.push(numbers[value.as_str()]);
        }
        found.variables.push(FactoredVariable { kind, name, values });
    }
    found
}

/// Who does what.
fn label(actor: &Option<(String, usize)>, text: &str) -> String {
    match actor {
        Some((name, pid)) => format!("{name}[{pid}]: {text}"),
        None => text.to_owned(),
    }
}

impl FactoredStep {
    /// Who does what.
    pub fn label(&self) -> String {
        label(&self.actor, &self.text)
    }
}

/// The guards that hold in these of all states and in no others, over few variables.
fn guards(found: &FactoredAbstraction, sources: &BTreeSet<usize>) -> Vec<Assignments> {
    let mut kept: Vec<usize> = (0..found.variables.len()).collect();
    let project = |state: usize, kept: &[usize]| -> Vec<usize> {
        kept.iter().map(|&variable| found.states[state][variable]).collect()
    };
    for variable in (0..found.variables.len()).rev() {
        let fewer: Vec<usize> = kept.iter().copied().filter(|&v| v != variable).collect();
        let inside: BTreeSet<Vec<usize>> = sources.iter().map(|&s| project(s, &fewer)).collect();
        let is_exact = (0..found.states.len())
            .all(|state| sources.contains(&state) || !inside.contains(&project(state, &fewer)));
        if is_exact {
            kept = fewer;
        }
    }
    let cubes: BTreeSet<Vec<usize>> = sources.iter().map(|&s| project(s, &kept)).collect();
    cubes.into_iter().map(|cube| kept.iter().copied().zip(cube).collect()).collect()
}
