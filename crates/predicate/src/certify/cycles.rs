//! The decomposition of the cycles of an abstraction, with the facts that it rests on.

use super::Uncertified;
use crate::embedded::Embedded;
use crate::liveness::{
    CycleRequirements, DecomposedReason, FairEdge, FairPart, decomposition, is_refuted,
};
use resy_certificate::unbounded::{
    AbstractStep, AbstractValuation, CycleComponent, CycleEvidence, CycleGraph, CycleReason,
    DataEvidence, DataQuestion, DerivedProgram,
};
use resy_certificate::{Obligation, Rejection};
use resy_index::Id;
use resy_symbolic::{ControlId, FairAction, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The evidence about cycles, from its states and steps.
pub(super) fn decompose(
    derived: &mut DerivedProgram<'_, '_>,
    evidence: &DataEvidence,
    question: &DataQuestion<'_>,
    (just, compassionate): (&[FairAction], &[FairAction]),
    go_on: &mut dyn FnMut() -> bool,
) -> Result<CycleEvidence, Uncertified> {
    let mut cycles = evidence.cycles.clone().unwrap_or_default();
    let states: Vec<(ControlId, &AbstractValuation)> = evidence
        .controls
        .iter()
        .enumerate()
        .flat_map(|(n, list)| list.iter().map(move |values| (ControlId::from_index(n), values)))
        .collect();
    let n_propositions = question.claim.map_or(0, |claim| claim.propositions.len());
    for (number, &state) in states.iter().enumerate() {
        if !go_on() {
            return Err(Uncertified::Cancelled);
        }
        for proposition in 0..n_propositions {
            for value in [false, true] {
                let query = derived.proposition_query(state, question, proposition, value)?;
                if refuted(derived, &query) {
                    cycles.known.push((number, proposition, value));
                    break;
                }
            }
        }
    }
    let graph = CycleGraph::new(derived, evidence, &cycles, question, go_on)?;
    let graph = graph.ok_or(Uncertified::Cancelled)?;
    let edge = |e: &resy_certificate::unbounded::GraphEdge| FairEdge {
        source: e.source,
        target: e.target,
        marks: e.marks,
    };
    let edges: Vec<FairEdge> = graph.edges.iter().map(edge).collect();
    let marks = question.claim.map_or(0, |claim| claim.marks());
    let mut facts = CycleFacts {
        derived,
        states: &states,
        graph: &graph,
        just,
        compassionate,
        enabled: FxHashMap::default(),
        ranked: FxHashMap::default(),
        failure: None,
    };
    let parts = decomposition(graph.states.len(), &edges, marks, &mut facts);
    if let Some(failure) = facts.failure {
        return Err(failure.into());
    }
    let missing = || Uncertified::Because("a fair cycle is left in the certificate".to_owned());
    let parts = parts.ok_or_else(missing)?;
    let mut used = UsedFacts { just, compassionate, graph: &graph, ..UsedFacts::new(&graph) };
    cycles.components = parts.iter().map(|part| used.component(part)).collect();
    cycles.enabled = used.enabled.into_iter().collect();
    cycles.falling = used.falling.into_iter().collect();
    cycles.not_rising = used.not_rising.into_iter().collect();
    Ok(cycles)
}

fn refuted(derived: &DerivedProgram<'_, '_>, query: &[TermId]) -> bool {
    is_refuted(&mut derived.program.terms().borrow_mut(), &mut Embedded::new(), query)
}

/// A ranking, a state, and a step out of it.
type RankedStep = (usize, usize, AbstractStep);

/// Answers to what a decomposition asks, by the queries that become obligations.
struct CycleFacts<'f, 'p, 'a> {
    derived: &'f mut DerivedProgram<'p, 'a>,
    states: &'f [(ControlId, &'f AbstractValuation)],
    graph: &'f CycleGraph,
    just: &'f [FairAction],
    compassionate: &'f [FairAction],
    enabled: FxHashMap<(FairAction, usize), bool>,
    ranked: FxHashMap<(RankedStep, bool), bool>,
    failure: Option<Rejection>,
}

impl CycleFacts<'_, '_, '_> {
    fn action(&self, compassionate: bool, number: usize) -> FairAction {
        if compassionate { self.compassionate[number] } else { self.just[number] }
    }

    fn answer(&mut self, query: Result<Vec<TermId>, Rejection>) -> bool {
        match query {
            Ok(query) => refuted(self.derived, &query),
            Err(failure) => {
                self.failure = Some(failure);
                false
            }
        }
    }

    /// Whether a ranking certainly falls on an edge, or certainly does not rise.
    fn changes(&mut self, rank: usize, edge: usize, falls: bool) -> bool {
        let edge = self.graph.edges[edge];
        let source = self.graph.states[edge.source].0;
        let key = ((rank, source, edge.step), falls);
        if let Some(&known) = self.ranked.get(&key) {
            return known;
        }
        let ends = (self.states[source], self.states[edge.step.target]);
        let obligation = if falls { Obligation::Falls } else { Obligation::Rises };
        let query = self.derived.rank_query(rank, ends, edge.step, obligation);
        let answer = self.answer(query);
        self.ranked.insert(key, answer);
        answer
    }
}

impl CycleRequirements for CycleFacts<'_, '_, '_> {
    fn n_just(&self) -> usize {
        self.just.len()
    }

    fn n_compassionate(&self) -> usize {
        self.compassionate.len()
    }

    fn n_ranks(&self) -> usize {
        self.derived.ranks.len()
    }

    fn is_enabled(&mut self, compassionate: bool, action: usize, state: usize) -> bool {
        let (action, state) = (self.action(compassionate, action), self.graph.states[state].0);
        if let Some(&known) = self.enabled.get(&(action, state)) {
            return known;
        }
        let query = self.derived.enabled_query(self.states[state], action);
        let answer = self.answer(query);
        self.enabled.insert((action, state), answer);
        answer
    }

    fn is_taken(&mut self, compassionate: bool, action: usize, edge: usize) -> bool {
        let action = self.action(compassionate, action);
        let edge = self.graph.edges[edge];
        let control = self.states[self.graph.states[edge.source].0].0;
        match self.derived.program.commands(control) {
            Ok(commands) => action.is_taken_by(&commands[edge.step.command]),
            Err(_) => true,
        }
    }

    fn falls(&mut self, rank: usize, edge: usize) -> bool {
        self.changes(rank, edge, true)
    }

    fn rises(&mut self, rank: usize, edge: usize) -> bool {
        !self.changes(rank, edge, false)
    }
}

/// The facts that a decomposition uses.
struct UsedFacts<'u> {
    just: &'u [FairAction],
    compassionate: &'u [FairAction],
    graph: &'u CycleGraph,
    enabled: BTreeSet<(FairAction, usize)>,
    falling: BTreeSet<RankedStep>,
    not_rising: BTreeSet<RankedStep>,
}

impl<'u> UsedFacts<'u> {
    fn new(graph: &'u CycleGraph) -> Self {
        let (enabled, falling, not_rising) = Default::default();
        Self { just: &[], compassionate: &[], graph, enabled, falling, not_rising }
    }

    fn component(&mut self, part: &FairPart) -> CycleComponent {
        let states = part.states.iter().map(|&state| self.graph.states[state]).collect();
        let ranked = |rank: usize, edge: usize| {
            let edge = self.graph.edges[edge];
            (rank, self.graph.states[edge.source].0, edge.step)
        };
        let reason = match &part.reason {
            DecomposedReason::NoEdge => CycleReason::NoEdge,
            DecomposedReason::NoMark(mark) => CycleReason::NoMark(*mark),
            DecomposedReason::Just(number) => {
                let action = self.just[*number];
                let all = part.states.iter().map(|&s| (action, self.graph.states[s].0));
                self.enabled.extend(all);
                CycleReason::Just(action)
            }
            DecomposedReason::Compassionate(number, removed, rest) => {
                let action = self.compassionate[*number];
                let all = removed.iter().map(|&s| (action, self.graph.states[s].0));
                self.enabled.extend(all);
                let rest = rest.iter().map(|part| self.component(part)).collect();
                CycleReason::Compassionate(action, rest)
            }
            DecomposedReason::Rank(rank, removed, rest) => {
                self.falling.extend(removed.iter().map(|&e| ranked(*rank, e)));
                self.not_rising.extend(part.edges.iter().map(|&e| ranked(*rank, e)));
                CycleReason::Rank(*rank, rest.iter().map(|part| self.component(part)).collect())
            }
        };
        CycleComponent { states, reason }
    }
}
