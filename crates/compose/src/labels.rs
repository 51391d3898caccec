//! Labels: for each context a set of module states, as a least fixpoint.
//!
//! Labels only grow, and only the new states of a label are propagated (difference propagation), so
//! that a step of the module is taken at most once per context.
//! Propagating whole sets was quadratic for modules with long internal chains.

use crate::moves::Moves;
use fixedbitset::FixedBitSet;
use resy_automata::lts::StateId;
use resy_automata::product::ProductStep;
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

define_id!(
    /// A context of the module: a state of environment and monitor, or a class of them.
    pub(crate) struct ContextId,
    "q"
);

/// A label for each context, and the states that are still to be propagated.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    /// `None` for an empty label.
    sets: IndexVec<ContextId, Option<FixedBitSet>>,
    empty: FixedBitSet,
    fresh: FxHashMap<ContextId, Vec<StateId>>,
    queue: VecDeque<ContextId>,
}

/// Why states were added to a label.
#[derive(Clone, Debug)]
pub(crate) struct Cause<'a> {
    /// The context whose label the states come from.
    pub from: ContextId,
    /// The step of the context; `None` for moves of the module alone.
    pub step: Option<ProductStep>,
    /// The context whose label the states are added to.
    pub to: ContextId,
    /// The states.
    pub new: &'a [StateId],
}

impl Labels {
    /// Empty labels.
    pub(crate) fn new(n_contexts: usize, n_states: usize) -> Self {
        let sets = (0..n_contexts).map(|_| None).collect();
        let empty = FixedBitSet::with_capacity(n_states);
        Self { sets, empty, fresh: FxHashMap::default(), queue: VecDeque::new() }
    }

    /// Adds a context; its label counts as propagated.
    pub(crate) fn push(&mut self, label: FixedBitSet) -> ContextId {
        self.sets.push((!label.is_clear()).then_some(label))
    }

    pub(crate) fn get(&self, context: ContextId) -> &FixedBitSet {
        self.sets[context].as_ref().unwrap_or(&self.empty)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FixedBitSet> {
        self.sets.iter().map(|set| set.as_ref().unwrap_or(&self.empty))
    }

    /// Drops the label of a context that is not used any more.
    pub(crate) fn forget(&mut self, context: ContextId) {
        self.sets[context] = None;
    }

    /// Adds states to a label; returns those that are new.
    pub(crate) fn add(
        &mut self,
        context: ContextId,
        states: impl IntoIterator<Item = StateId>,
    ) -> Vec<StateId> {
        let label = self.sets[context].get_or_insert_with(|| self.empty.clone());
        let new: Vec<StateId> = states.into_iter().filter(|s| !label.put(s.index())).collect();
        if !new.is_empty() {
            self.fresh
                .entry(context)
                .or_insert_with(|| {
                    self.queue.push_back(context);
                    Vec::new()
                })
                .extend(&new);
        }
        new
    }

    /// Closes the labels under moves of the module alone, and under the edges of contexts that
    /// `edges` enumerates; `note` is told the cause of each addition.
    pub(crate) fn close(
        &mut self,
        moves: &Moves<'_>,
        mut edges: impl FnMut(ContextId, &mut dyn FnMut(ProductStep, ContextId)),
        mut note: impl FnMut(Cause<'_>),
    ) {
        while let Some(from) = self.queue.pop_front() {
            let Some(mut fresh) = self.fresh.remove(&from) else { continue };
            let n_before = fresh.len();
            self.close_alone(from, moves, &mut fresh);
            if fresh.len() > n_before {
                note(Cause { from, step: None, to: from, new: &fresh[n_before..] });
            }
            let (mut last, mut image) = (None, Vec::new());
            edges(from, &mut |step, to| {
                if last != Some(step) {
                    image = moves.of_list(step, &fresh);
                    last = Some(step);
                }
                let new = self.add(to, image.iter().copied());
                if !new.is_empty() {
                    note(Cause { from, step: Some(step), to, new: &new });
                }
            });
        }
    }

    /// Closes a label, and its new states, under moves of the module alone.
    fn close_alone(&mut self, context: ContextId, moves: &Moves<'_>, fresh: &mut Vec<StateId>) {
        let label = self.sets[context].get_or_insert_with(|| self.empty.clone());
        let mut next = 0;
        while let Some(&state) = fresh.get(next) {
            let new = moves.alone(state).iter().filter(|to| !label.put(to.index()));
            fresh.extend(new);
            next += 1;
        }
    }
}

/// The context with this number.
pub(crate) fn context(index: usize) -> ContextId {
    Id::from_index(index)
}
