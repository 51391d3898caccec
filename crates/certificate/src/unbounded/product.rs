//! The product of a listed abstraction with the automaton of the runs that violate a property.

use super::evidence::{AbstractStep, CycleEvidence, DataEvidence};
use super::obligations::{DataQuestion, DerivedProgram};
use super::steps::states_of;
use crate::obligation::{Obligation, Rejection};
use resy_system::LivenessClaim;
use rustc_hash::FxHashMap;

/// A state of the product: of the abstraction, and of the claim before it reads it.
pub type ClaimState = (usize, u32);

/// The state of the claim from which whatever follows is a violation.
const VIOLATED: u32 = u32::MAX;

/// With more undecided propositions in a state, there is no product.
const MOST_OPEN: usize = 6;

/// The product.
#[derive(Clone, Debug, Default)]
pub struct CycleGraph {
    /// The states.
    pub states: Vec<ClaimState>,
    /// The edges.
    pub edges: Vec<GraphEdge>,
}

/// An edge of the product.
#[derive(Copy, Clone, Debug)]
pub struct GraphEdge {
    /// The number of its source.
    pub source: usize,
    /// The number of its target.
    pub target: usize,
    /// The marks of the claim that it has.
    pub marks: u64,
    /// The step of the abstraction.
    pub step: AbstractStep,
}

impl CycleGraph {
    /// The reachable product. `None` if `go_on` ends it.
    pub fn new(
        derived: &DerivedProgram<'_, '_>,
        evidence: &DataEvidence,
        cycles: &CycleEvidence,
        question: &DataQuestion<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Rejection> {
        let fails = |why: &str| Err(Obligation::Cycles.fails(why));
        let Some(claim) = question.claim else { return fails("the property is not about cycles") };
        let listed = states_of(evidence);
        let mut graph = Self::default();
        let mut numbers: FxHashMap<ClaimState, usize> = FxHashMap::default();
        let mut reach = |graph: &mut Self, state: ClaimState| {
            *numbers.entry(state).or_insert_with(|| {
                graph.states.push(state);
                graph.states.len() - 1
            })
        };
        let before = claim.initial().unwrap_or_else(|| vec![VIOLATED]);
        for &state in &cycles.initial {
            before.iter().for_each(|&q| _ = reach(&mut graph, (state, q)));
        }
        let mut known: FxHashMap<(usize, usize), bool> = FxHashMap::default();
        known.extend(cycles.known.iter().map(|&(state, number, value)| ((state, number), value)));
        let system = derived.program.interpreter().system();
        let mut next = 0;
        while next < graph.states.len() {
            if !go_on() {
                return Ok(None);
            }
            let (state, q) = graph.states[next];
            let Some(&(control, _)) = listed.get(state) else { return fails("a state too many") };
            let control = &derived.program.controls()[control].state;
            if !claim.is_barrier(system, control) {
                let accepting = u64::from(claim.is_accepting(system, control));
                let Some(moves) = moves(claim, q, &|p| known.get(&(state, p)).copied()) else {
                    return fails("too many undecided propositions in a state");
                };
                for (after, marks) in moves {
                    for &step in cycles.steps.get(state).into_iter().flatten() {
                        let target = reach(&mut graph, (step.target, after));
                        let marks = marks | accepting;
                        graph.edges.push(GraphEdge { source: next, target, marks, step });
                    }
                }
            }
            next += 1;
        }
        Ok(Some(graph))
    }
}

/// The states of the claim after it has read a state, with marks: for each valuation of the propositions that is not
/// excluded. `None` if there are too many.
fn moves(
    claim: &LivenessClaim,
    q: u32,
    known: &dyn Fn(usize) -> Option<bool>,
) -> Option<Vec<(u32, u64)>> {
    if q == VIOLATED {
        return Some(vec![(VIOLATED, claim.marks())]);
    }
    let (looks_at, mut fixed, mut open) = (claim.looks_at(q), 0, Vec::new());
    for p in (0..claim.propositions.len()).filter(|p| looks_at >> p & 1 == 1) {
        match known(p) {
            Some(value) => fixed |= u64::from(value) << p,
            None => open.push(p),
        }
    }
    if open.len() > MOST_OPEN {
        return None;
    }
    let (mut found, mut steps) = (Vec::new(), Vec::new());
    for choice in 0..1u64 << open.len() {
        let chosen = open.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
        let valuation = chosen.fold(fixed, |all, (_, p)| all | 1 << p);
        if claim.step(q, valuation, &mut steps) {
            found.push((VIOLATED, claim.marks()));
        }
        found.extend(steps.iter().map(|step| (step.target, step.marks)));
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
