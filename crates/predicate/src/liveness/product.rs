//! The product of an abstract graph with the automaton of the runs that violate a property.

use super::streett::FairEdge;
use crate::abstraction::{AbstractEdge, AbstractGraph, AbstractId, Basis, literals_of};
use resy_symbolic::OutOfReach;
use resy_symbolic::{Solver, SymbolicProgram};
use resy_system::{ClaimEdge, LivenessClaim};
use rustc_hash::FxHashMap;

/// The product: states are pairs of an abstract state and a state of the automaton, before it is read.
pub(crate) struct ClaimProduct {
    pub states: Vec<(AbstractId, u32)>,
    pub edges: Vec<FairEdge>,
    /// The abstract edge of each edge.
    pub taken: Vec<AbstractEdge>,
    /// How each state was reached first: by an edge.
    pub reached: Vec<Option<usize>>,
}

/// The state of the automaton from which whatever follows is a violation.
const VIOLATED: u32 = u32::MAX;

/// With more undecided propositions in a state, a formula is refused.
const MOST_OPEN: usize = 6;

/// Builds the product.
pub(crate) fn product(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    basis: &mut Basis,
    graph: &AbstractGraph,
    claim: &LivenessClaim,
) -> Result<ClaimProduct, OutOfReach> {
    let mut product = ClaimProduct {
        states: Vec::new(),
        edges: Vec::new(),
        taken: Vec::new(),
        reached: Vec::new(),
    };
    let initial = claim.initial().unwrap_or_else(|| vec![VIOLATED]);
    let mut known: FxHashMap<(AbstractId, u32), usize> = FxHashMap::default();
    let mut valuations: FxHashMap<(AbstractId, u64), Vec<u64>> = FxHashMap::default();
    let mut reach = |product: &mut ClaimProduct, state: (AbstractId, u32), by: Option<usize>| {
        *known.entry(state).or_insert_with(|| {
            product.states.push(state);
            product.reached.push(by);
            product.states.len() - 1
        })
    };
    for &state in &graph.initial {
        initial.iter().for_each(|&q| _ = reach(&mut product, (state, q), None));
    }
    let system = program.interpreter().system();
    let (mut next, mut steps) = (0, Vec::new());
    while next < product.states.len() {
        let (state, q) = product.states[next];
        let source = next;
        next += 1;
        let control = &program.controls()[graph.states[state].control].state;
        if claim.is_barrier(system, control) {
            continue;
        }
        let accepting = u64::from(claim.is_accepting(system, control));
        if q == VIOLATED {
            for &edge in &graph.edges[state] {
                let by = Some(product.edges.len());
                let target = reach(&mut product, (edge.target, VIOLATED), by);
                product.edges.push(FairEdge { source, target, marks: claim.marks() });
                product.taken.push(edge);
            }
            continue;
        }
        let looks_at = claim.looks_at(q);
        let found = match valuations.get(&(state, looks_at)) {
            Some(known) => known.clone(),
            None => valuations_of(program, solver, basis, graph, state, (claim, looks_at))?,
        };
        valuations.insert((state, looks_at), found.clone());
        for valuation in found {
            if claim.step(q, valuation, &mut steps) {
                steps.push(ClaimEdge { target: VIOLATED, marks: 0 });
            }
            for step in &steps {
                for &edge in &graph.edges[state] {
                    let by = Some(product.edges.len());
                    let target = reach(&mut product, (edge.target, step.target), by);
                    let marks = step.marks | accepting;
                    product.edges.push(FairEdge { source, target, marks });
                    product.taken.push(edge);
                }
            }
        }
    }
    Ok(product)
}

/// The values that the propositions may have in an abstract state.
fn valuations_of(
    program: &mut SymbolicProgram<'_>,
    solver: &mut dyn Solver,
    basis: &mut Basis,
    graph: &AbstractGraph,
    state: AbstractId,
    (claim, looks_at): (&LivenessClaim, u64),
) -> Result<Vec<u64>, OutOfReach> {
    let crate::abstraction::AbstractState { control, values } = graph.states[state].clone();
    let (mut known, mut open) = (0, Vec::new());
    let mut context = literals_of(program, basis, control, &values);
    context.extend(program.assumptions(control)?.iter());
    for (bit, proposition) in claim.propositions.iter().enumerate() {
        if looks_at >> bit & 1 == 0 {
            continue;
        }
        let formula = program.formula(control, proposition)?;
        let mut terms = program.terms().borrow_mut();
        let opposite = terms.not(formula);
        let mut refuted = |formula| {
            let query: Vec<_> = context.iter().copied().chain([formula]).collect();
            super::enabled::is_refuted(&mut terms, solver, &query)
        };
        match (refuted(opposite), refuted(formula)) {
            (true, _) => known |= 1 << bit,
            (false, true) => {}
            (false, false) => open.push(bit),
        }
    }
    if open.len() > MOST_OPEN {
        let why = "a formula with too many propositions about unbounded data".to_owned();
        return Err(OutOfReach { why, source: resy_system::SourcePlace::default() });
    }
    let choice = |n: u64| {
        let chosen = open.iter().enumerate().filter(|(i, _)| n >> i & 1 == 1);
        chosen.fold(known, |all, (_, bit)| all | 1 << bit)
    };
    Ok((0..1u64 << open.len()).map(choice).collect())
}

impl ClaimProduct {
    /// The edges on the way to a state.
    pub fn path_to(&self, mut state: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while let Some(edge) = self.reached[state] {
            path.push(edge);
            state = self.edges[edge].source;
        }
        path.reverse();
        path
    }

    /// A cycle from a state through a component, given by its edges.
    pub fn cycle_in(&self, component: &[usize]) -> Vec<usize> {
        let start = self.edges[component[0]].source;
        let mut reached: FxHashMap<usize, usize> = FxHashMap::default();
        let mut waiting = std::collections::VecDeque::from([self.edges[component[0]].target]);
        let mut last = self.edges[component[0]].target;
        while let Some(state) = waiting.pop_front() {
            last = state;
            if state == start {
                break;
            }
            for &e in component.iter().filter(|&&e| self.edges[e].source == state) {
                let target = self.edges[e].target;
                if target != self.edges[component[0]].target && !reached.contains_key(&target) {
                    reached.insert(target, e);
                    waiting.push_back(target);
                }
            }
        }
        let mut cycle = Vec::new();
        while let Some(&edge) = reached.get(&last) {
            cycle.push(edge);
            last = self.edges[edge].source;
            if last == self.edges[component[0]].target {
                break;
            }
        }
        cycle.push(component[0]);
        cycle.reverse();
        cycle
    }

    /// The first state of a product edge, for messages.
    pub fn source_of(&self, edge: usize) -> AbstractId {
        self.states[self.edges[edge].source].0
    }

    /// The last state of a product edge.
    pub fn target_of(&self, edge: usize) -> AbstractId {
        self.states[self.edges[edge].target].0
    }
}
