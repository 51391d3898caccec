//! Counting monitors: a property of infinite runs, proved as a safety property of each process (k-liveness; Claessen and
//! Sörensson 2012).
//!
//! A run that violates the property is accepted by the automaton of its negation, and it has infinitely many steps. Each
//! step is a step of one process, so that some processes move infinitely often; let `i` be the last of them in some
//! order. From some moment on no process after `i` moves. The counting monitor of `i` counts how often all marks of the
//! automaton have been met and then `i` has moved, since a process after `i` moved last. On that run it counts without
//! end. So if for each process there is a bound that its monitor never exceeds, no run violates the property.
//!
//! The bounds are local: a process that can take a few steps only while the next one waits needs these two components
//! for its proof. Counting the steps of all processes together, a hundred processes would have to be tracked at once.
//!
//! A monitor is not deterministic, because the automaton is not. Its states are numbered by what they stand for, and not
//! in the order of a search: whoever derives it again has the same numbers.

use crate::ltl::BuchiAutomaton;
use crate::lts::{ActionId, Label, Lts, LtsBuilder, StateId};
use crate::network::{Component, Monitor};
use resy_index::{Id, IndexVec};
use std::collections::{BTreeMap, BTreeSet};

/// A monitor that would have more states is refused.
const MAX_STATES: usize = 1 << 18;

/// The order in which processes are taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProcessOrder {
    /// By number.
    Forward,
    /// By number, the greatest first.
    Backward,
}

/// What the counting monitors of a network are made of.
pub struct Counting<'a> {
    /// The automaton of the negation.
    pub automaton: &'a BuchiAutomaton,
    /// Follows the propositions: it is deterministic and has a transition for every action of its alphabet.
    pub tracker: &'a Lts,
    /// For each state of the tracker, the propositions that hold.
    pub valuations: &'a [u64],
    /// The states of the automaton before it reads the first state, as a set.
    pub initial: u64,
    /// For each action, the process that moves; the tracker has only actions by which one does.
    pub movers: &'a IndexVec<ActionId, Option<usize>>,
    /// The order of the processes.
    pub order: ProcessOrder,
}

/// The monitor that errs when one of several does, which have the same alphabet and begin with the error state; `None` if it
/// would be too large. With the first action it chooses the one that it follows.
pub fn any_of(monitors: &[Monitor]) -> Option<Monitor> {
    let (first, others) = monitors.split_first()?;
    let alphabet = first.lts.alphabet();
    if others.is_empty() {
        return Some(first.clone());
    }
    let n_states = 2 + monitors.iter().map(|monitor| monitor.lts.n_states()).sum::<usize>();
    (n_states <= MAX_STATES).then_some(())?;
    let (error, start) = (StateId::from_index(0), StateId::from_index(1));
    let mut builder = LtsBuilder::with_states(n_states);
    let mut before = 2;
    for Monitor { lts, error: own, .. } in monitors {
        let moved = |state: StateId| match state == *own {
            true => error,
            false => StateId::from_index(before + state.index()),
        };
        for (source, label, target) in lts.transitions() {
            builder.add_transition(moved(source), label, moved(target));
            if source == lts.initial() {
                builder.add_transition(start, label, moved(target));
            }
        }
        before += lts.n_states();
    }
    Some(Monitor {
        lts: builder.finish(start, alphabet.clone()),
        error,
        state_names: IndexVec::new(),
    })
}

/// A state of a counting monitor, apart from the error state: states are numbered in this order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CountState {
    /// Before the first step.
    Start,
    /// The automaton has no run any more.
    Over,
    /// A state of the tracker, one of the automaton, and the number of marks that were met in turn.
    At(StateId, usize, usize),
}

impl Counting<'_> {
    /// Whether the tracker sees every step of these components, and it is known who moves. Only then do the monitors
    /// prove anything.
    pub fn sees_all_of<'c>(&self, components: impl IntoIterator<Item = &'c Component>) -> bool {
        let seen = self.tracker.alphabet();
        let is_seen = |label: Label| label.action().is_some_and(|action| seen.contains(action));
        let mut steps = components.into_iter().flat_map(|component| component.lts.transitions());
        steps.all(|(_, label, _)| is_seen(label))
            && seen.iter().all(|action| self.movers[action].is_some())
    }

    /// The processes that move, by number.
    pub fn processes(&self) -> Vec<usize> {
        let movers = self.tracker.alphabet().iter().filter_map(|action| self.movers[action]);
        movers.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The monitor that errs when the count of a process exceeds a bound; `None` if it would be too large. State 0 is
    /// the error state.
    pub fn monitor(&self, process: usize, bound: usize) -> Option<Monitor> {
        let limit = bound.checked_add(1)?.checked_mul(self.marks().count() + 1)?;
        let n_pairs = self.tracker.n_states().checked_mul(self.automaton.edges.len())?;
        n_pairs.checked_mul(limit).filter(|&n| n <= MAX_STATES)?;
        let mut found: BTreeMap<CountState, Vec<(ActionId, Option<CountState>)>> = BTreeMap::new();
        let mut todo = vec![CountState::Start];
        while let Some(state) = todo.pop() {
            if found.contains_key(&state) {
                continue;
            }
            let steps = self.steps(state, process, limit);
            todo.extend(steps.iter().filter_map(|(_, target)| *target));
            found.insert(state, steps);
        }
        let numbers: BTreeMap<CountState, StateId> =
            found.keys().enumerate().map(|(i, &state)| (state, Id::from_index(i + 1))).collect();
        let error = StateId::from_index(0);
        let mut builder = LtsBuilder::with_states(found.len() + 1);
        for (state, steps) in &found {
            for (action, target) in steps {
                let target = target.map_or(error, |target| numbers[&target]);
                builder.add_transition(numbers[state], Label::Visible(*action), target);
            }
        }
        let lts = builder.finish(numbers[&CountState::Start], self.tracker.alphabet().clone());
        Some(Monitor { lts, error, state_names: IndexVec::new() })
    }

    /// The steps out of a state; those without a target lead into the error state.
    fn steps(
        &self,
        state: CountState,
        process: usize,
        limit: usize,
    ) -> Vec<(ActionId, Option<CountState>)> {
        let from: Vec<(StateId, usize, usize)> = match state {
            CountState::Over => Vec::new(),
            CountState::At(at, q, count) => vec![(at, q, count)],
            CountState::Start => {
                let states = 0..self.automaton.edges.len().min(u64::BITS as usize);
                let initial = states.filter(|q| self.initial >> q & 1 == 1);
                initial.map(|q| (self.tracker.initial(), q, 0)).collect()
            }
        };
        let mut steps = Vec::new();
        for action in self.tracker.alphabet().iter() {
            let n_before = steps.len();
            for &(at, q, count) in &from {
                self.step((at, q, count), action, process, limit, &mut steps);
            }
            if steps.len() == n_before {
                steps.push((action, Some(CountState::Over)));
            }
        }
        steps
    }

    /// The steps by one action.
    fn step(
        &self,
        (at, q, count): (StateId, usize, usize),
        action: ActionId,
        process: usize,
        limit: usize,
        steps: &mut Vec<(ActionId, Option<CountState>)>,
    ) {
        let mover = self.movers[action];
        let moves = mover == Some(process);
        let is_after = mover.is_some_and(|mover| self.is_after(mover, process));
        let letter = self.valuations[at.index()];
        for &(_, next) in self.tracker.transitions_by(at, Label::Visible(action)) {
            for edge in self.automaton.edges[Id::from_index(q)].iter() {
                if !edge.label.allows(letter) {
                    continue;
                }
                let count = match is_after {
                    true => 0,
                    false => self.count(count, edge.marks, moves, limit),
                };
                let target = CountState::At(next, edge.target.index(), count);
                steps.push((action, (count < limit).then_some(target)));
            }
        }
    }

    /// The count after a step: marks are awaited in turn, and the move of the process after them.
    fn count(&self, before: usize, marks: u64, moves: bool, limit: usize) -> usize {
        let met: Vec<bool> =
            self.marks().map(|mark| marks >> mark & 1 == 1).chain([moves]).collect();
        let awaited = (before..limit).take(met.len()).take_while(|count| met[count % met.len()]);
        before + awaited.count()
    }

    /// Whether a process is taken after another one.
    pub fn is_after(&self, other: usize, process: usize) -> bool {
        match self.order {
            ProcessOrder::Forward => other > process,
            ProcessOrder::Backward => other < process,
        }
    }

    /// The marks of the automaton.
    fn marks(&self) -> impl Iterator<Item = u32> + '_ {
        (0..u64::BITS).filter(|mark| self.automaton.marks >> mark & 1 == 1)
    }
}
