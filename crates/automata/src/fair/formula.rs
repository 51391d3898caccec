//! Whether all fair runs satisfy a formula.
//!
//! A fair run violates it if the automaton of the negation can follow: some strongly connected set
//! of pairs of a state and a state of the automaton has all marks, and its steps cover a terminal
//! set. The formula is read after each step: a letter belongs to the state that a step leads to.

use super::components::components;
use super::lasso::FairLasso;
use super::valued::Valued;
use crate::ltl::BuchiAutomaton;
use crate::lts::{Label, StateId};
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A loop with more steps is not made.
const MAX_LOOP: usize = 20_000;

/// The answer for a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FairOutcome {
    /// No fair run violates it.
    Holds,
    /// A run violates it: its loop takes all transitions of a terminal set.
    Violated(FairLasso),
    /// A fair run violates it, but its loop has too many steps. The loop of this run violates it as well, in the same
    /// terminal set, and does not take all its transitions.
    LongLoop(FairLasso),
    /// The search was cancelled.
    Cancelled,
}

/// A fair run of the system that the automaton of a negated formula accepts. `go_on(n_pairs)` may
/// cancel.
pub fn unfair_to(
    valued: &Valued,
    negation: &BuchiAutomaton,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> FairOutcome {
    let Some(pairs) = Pairs::of(valued, negation, go_on) else { return FairOutcome::Cancelled };
    let Some(start) = pairs.first_violating(negation.marks) else { return FairOutcome::Holds };
    match pairs.lasso(start, negation.marks, true, go_on) {
        Some(lasso) => FairOutcome::Violated(lasso),
        None if !go_on(pairs.edges.len()) => FairOutcome::Cancelled,
        None => match pairs.lasso(start, negation.marks, false, go_on) {
            Some(lasso) => FairOutcome::LongLoop(lasso),
            None => FairOutcome::Cancelled,
        },
    }
}

/// An edge between pairs.
#[derive(Copy, Clone)]
struct PairStep {
    to: usize,
    marks: u64,
    /// The number of the transition of the system.
    transition: usize,
    label: Label,
    target: StateId,
}

/// The pairs that are reachable together.
struct Pairs<'a> {
    valued: &'a Valued,
    n_initial: usize,
    /// For each pair the state of the system.
    states: Vec<StateId>,
    edges: Vec<Vec<PairStep>>,
    component: Vec<usize>,
}

impl<'a> Pairs<'a> {
    fn of(
        valued: &'a Valued,
        automaton: &BuchiAutomaton,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Self> {
        let lts = &valued.lts;
        let mut first = Vec::with_capacity(lts.n_states());
        let mut n_transitions = 0;
        for state in lts.states() {
            first.push(n_transitions);
            n_transitions += lts.transitions_from(state).len();
        }
        let mut pairs: Vec<(StateId, _)> =
            automaton.initial.iter().map(|&b| (lts.initial(), b)).collect();
        let n_initial = pairs.len();
        let mut ids: FxHashMap<(StateId, _), usize> =
            pairs.iter().copied().enumerate().map(|(i, pair)| (pair, i)).collect();
        let mut edges: Vec<Vec<PairStep>> = Vec::new();
        while let Some(&(state, b)) = pairs.get(edges.len()) {
            if !go_on(pairs.len()) {
                return None;
            }
            let mut out = Vec::new();
            for (k, &(label, target)) in lts.transitions_from(state).iter().enumerate() {
                let letter = valued.valuations[target.index()];
                for edge in automaton.edges[b].iter().filter(|edge| edge.label.allows(letter)) {
                    let pair = (target, edge.target);
                    let to = *ids.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() - 1
                    });
                    let transition = first[state.index()] + k;
                    out.push(PairStep { to, marks: edge.marks, transition, label, target });
                }
            }
            edges.push(out);
        }
        let roots: Vec<usize> = (0..n_initial).collect();
        let component =
            components(edges.len(), &roots, |pair, k| edges[pair].get(k).map(|step| step.to));
        let states = pairs.into_iter().map(|pair| pair.0).collect();
        Some(Self { valued, n_initial, states, edges, component })
    }

    /// The steps of a pair that stay in its component.
    fn inner(&self, pair: usize) -> impl Iterator<Item = &PairStep> {
        let own = self.component[pair];
        self.edges[pair].iter().filter(move |step| self.component[step.to] == own)
    }

    /// The nearest pair whose component has all marks and covers a terminal set.
    fn first_violating(&self, marks: u64) -> Option<usize> {
        let mut seen: FxHashMap<usize, (u64, FxHashSet<usize>)> = FxHashMap::default();
        for pair in 0..self.edges.len() {
            let (met, taken) = seen.entry(self.component[pair]).or_default();
            for step in self.inner(pair) {
                *met |= step.marks;
                taken.insert(step.transition);
            }
        }
        // For each terminal set, how many transitions its states have.
        let mut size: FxHashMap<StateId, usize> = FxHashMap::default();
        for set in super::terminal_sets(&self.valued.lts) {
            let rows = set.iter().map(|&state| self.valued.lts.transitions_from(state).len());
            let n_transitions: usize = rows.sum();
            size.extend(set.into_iter().map(|state| (state, n_transitions)));
        }
        // Pairs are numbered by distance. A component is in one terminal set, or in none.
        (0..self.edges.len()).find(|&pair| {
            let (met, taken) = &seen[&self.component[pair]];
            let n_transitions = size.get(&self.states[pair]).copied().unwrap_or(0);
            met & marks == marks && n_transitions > 0 && taken.len() == n_transitions
        })
    }

    /// The way to a pair, and a loop through its component that has all marks, and all transitions if they are wanted.
    /// `None` if it has too many steps.
    fn lasso(
        &self,
        start: usize,
        marks: u64,
        takes_all: bool,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> Option<FairLasso> {
        let from: Vec<usize> = (0..self.n_initial).collect();
        let stem = self.path(&from, true, |_, to| to == start)?;
        let mut steps: Vec<&PairStep> = if start < self.n_initial { Vec::new() } else { stem };
        let loop_start = steps.len();
        let (mut missing_marks, mut missing) = (marks, FxHashSet::default());
        let mut members = vec![start];
        let mut known: FxHashSet<usize> = [start].into_iter().collect();
        while let Some(pair) = members.pop() {
            for step in self.inner(pair) {
                if takes_all {
                    missing.insert(step.transition);
                }
                if known.insert(step.to) {
                    members.push(step.to);
                }
            }
        }
        let mut at = start;
        while missing_marks != 0 || !missing.is_empty() {
            let is_new = |step: &PairStep, _| {
                step.marks & missing_marks != 0 || missing.contains(&step.transition)
            };
            let more = self.path(&[at], false, is_new)?;
            for step in &more {
                missing_marks &= !step.marks;
                missing.remove(&step.transition);
            }
            at = more.last()?.to;
            steps.extend(more);
            if steps.len() - loop_start > MAX_LOOP || !go_on(self.edges.len()) {
                return None;
            }
        }
        if at != start || steps.len() == loop_start {
            steps.extend(self.path(&[at], false, |_, to| to == start)?);
        }
        let steps = steps.into_iter().map(|step| (step.label, step.target)).collect();
        Some(FairLasso { steps, loop_start })
    }

    /// A shortest path from some pairs to and with a step that ends it. Without `anywhere` it stays
    /// in its component.
    fn path(
        &self,
        from: &[usize],
        anywhere: bool,
        ends: impl Fn(&PairStep, usize) -> bool,
    ) -> Option<Vec<&PairStep>> {
        let mut before: FxHashMap<usize, Option<(usize, usize)>> =
            from.iter().map(|&pair| (pair, None)).collect();
        let mut open: VecDeque<usize> = from.iter().copied().collect();
        while let Some(pair) = open.pop_front() {
            for (k, step) in self.edges[pair].iter().enumerate() {
                if !anywhere && self.component[step.to] != self.component[pair] {
                    continue;
                }
                if ends(step, step.to) {
                    let mut steps = vec![step];
                    let mut at = pair;
                    while let Some((previous, k)) = before[&at] {
                        steps.push(&self.edges[previous][k]);
                        at = previous;
                    }
                    steps.reverse();
                    return Some(steps);
                }
                before.entry(step.to).or_insert_with(|| {
                    open.push_back(step.to);
                    Some((pair, k))
                });
            }
        }
        // The start itself may be where a path ends.
        Some(Vec::new()).filter(|_| anywhere)
    }
}
