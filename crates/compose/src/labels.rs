//! Labels of contexts with sets of states of the module, and their least fixpoint.
//!
//! Labels only grow, and only what is new in a label is handed on (difference propagation),
//! so that a step of the module is taken once for each context at most.

use crate::bits::BitSet;
use crate::moves::Moves;
use resy_automata::product::Step;
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

define_id!(
    /// A context of the module: a state of environment and monitor, or a class of them.
    pub(crate) struct ContextId,
    "q"
);

/// A label for each context, and what has not been handed on yet.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    sets: IndexVec<ContextId, BitSet>,
    fresh: FxHashMap<ContextId, BitSet>,
    queue: VecDeque<ContextId>,
}

/// Why states were added to a label.
#[derive(Clone, Debug)]
pub(crate) struct Cause<'a> {
    /// The context whose label they come from.
    pub from: ContextId,
    /// The step of the context; none if the module moved alone.
    pub step: Option<Step>,
    /// The context whose label they are added to.
    pub to: ContextId,
    /// The states.
    pub new: &'a BitSet,
}

impl Labels {
    /// Empty labels.
    pub(crate) fn new(n_contexts: usize, n_states: usize) -> Self {
        let sets = (0..n_contexts).map(|_| BitSet::new(n_states)).collect();
        Self { sets, fresh: FxHashMap::default(), queue: VecDeque::new() }
    }

    /// One more context; its label counts as handed on.
    pub(crate) fn push(&mut self, label: BitSet) -> ContextId {
        self.sets.push(label)
    }

    pub(crate) fn get(&self, context: ContextId) -> &BitSet {
        &self.sets[context]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &BitSet> {
        self.sets.iter()
    }

    /// Adds states to a label; returns those that are new, if any.
    pub(crate) fn add(&mut self, context: ContextId, mut states: BitSet) -> Option<BitSet> {
        let label = &mut self.sets[context];
        states.remove_all(label);
        if states.is_empty() {
            return None;
        }
        label.union_with(&states);
        match self.fresh.get_mut(&context) {
            Some(fresh) => fresh.union_with(&states),
            None => {
                self.fresh.insert(context, states.clone());
                self.queue.push_back(context);
            }
        }
        Some(states)
    }

    /// Closes the labels under moves of the module alone and under the edges that `edges`
    /// gives for a context; tells `note` why anything was added.
    pub(crate) fn close(
        &mut self,
        moves: &Moves<'_>,
        mut edges: impl FnMut(ContextId, &mut dyn FnMut(Step, ContextId)),
        mut note: impl FnMut(Cause<'_>),
    ) {
        while let Some(from) = self.queue.pop_front() {
            let Some(fresh) = self.fresh.remove(&from) else { continue };
            if let Some(new) = self.add(from, moves.alone(&fresh)) {
                note(Cause { from, step: None, to: from, new: &new });
            }
            let mut last: Option<(Step, BitSet)> = None;
            edges(from, &mut |step, to| {
                let image = match last.take().filter(|l| l.0 == step) {
                    Some((_, image)) => image,
                    None => moves.with(step, &fresh),
                };
                if let Some(new) = self.add(to, image.clone()) {
                    note(Cause { from, step: Some(step), to, new: &new });
                }
                last = Some((step, image));
            });
        }
    }
}

/// The context with this number.
pub(crate) fn context(index: usize) -> ContextId {
    Id::from_index(index)
}
