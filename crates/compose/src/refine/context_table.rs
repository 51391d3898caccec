//! A table of contexts, searched by a difference to a known context.
//!
//! With a thousand parts, a step changes two or three classes. So the hash of a context is the sum
//! of one number per part and class, and changes by a few terms; the tuple itself is only built if
//! it is new.

use super::abstraction::{AbstractTuple, Context};
use super::classes::ClassId;
use crate::labels::ContextId;
use hashbrown::HashTable;
use resy_automata::lts::StateId;
use resy_index::random::scatter;
use resy_index::{Id, IndexVec};

/// The difference between two abstract tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The parts whose classes differ, each once, with the new class.
    pub classes: Vec<(usize, ClassId)>,
    /// The state of the monitor.
    pub monitor: StateId,
}

/// Contexts by their abstract tuples.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContextTable(HashTable<ContextId>);

type Contexts = IndexVec<ContextId, Context>;

impl ContextTable {
    /// The context whose tuple differs from that of `base` like this, and the hash of the tuple.
    pub(crate) fn find(
        &self,
        contexts: &Contexts,
        base: &Context,
        difference: &Difference,
    ) -> (Option<ContextId>, u64) {
        let hash = difference.hash(base);
        let found = self.0.find(hash, |&id| difference.leads(&base.tuple, &contexts[id].tuple));
        (found.copied(), hash)
    }

    /// Adds a context, whose tuple must be new.
    pub(crate) fn insert(&mut self, contexts: &Contexts, id: ContextId) {
        self.0.insert_unique(contexts[id].hash, id, |&other| contexts[other].hash);
    }

    /// Removes a context.
    pub(crate) fn remove(&mut self, contexts: &Contexts, id: ContextId) {
        if let Ok(entry) = self.0.find_entry(contexts[id].hash, |&other| other == id) {
            entry.remove();
        }
    }
}

impl Difference {
    /// A difference in one class.
    pub(crate) fn of_class(part: usize, class: ClassId, monitor: StateId) -> Self {
        Self { classes: vec![(part, class)], monitor }
    }

    /// Whether the difference is empty for this tuple.
    pub(crate) fn is_none(&self, tuple: &AbstractTuple) -> bool {
        self.monitor == tuple.1 && self.classes.iter().all(|&(part, class)| tuple.0[part] == class)
    }

    /// The tuple with the difference applied.
    pub(crate) fn apply(&self, tuple: &AbstractTuple) -> AbstractTuple {
        let mut classes = tuple.0.clone();
        self.classes.iter().for_each(|&(part, class)| classes[part] = class);
        (classes, self.monitor)
    }

    fn hash(&self, base: &Context) -> u64 {
        let (classes, monitor) = &base.tuple;
        let mut hash = base.hash;
        hash = hash.wrapping_sub(of_monitor(*monitor)).wrapping_add(of_monitor(self.monitor));
        for &(part, class) in &self.classes {
            hash =
                hash.wrapping_sub(of_part(part, classes[part])).wrapping_add(of_part(part, class));
        }
        hash
    }

    /// Whether it leads from one tuple to the other.
    fn leads(&self, from: &AbstractTuple, to: &AbstractTuple) -> bool {
        if self.monitor != to.1 || self.classes.iter().any(|&(part, class)| to.0[part] != class) {
            return false;
        }
        let is_other = |part: usize| self.classes.iter().any(|change| change.0 == part);
        let mut pairs = from.0.iter().zip(&to.0).enumerate();
        pairs.all(|(part, (a, b))| a == b || is_other(part))
    }
}

/// The hash of a tuple.
pub(crate) fn hash((classes, monitor): &AbstractTuple) -> u64 {
    let parts = classes.iter().enumerate().map(|(part, &class)| of_part(part, class));
    parts.fold(of_monitor(*monitor), u64::wrapping_add)
}

fn of_part(part: usize, class: ClassId) -> u64 {
    scatter(((part as u64 + 1) << 32) | class.index() as u64)
}

fn of_monitor(state: StateId) -> u64 {
    scatter(state.index() as u64)
}
