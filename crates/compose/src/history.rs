//! The history of labels: why each state is in each label, so that a violation becomes a run.

use crate::labels::{Cause, ContextId};
use crate::moves::Moves;
use fixedbitset::FixedBitSet;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The additions to labels, in chronological order.
#[derive(Clone, Debug)]
pub(crate) struct History {
    n_states: usize,
    additions: Vec<Addition>,
    /// The additions to each context.
    to: FxHashMap<ContextId, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Addition {
    /// The context that the states come from, and its step (`None` if the module moved alone).
    /// `None` for initial states.
    cause: Option<(ContextId, Option<ProductStep>)>,
    /// The states that were added.
    new: States,
}

/// A set of states, as a sorted list or as a bit set, whichever is smaller.
#[derive(Clone, Debug)]
enum States {
    Few(Box<[StateId]>),
    Many(FixedBitSet),
}

/// One step back towards the origin of a state in a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The context before the step.
    pub context: ContextId,
    /// The module's state before the step.
    pub state: StateId,
    /// The label of the step.
    pub label: Label,
    /// The step of the context; none if the module moved alone.
    pub step: Option<ProductStep>,
}

impl History {
    /// An empty history, for labels over `n_states` states.
    pub(crate) fn new(n_states: usize) -> Self {
        Self { n_states, additions: Vec::new(), to: FxHashMap::default() }
    }

    /// Records initial states of a label.
    pub(crate) fn begin(&mut self, to: ContextId, states: &[StateId]) {
        self.push(to, None, states);
    }

    /// Records an addition.
    pub(crate) fn note(&mut self, cause: &Cause<'_>) {
        self.push(cause.to, Some((cause.from, cause.step)), cause.new);
    }

    fn push(
        &mut self,
        to: ContextId,
        cause: Option<(ContextId, Option<ProductStep>)>,
        states: &[StateId],
    ) {
        self.to.entry(to).or_default().push(self.additions.len());
        let new = States::of(states, self.n_states);
        self.additions.push(Addition { cause, new });
    }

    /// The steps by which a state came into the label of a context, back to an initial one.
    /// `origins` yields a context and the contexts it has inherited its label from; `back` moves
    /// against the direction in which the labels grew.
    pub(crate) fn links<I: Iterator<Item = ContextId>>(
        &self,
        context: ContextId,
        state: StateId,
        back: &Moves<'_>,
        origins: impl Fn(ContextId) -> I,
    ) -> Vec<Link> {
        let mut links = Vec::new();
        let mut now = self.when(origins(context), state);
        let mut state = state;
        while let Some(time) = now
            && let Some((context, step)) = self.additions[time].cause
        {
            let when = |state| self.when(origins(context), state);
            let before = match step {
                Some(_) => vec![self.one_link(context, state, step, time, back, when)],
                None => self.alone(context, state, time, back, when),
            };
            state = before.last().expect("an addition has a cause").state;
            links.extend(before);
            now = when(state);
        }
        links
    }

    /// The step by which a state came into a label at this time.
    fn one_link(
        &self,
        context: ContextId,
        state: StateId,
        step: Option<ProductStep>,
        time: usize,
        back: &Moves<'_>,
        when: impl Fn(StateId) -> Option<usize>,
    ) -> Link {
        let sources = back.neighbours(state, step).into_iter();
        let times = sources.filter_map(|(label, source)| Some((when(source)?, label, source)));
        let first = times.min().filter(|&(source_time, ..)| source_time < time);
        let (_, label, source) = first.expect("an addition has an earlier cause");
        Link { context, state: source, label, step }
    }

    /// The module's own moves by which a state came into a label at this time, back to a state that
    /// was there before.
    fn alone(
        &self,
        context: ContextId,
        state: StateId,
        time: usize,
        back: &Moves<'_>,
        when: impl Fn(StateId) -> Option<usize>,
    ) -> Vec<Link> {
        // For each state found, the move out of it and its target.
        let mut found: FxHashMap<StateId, (Label, StateId)> = FxHashMap::default();
        let mut queue = VecDeque::from([state]);
        while let Some(target) = queue.pop_front() {
            for (label, source) in back.neighbours(target, None) {
                let Some(source_time) = when(source).filter(|&t| t <= time) else { continue };
                if source == state || found.contains_key(&source) {
                    continue;
                }
                found.insert(source, (label, target));
                if source_time < time {
                    return way(context, source, state, &found);
                }
                queue.push_back(source);
            }
        }
        unreachable!("moves alone begin at a state that was there before")
    }

    /// The time at which the state came into the label.
    fn when(&self, origins: impl Iterator<Item = ContextId>, state: StateId) -> Option<usize> {
        let additions = origins.filter_map(|context| self.to.get(&context)).flatten();
        let mut additions = additions.copied();
        additions.find(|&time| self.additions[time].new.contains(state))
    }
}

/// The moves from one state to another, last one first.
fn way(
    context: ContextId,
    from: StateId,
    to: StateId,
    found: &FxHashMap<StateId, (Label, StateId)>,
) -> Vec<Link> {
    let mut links = Vec::new();
    let mut state = from;
    while state != to {
        let (label, next) = found[&state];
        links.push(Link { context, state, label, step: None });
        state = next;
    }
    links.reverse();
    links
}

impl States {
    fn of(states: &[StateId], n_states: usize) -> Self {
        if size_of_val(states) <= n_states / 8 {
            let mut list: Box<[StateId]> = states.into();
            list.sort_unstable();
            return Self::Few(list);
        }
        let mut set = FixedBitSet::with_capacity(n_states);
        states.iter().for_each(|state| set.insert(state.index()));
        Self::Many(set)
    }

    fn contains(&self, state: StateId) -> bool {
        match self {
            Self::Few(list) => list.binary_search(&state).is_ok(),
            Self::Many(set) => set.contains(state.index()),
        }
    }
}
