//! A concrete lasso: a fair run over small values that violates a property of infinite runs.
//!
//! The states that the plain search has visited, times the automaton of the violating runs, form a finite graph with
//! numbers in it. A component of it that keeps all requirements has a cycle that does; the lasso goes through what each of
//! them needs, and is carried out again from its start. Where a command has values about which nothing is known,
//! its action counts as enabled: so no run is taken to be fair that may not be.

use super::LivenessQuestion;
use super::streett::{CycleRequirements, FairEdge, fair_component};
use crate::abstraction::{SmallSearch, UnboundedRun};
use resy_symbolic::{
    CommandKind, ControlId, FairAction, GuardedCommand, OutOfReach, SymbolicProgram, TermId,
};
use resy_system::ClaimEdge;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// The state of the automaton from which whatever follows is a violation.
const VIOLATED: u32 = u32::MAX;

/// A lasso among the states that a search has visited.
pub(super) fn lasso(
    program: &mut SymbolicProgram<'_>,
    small: &SmallSearch,
    question: &LivenessQuestion<'_>,
    (just, compassionate): (&[FairAction], &[FairAction]),
) -> Result<Option<UnboundedRun>, OutOfReach> {
    let graph = SmallProduct::new(program, small, question)?;
    let mut requirements = ConcreteRequirements {
        graph: &graph,
        small,
        just,
        compassionate,
        commands: commands_of(program, small)?,
        program,
    };
    let (n, marks) = (graph.states.len(), question.claim.marks());
    let Some(component) = fair_component(n, &graph.edges, marks, &mut requirements) else {
        return Ok(None);
    };
    let stops = requirements.stops(&component, marks);
    let (first, cycle) = graph.walk(&component, &stops);
    let stem = graph.stem(first);
    let moves = |edges: &[usize]| -> Vec<(usize, usize)> {
        edges.iter().map(|&e| (graph.states[graph.edges[e].source].0, graph.taken[e])).collect()
    };
    let (stem, cycle) = (moves(&stem), moves(&cycle));
    let start = stem.first().map_or(graph.states[first].0, |&(state, _)| state);
    small.lasso(program, start, &stem, &cycle)
}

/// The commands of the control states that were visited.
fn commands_of(
    program: &mut SymbolicProgram<'_>,
    small: &SmallSearch,
) -> Result<FxHashMap<ControlId, Rc<[GuardedCommand]>>, OutOfReach> {
    let mut all = FxHashMap::default();
    for state in 0..small.n_states() {
        let control = small.control_of(state);
        if let Entry::Vacant(place) = all.entry(control) {
            place.insert(program.commands(control)?);
        }
    }
    Ok(all)
}

/// Visited states, times the automaton.
struct SmallProduct {
    states: Vec<(usize, u32)>,
    edges: Vec<FairEdge>,
    /// The command of each edge.
    taken: Vec<usize>,
    reached: Vec<Option<usize>>,
}

impl SmallProduct {
    fn new(
        program: &mut SymbolicProgram<'_>,
        small: &SmallSearch,
        question: &LivenessQuestion<'_>,
    ) -> Result<Self, OutOfReach> {
        let claim = question.claim;
        let (states, edges, taken, reached) = Default::default();
        let mut graph = Self { states, edges, taken, reached };
        let mut known: FxHashMap<(usize, u32), usize> = FxHashMap::default();
        let mut reach = |graph: &mut Self, state: (usize, u32), by: Option<usize>| {
            *known.entry(state).or_insert_with(|| {
                graph.states.push(state);
                graph.reached.push(by);
                graph.states.len() - 1
            })
        };
        let before = claim.initial().unwrap_or_else(|| vec![VIOLATED]);
        for state in small.initial() {
            before.iter().for_each(|&q| _ = reach(&mut graph, (state, q), None));
        }
        let mut formulas: FxHashMap<(ControlId, usize), TermId> = FxHashMap::default();
        let (mut next, mut steps) = (0, Vec::new());
        while next < graph.states.len() {
            let (state, q) = graph.states[next];
            let control = small.control_of(state);
            let system = program.interpreter().system();
            let place = &program.controls()[control].state;
            let is_barrier = claim.is_barrier(system, place);
            let accepting = u64::from(claim.is_accepting(system, place));
            let mut valuation = 0;
            if q != VIOLATED {
                let looks_at = claim.looks_at(q);
                for (bit, proposition) in claim.propositions.iter().enumerate() {
                    if looks_at >> bit & 1 == 0 {
                        continue;
                    }
                    let formula = match formulas.get(&(control, bit)) {
                        Some(&formula) => formula,
                        None => program.formula(control, proposition)?,
                    };
                    formulas.insert((control, bit), formula);
                    let holds = program.terms().borrow().holds(formula, small.values_of(state));
                    valuation |= u64::from(holds == Some(true)) << bit;
                }
            }
            steps.clear();
            match q {
                VIOLATED => steps.push(ClaimEdge { target: VIOLATED, marks: claim.marks() }),
                _ => {
                    if claim.step(q, valuation, &mut steps) {
                        steps.push(ClaimEdge { target: VIOLATED, marks: 0 });
                    }
                }
            }
            for step in steps.iter().filter(|_| !is_barrier) {
                for &(command, target) in small.edges_of(state) {
                    let by = Some(graph.edges.len());
                    let target = reach(&mut graph, (target, step.target), by);
                    let marks = step.marks | accepting;
                    graph.edges.push(FairEdge { source: next, target, marks });
                    graph.taken.push(command);
                }
            }
            next += 1;
        }
        Ok(graph)
    }

    /// The edges on the way to a state.
    fn stem(&self, mut state: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while let Some(edge) = self.reached[state] {
            path.push(edge);
            state = self.edges[edge].source;
        }
        path.reverse();
        path
    }

    /// A closed walk through a component that takes these edges and comes by these states; where it begins, and its edges.
    fn walk(&self, component: &[usize], stops: &[Stop]) -> (usize, Vec<usize>) {
        let mut out: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        component.iter().for_each(|&e| out.entry(self.edges[e].source).or_default().push(e));
        let first = self.edges[component[0]].source;
        let (mut here, mut walk) = (first, Vec::new());
        for stop in stops {
            let goal = match *stop {
                Stop::Edge(edge) => self.edges[edge].source,
                Stop::State(state) => state,
            };
            walk.extend(self.path(&out, here, goal));
            here = goal;
            if let Stop::Edge(edge) = *stop {
                walk.push(edge);
                here = self.edges[edge].target;
            }
        }
        if walk.is_empty() {
            walk.push(component[0]);
            here = self.edges[component[0]].target;
        }
        walk.extend(self.path(&out, here, first));
        (first, walk)
    }

    /// A shortest path inside a component.
    fn path(&self, out: &FxHashMap<usize, Vec<usize>>, from: usize, to: usize) -> Vec<usize> {
        let mut by: FxHashMap<usize, usize> = FxHashMap::default();
        let mut waiting = VecDeque::from([from]);
        while let Some(state) = waiting.pop_front() {
            if state == to {
                break;
            }
            for &edge in out.get(&state).into_iter().flatten() {
                let target = self.edges[edge].target;
                if target != from && !by.contains_key(&target) {
                    by.insert(target, edge);
                    waiting.push_back(target);
                }
            }
        }
        let (mut path, mut here) = (Vec::new(), to);
        while here != from {
            let Some(&edge) = by.get(&here) else { break };
            path.push(edge);
            here = self.edges[edge].source;
        }
        path.reverse();
        path
    }
}

/// What a cycle must come by.
enum Stop {
    Edge(usize),
    State(usize),
}

/// The requirements on concrete cycles.
struct ConcreteRequirements<'r, 'a> {
    graph: &'r SmallProduct,
    small: &'r SmallSearch,
    just: &'r [FairAction],
    compassionate: &'r [FairAction],
    commands: FxHashMap<ControlId, Rc<[GuardedCommand]>>,
    program: &'r mut SymbolicProgram<'a>,
}

impl ConcreteRequirements<'_, '_> {
    /// What a cycle through a component must come by to have all marks and to be fair.
    fn stops(&mut self, component: &[usize], marks: u64) -> Vec<Stop> {
        let mut stops = Vec::new();
        for mark in (0..64).filter(|mark| marks >> mark & 1 == 1) {
            let has = |e: &&usize| self.graph.edges[**e].marks >> mark & 1 == 1;
            stops.extend(component.iter().find(has).map(|&e| Stop::Edge(e)));
        }
        for action in 0..self.just.len() {
            if let Some(&edge) = component.iter().find(|&&e| self.is_taken(false, action, e)) {
                stops.push(Stop::Edge(edge));
                continue;
            }
            let mut sources = component.iter().map(|&e| self.graph.edges[e].source);
            let closed = sources.find(|&s| !self.is_enabled(false, action, s));
            stops.extend(closed.map(Stop::State));
        }
        for action in 0..self.compassionate.len() {
            let edge = component.iter().find(|&&e| self.is_taken(true, action, e));
            stops.extend(edge.map(|&e| Stop::Edge(e)));
        }
        stops
    }

    fn action(&self, compassionate: bool, number: usize) -> FairAction {
        if compassionate { self.compassionate[number] } else { self.just[number] }
    }
}

impl CycleRequirements for ConcreteRequirements<'_, '_> {
    fn n_just(&self) -> usize {
        self.just.len()
    }

    fn n_compassionate(&self) -> usize {
        self.compassionate.len()
    }

    fn n_ranks(&self) -> usize {
        0
    }

    fn is_enabled(&mut self, compassionate: bool, action: usize, state: usize) -> bool {
        let action = self.action(compassionate, action);
        let state = self.graph.states[state].0;
        let commands = &self.commands[&self.small.control_of(state)];
        let terms = self.program.terms().borrow();
        let values = self.small.values_of(state);
        let is_open = |command: &GuardedCommand| {
            let is_known = command.is_exact && command.inputs.is_empty();
            !is_known || command.guard.iter().all(|&guard| terms.holds(guard, values) == Some(true))
        };
        commands.iter().any(|command| action.is_begun_by(command) && is_open(command))
    }

    fn is_taken(&mut self, compassionate: bool, action: usize, edge: usize) -> bool {
        let action = self.action(compassionate, action);
        let state = self.graph.states[self.graph.edges[edge].source].0;
        action.is_taken_by(&self.commands[&self.small.control_of(state)][self.graph.taken[edge]])
    }

    fn falls(&mut self, _: usize, _: usize) -> bool {
        false
    }

    fn rises(&mut self, _: usize, _: usize) -> bool {
        true
    }
}

/// Whether a step where no process can move is certain: nothing in the control state is unknown.
pub(crate) fn is_certain_idle(commands: &[GuardedCommand]) -> bool {
    let others = commands.iter().filter(|c| c.kind != CommandKind::Idle);
    others.into_iter().all(|command| command.is_exact && command.inputs.is_empty())
}
