//! Contexts found by what they stand for, near one that is known.
//!
//! With a thousand parts a step changes two or three classes. So the hash of a place is the sum of a number
//! for each part and its class, and changes by a few terms; the place itself is written down only if
//! it is new.

use super::abstraction::{AbstractTuple, Context};
use super::classes::ClassId;
use crate::labels::ContextId;
use hashbrown::HashTable;
use resy_automata::lts::StateId;
use resy_index::{Id, IndexVec};

/// How a place differs from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Parts with other classes, each once.
    pub classes: Vec<(usize, ClassId)>,
    /// The state of the monitor.
    pub monitor: StateId,
}

/// The contexts of some places.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContextTable(HashTable<ContextId>);

type Contexts = IndexVec<ContextId, Context>;

impl ContextTable {
    /// The context of the place that differs so from another, and the hash of that place.
    pub(crate) fn find(
        &self,
        contexts: &Contexts,
        base: &Context,
        difference: &Difference,
    ) -> (Option<ContextId>, u64) {
        let hash = difference.hash(base);
        let found = self.0.find(hash, |&id| difference.leads(&base.place, &contexts[id].place));
        (found.copied(), hash)
    }

    /// Adds a context with a place of its own.
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
    /// No difference but this class.
    pub(crate) fn of_class(part: usize, class: ClassId, monitor: StateId) -> Self {
        Self { classes: vec![(part, class)], monitor }
    }

    /// Whether there is none.
    pub(crate) fn is_none(&self, place: &AbstractTuple) -> bool {
        self.monitor == place.1 && self.classes.iter().all(|&(part, class)| place.0[part] == class)
    }

    /// The place that differs so.
    pub(crate) fn apply(&self, place: &AbstractTuple) -> AbstractTuple {
        let mut classes = place.0.clone();
        self.classes.iter().for_each(|&(part, class)| classes[part] = class);
        (classes, self.monitor)
    }

    fn hash(&self, base: &Context) -> u64 {
        let (classes, monitor) = &base.place;
        let mut hash = base.hash;
        hash = hash.wrapping_sub(of_monitor(*monitor)).wrapping_add(of_monitor(self.monitor));
        for &(part, class) in &self.classes {
            hash =
                hash.wrapping_sub(of_part(part, classes[part])).wrapping_add(of_part(part, class));
        }
        hash
    }

    /// Whether it leads from one place to the other.
    fn leads(&self, from: &AbstractTuple, to: &AbstractTuple) -> bool {
        if self.monitor != to.1 || self.classes.iter().any(|&(part, class)| to.0[part] != class) {
            return false;
        }
        let is_other = |part: usize| self.classes.iter().any(|change| change.0 == part);
        let mut pairs = from.0.iter().zip(&to.0).enumerate();
        pairs.all(|(part, (a, b))| a == b || is_other(part))
    }
}

/// The hash of a place.
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

/// A number that looks random (splitmix64).
fn scatter(number: u64) -> u64 {
    let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
