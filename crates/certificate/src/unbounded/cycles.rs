//! The decomposition of cycles: loops over what is written, without a search for components.
//!
//! Soundness: an infinite run that violates the property is a path of the product that has every mark again and again.
//! Edges lead to the same component or an earlier one, so the path stays in one component at last. There it has no edge,
//! or lacks a mark, or starves a just action, or leaves the states in which a compassionate action is enabled, or the
//! edges on which a ranking falls: then the same is said of what is left.

use super::evidence::{AbstractStep, CycleComponent, CycleEvidence, CycleReason, DataEvidence};
use super::obligations::{DataQuestion, DerivedProgram};
use super::product::{ClaimState, CycleGraph};
use super::steps::states_of;
use crate::derive::NotDerived;
use crate::obligation::{Obligation, Rejection};
use resy_symbolic::FairAction;
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks all that needs no formulas in a proof about infinite runs. `go_on` may cancel.
pub fn check_cycles(
    derived: &mut DerivedProgram<'_, '_>,
    evidence: &DataEvidence,
    question: &DataQuestion<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<(), NotDerived> {
    let (cycles, claim) = match (&evidence.cycles, question.claim) {
        (None, None) => return Ok(()),
        (Some(cycles), Some(claim)) => (cycles, claim),
        _ => return Err(Obligation::Cycles.fails("it is not about infinite runs").into()),
    };
    check_steps(derived, evidence, cycles)?;
    let graph = CycleGraph::new(derived, evidence, cycles, question, go_on)?;
    let graph = graph.ok_or(NotDerived::Stopped)?;
    let listed = states_of(evidence);
    let takes = |derived: &mut DerivedProgram<'_, '_>, action: FairAction, edge: usize| {
        let edge = graph.edges[edge];
        let control = listed[graph.states[edge.source].0].0;
        let commands = derived.commands(control)?;
        Ok::<_, Rejection>(action.is_taken_by(&commands[edge.step.command]))
    };
    let mut checker = CycleChecker {
        graph: &graph,
        question,
        marks: claim.marks(),
        falling: cycles.falling.iter().copied().collect(),
        not_rising: cycles.not_rising.iter().copied().collect(),
        enabled: cycles.enabled.iter().copied().collect(),
        taken: FxHashMap::default(),
    };
    for &(action, _) in &cycles.enabled {
        if checker.taken.contains_key(&action) {
            continue;
        }
        let mut taken = FxHashSet::default();
        for edge in 0..graph.edges.len() {
            if takes(derived, action, edge)? {
                taken.insert(edge);
            }
        }
        checker.taken.insert(action, taken);
    }
    let all: Vec<usize> = (0..graph.edges.len()).collect();
    let states: Vec<usize> = (0..graph.states.len()).collect();
    Ok(checker.check(&states, &all, &cycles.components)?)
}

/// Every state has its steps, and these lead where their commands lead.
fn check_steps(
    derived: &mut DerivedProgram<'_, '_>,
    evidence: &DataEvidence,
    cycles: &CycleEvidence,
) -> Result<(), Rejection> {
    let fails = |why: String| Err(Obligation::Cycles.fails(why));
    let states = states_of(evidence);
    if cycles.steps.len() != states.len() || cycles.initial.iter().any(|&s| s >= states.len()) {
        return fails("there is no such state".to_owned());
    }
    for (number, steps) in cycles.steps.iter().enumerate() {
        let commands = derived.commands(states[number].0)?;
        for step in steps {
            let target = states.get(step.target).map(|state| state.0);
            let command = commands.get(step.command);
            if target.is_none() || command.is_none_or(|command| command.target != target) {
                return fails(format!("a step of state {number}"));
            }
        }
    }
    Ok(())
}

/// A ranking, a state, and a step out of it.
type RankedStep = (usize, usize, AbstractStep);

struct CycleChecker<'c> {
    graph: &'c CycleGraph,
    question: &'c DataQuestion<'c>,
    marks: u64,
    falling: FxHashSet<RankedStep>,
    not_rising: FxHashSet<RankedStep>,
    enabled: FxHashSet<(FairAction, usize)>,
    /// The edges on which an action is taken.
    taken: FxHashMap<FairAction, FxHashSet<usize>>,
}

impl CycleChecker<'_> {
    /// Checks that components are a decomposition of some states and edges, and the reason of each.
    fn check(
        &self,
        states: &[usize],
        edges: &[usize],
        components: &[CycleComponent],
    ) -> Result<(), Rejection> {
        let fails = |why: &str| Err(Obligation::Cycles.fails(why));
        let mut position: FxHashMap<ClaimState, usize> = FxHashMap::default();
        for (number, component) in components.iter().enumerate() {
            for &state in &component.states {
                if position.insert(state, number).is_some() {
                    return fails("a state is in two components");
                }
            }
        }
        let of = |state: usize| position.get(&self.graph.states[state]).copied();
        if states.iter().any(|&state| of(state).is_none()) {
            return fails("a state is in no component");
        }
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        for &edge in edges {
            let ends = (of(self.graph.edges[edge].source), of(self.graph.edges[edge].target));
            let (Some(source), Some(target)) = ends else { return fails("an edge leads outside") };
            if source < target {
                return fails("an edge leads to a later component");
            }
            if source == target {
                inside[source].push(edge);
            }
        }
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        for &state in states {
            members[of(state).unwrap_or(0)].push(state);
        }
        for (number, component) in components.iter().enumerate() {
            self.reason(&members[number], &inside[number], &component.reason)?;
        }
        Ok(())
    }

    /// Checks the reason of a component with these states and edges.
    fn reason(
        &self,
        states: &[usize],
        edges: &[usize],
        reason: &CycleReason,
    ) -> Result<(), Rejection> {
        let fails = |why: &str| Err(Obligation::Cycles.fails(why));
        let all = &self.graph.edges;
        let is_enabled = |action: FairAction, state: usize| {
            self.enabled.contains(&(action, self.graph.states[state].0))
        };
        match reason {
            CycleReason::NoEdge if edges.is_empty() => Ok(()),
            CycleReason::NoEdge => fails("a component without edges has one"),
            CycleReason::NoMark(mark) => {
                let is_mark = *mark < 64 && self.marks >> mark & 1 == 1;
                match is_mark && edges.iter().all(|&e| all[e].marks >> mark & 1 == 0) {
                    true => Ok(()),
                    false => fails("a component without a mark has it"),
                }
            }
            CycleReason::Just(action) => {
                self.assumed(*action, false)?;
                match !self.takes(*action, edges)
                    && states.iter().all(|&state| is_enabled(*action, state))
                {
                    true => Ok(()),
                    false => fails("a just action is taken, or not enabled everywhere"),
                }
            }
            CycleReason::Compassionate(action, rest) => {
                self.assumed(*action, true)?;
                if self.takes(*action, edges) {
                    return fails("a compassionate action is taken");
                }
                let is_left = |state: usize| !is_enabled(*action, state);
                let left: Vec<usize> = states.iter().copied().filter(|&s| is_left(s)).collect();
                let inner = edges.iter().copied();
                let inner = inner.filter(|&e| is_left(all[e].source) && is_left(all[e].target));
                self.check(&left, &inner.collect::<Vec<_>>(), rest)
            }
            CycleReason::Rank(rank, rest) => {
                let of = |e: usize| (*rank, self.graph.states[all[e].source].0, all[e].step);
                if !edges.iter().all(|&e| self.not_rising.contains(&of(e))) {
                    return fails("a ranking may rise");
                }
                let inner = edges.iter().copied().filter(|&e| !self.falling.contains(&of(e)));
                self.check(states, &inner.collect::<Vec<_>>(), rest)
            }
        }
    }

    fn assumed(&self, action: FairAction, compassionate: bool) -> Result<(), Rejection> {
        match self.question.fairness.includes(action, compassionate) {
            true => Ok(()),
            false => Err(Obligation::Cycles.fails(format!("{action:?} is not assumed to be fair"))),
        }
    }

    /// Whether an action is taken on one of the edges; of one that is enabled nowhere it is not known.
    fn takes(&self, action: FairAction, edges: &[usize]) -> bool {
        let taken = self.taken.get(&action);
        taken.is_none_or(|taken| edges.iter().any(|edge| taken.contains(edge)))
    }
}
