//! Counts of transitions between classes, maintained under splits.
//!
//! A bundle is the set of transitions of a label from one class to another. It is characterised by
//! the numbers of its different sources and targets. To update them, the transitions between each
//! state and each class are counted as well, as Paige and Tarjan do ("Three partition refinement
//! algorithms", 1987). In a split only the smaller half moves to a new *slot*; the other keeps the
//! old slot with all its counts. So each transition is processed a logarithmic number of times.

use resy_automata::lts::{Label, Lts, Reverse, StateId};
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

define_id!(
    /// The storage of a class's bundles.
    pub(crate) struct SlotId,
    "slot"
);

/// The counts of a bundle.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bundle {
    /// Members of the source with such a transition.
    pub n_sources: u32,
    /// Members of the target with such a transition.
    pub n_targets: u32,
}

/// All bundles of a partition.
#[derive(Clone, Debug)]
pub(crate) struct Bundles {
    slot_of: IndexVec<StateId, SlotId>,
    slots: IndexVec<SlotId, Slot>,
    /// For a state, the number of its transitions by a label into a class.
    leaving: Counts,
    /// For a state, the number of transitions by a label from a class to it.
    entering: Counts,
}

/// The bundles of a class.
#[derive(Clone, Debug, Default)]
struct Slot {
    out: BTreeMap<(Label, SlotId), Bundle>,
    /// For each label, the number of members that have it.
    enabled: BTreeMap<Label, u32>,
}

type Counts = FxHashMap<(StateId, Label, SlotId), u32>;

impl Bundles {
    /// The bundles of the partition with one class, and its slot.
    pub(crate) fn single(lts: &Lts, reverse: &Reverse) -> (Self, SlotId) {
        let mut slots = IndexVec::new();
        let all = slots.push(Slot::default());
        let slot_of = lts.states().map(|_| all).collect();
        let (leaving, entering) = (Counts::default(), Counts::default());
        let mut this = Self { slot_of, slots, leaving, entering };
        let slot = &mut this.slots[all];
        for state in lts.states() {
            for run in lts.transitions_from(state).chunk_by(|a, b| a.0 == b.0) {
                let label = run[0].0;
                this.leaving.insert((state, label, all), run.len() as u32);
                slot.out.entry((label, all)).or_default().n_sources += 1;
                *slot.enabled.entry(label).or_default() += 1;
            }
            for &(label, _) in reverse.transitions_into(state) {
                if increase(&mut this.entering, (state, label, all)) {
                    slot.out.entry((label, all)).or_default().n_targets += 1;
                }
            }
        }
        (this, all)
    }

    /// The slot of a state's class.
    pub(crate) fn slot_of(&self, state: StateId) -> SlotId {
        self.slot_of[state]
    }

    /// The bundles of a label out of a class, by target.
    pub(crate) fn out(
        &self,
        slot: SlotId,
        label: Label,
    ) -> impl Iterator<Item = (SlotId, Bundle)> + Clone + '_ {
        let (first, last) = (SlotId::from_index(0), SlotId::from_index(self.slots.len()));
        let bundles = self.slots[slot].out.range((label, first)..(label, last));
        bundles.map(|(&(_, target), &bundle)| (target, bundle))
    }

    /// The labels of a class, with the numbers of members that have them.
    pub(crate) fn enabled(&self, slot: SlotId) -> impl Iterator<Item = (Label, u32)> + '_ {
        self.slots[slot].enabled.iter().map(|(&label, &n)| (label, n))
    }

    /// The number of members of a class that have a label.
    pub(crate) fn n_enabled(&self, slot: SlotId, label: Label) -> u32 {
        self.slots[slot].enabled.get(&label).copied().unwrap_or(0)
    }

    /// Whether a state has a transition into the class.
    pub(crate) fn is_left(&self, state: StateId, label: Label, target: SlotId) -> bool {
        self.leaving.contains_key(&(state, label, target))
    }

    /// Whether there is a transition from the class to the state.
    pub(crate) fn is_entered(&self, state: StateId, label: Label, source: SlotId) -> bool {
        self.entering.contains_key(&(state, label, source))
    }

    /// Moves some members of a class to a new slot.
    pub(crate) fn split(
        &mut self,
        lts: &Lts,
        reverse: &Reverse,
        old: SlotId,
        moving: &[StateId],
    ) -> SlotId {
        let new = self.slots.push(Slot::default());
        for &state in moving {
            self.move_source(lts.transitions_from(state), old, new);
        }
        moving.iter().for_each(|&state| self.slot_of[state] = new);
        for &state in moving {
            self.move_target(reverse.transitions_into(state), old, new);
        }
        new
    }

    /// Updates the counts for the transitions out of a state that changes its class.
    fn move_source(&mut self, transitions: &[(Label, StateId)], old: SlotId, new: SlotId) {
        let mut ways = Vec::new();
        for &(label, to) in transitions {
            let target = (label, self.slot_of[to]);
            ways.push(target);
            if decrease(&mut self.entering, (to, label, old)) {
                self.bundle(old, target).n_targets -= 1;
            }
            if increase(&mut self.entering, (to, label, new)) {
                self.bundle(new, target).n_targets += 1;
            }
        }
        ways.sort_unstable();
        ways.dedup();
        for way in &ways {
            self.bundle(old, *way).n_sources -= 1;
            self.bundle(new, *way).n_sources += 1;
            self.drop_if_empty(old, *way);
        }
        ways.dedup_by_key(|way| way.0);
        for (label, _) in ways {
            let enabled = &mut self.slots[old].enabled;
            let n = enabled.entry(label).or_default();
            *n -= 1;
            if *n == 0 {
                enabled.remove(&label);
            }
            *self.slots[new].enabled.entry(label).or_default() += 1;
        }
    }

    /// Updates the counts for the transitions into a state that changes its class.
    fn move_target(&mut self, transitions: &[(Label, StateId)], old: SlotId, new: SlotId) {
        let mut ways = Vec::new();
        for &(label, from) in transitions {
            let source = self.slot_of[from];
            ways.push((label, source));
            if decrease(&mut self.leaving, (from, label, old)) {
                self.bundle(source, (label, old)).n_sources -= 1;
            }
            if increase(&mut self.leaving, (from, label, new)) {
                self.bundle(source, (label, new)).n_sources += 1;
            }
        }
        ways.sort_unstable();
        ways.dedup();
        for (label, source) in ways {
            self.bundle(source, (label, old)).n_targets -= 1;
            self.bundle(source, (label, new)).n_targets += 1;
            self.drop_if_empty(source, (label, old));
        }
    }

    fn bundle(&mut self, source: SlotId, target: (Label, SlotId)) -> &mut Bundle {
        self.slots[source].out.entry(target).or_default()
    }

    fn drop_if_empty(&mut self, source: SlotId, target: (Label, SlotId)) {
        if self.slots[source].out.get(&target) == Some(&Bundle::default()) {
            self.slots[source].out.remove(&target);
        }
    }
}

/// Increments a count; returns whether it was 0.
fn increase(counts: &mut Counts, key: (StateId, Label, SlotId)) -> bool {
    let count = counts.entry(key).or_insert(0);
    *count += 1;
    *count == 1
}

/// Decrements a count; returns whether it is 0.
fn decrease(counts: &mut Counts, key: (StateId, Label, SlotId)) -> bool {
    let Some(count) = counts.get_mut(&key) else { return false };
    *count -= 1;
    let last = *count == 0;
    if last {
        counts.remove(&key);
    }
    last
}
