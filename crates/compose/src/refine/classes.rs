//! One part of the environment, abstracted by a partition: a modal transition system.
//!
//! A *may* edge leads from class to class if some member has a transition to some member. It is a
//! *forward must* edge if every member of the target has a predecessor in the source, and a
//! *backward must* edge if every member of the source has a successor in the target. Both are known
//! from counts ([`Bundles`]). A split creates two new classes; the old one remains as an inner node
//! of a tree, so that facts about it still apply to its members.

use super::bundles::{Bundles, SlotId};
use resy_automata::lts::{Label, Lts, Reverse, StateId};
use resy_index::{IndexVec, define_id};

define_id!(
    /// A class of states of a part of the environment, present or past.
    pub(crate) struct ClassId,
    "c"
);

/// The partition of a part, with its edges.
#[derive(Clone, Debug)]
pub(crate) struct Classes<'a> {
    pub lts: &'a Lts,
    reverse: Reverse,
    bundles: Bundles,
    classes: IndexVec<ClassId, Class>,
    /// The present class of each slot.
    class_of: IndexVec<SlotId, ClassId>,
}

#[derive(Clone, Debug)]
struct Class {
    /// The class that was split to get this one.
    parent: Option<ClassId>,
    /// Empty once the class has been split.
    members: Vec<StateId>,
    /// The storage of its edges; for a class that has been split, that of one of its two halves.
    slot: SlotId,
}

/// A may edge from a class.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalEdge {
    pub target: ClassId,
    /// Every member of the target has a predecessor.
    pub forward_must: bool,
    /// Every member of the source has a successor.
    pub backward_must: bool,
}

impl<'a> Classes<'a> {
    /// All states in one class.
    pub(crate) fn single(lts: &'a Lts) -> Self {
        let reverse = Reverse::of(lts);
        let (bundles, slot) = Bundles::single(lts, &reverse);
        let mut classes = IndexVec::new();
        let members = lts.states().collect();
        let all = classes.push(Class { parent: None, members, slot });
        Self { lts, reverse, bundles, classes, class_of: IndexVec::from_vec(vec![all]) }
    }

    /// The class of a state.
    pub(crate) fn class_of(&self, state: StateId) -> ClassId {
        self.class_of[self.bundles.slot_of(state)]
    }

    /// The number of present classes.
    pub(crate) fn len(&self) -> usize {
        self.class_of.len()
    }

    /// The states of a present class.
    pub(crate) fn members(&self, class: ClassId) -> &[StateId] {
        &self.classes[class].members
    }

    /// Whether the state is in the class, present or past.
    pub(crate) fn is_in(&self, state: StateId, class: ClassId) -> bool {
        let parent = |&c: &ClassId| self.classes[c].parent;
        std::iter::successors(Some(self.class_of(state)), parent).any(|c| c == class)
    }

    /// The edges from a class by a label.
    pub(crate) fn edges(
        &self,
        class: ClassId,
        label: Label,
    ) -> impl Iterator<Item = LocalEdge> + Clone + '_ {
        let n_sources = self.members(class).len();
        self.bundles.out(self.classes[class].slot, label).map(move |(slot, bundle)| {
            let target = self.class_of[slot];
            LocalEdge {
                target,
                forward_must: bundle.n_targets as usize == self.members(target).len(),
                backward_must: bundle.n_sources as usize == n_sources,
            }
        })
    }

    /// The labels that members of the class have.
    pub(crate) fn enabled(&self, class: ClassId) -> impl Iterator<Item = Label> + '_ {
        self.bundles.enabled(self.classes[class].slot).map(|(label, _)| label)
    }

    /// Whether all members of the class have the label.
    pub(crate) fn all_enabled(&self, class: ClassId, label: Label) -> bool {
        let able = self.bundles.n_enabled(self.classes[class].slot, label);
        able as usize == self.members(class).len()
    }

    /// The members of `target` with a predecessor in `source`.
    pub(crate) fn entered(&self, source: ClassId, label: Label, target: ClassId) -> Vec<StateId> {
        let source = self.classes[source].slot;
        let members = self.members(target).iter().copied();
        members.filter(|&state| self.bundles.is_entered(state, label, source)).collect()
    }

    /// The members of `source` with a successor in `target`, or anywhere.
    pub(crate) fn left(
        &self,
        source: ClassId,
        label: Label,
        target: Option<ClassId>,
    ) -> Vec<StateId> {
        let target = target.map(|class| self.classes[class].slot);
        let leaves = |state| match target {
            Some(slot) => self.bundles.is_left(state, label, slot),
            None => !self.lts.transitions_by(state, label).is_empty(),
        };
        self.members(source).iter().copied().filter(|&state| leaves(state)).collect()
    }

    /// The predecessors of a state by a label.
    pub(crate) fn predecessors(
        &self,
        state: StateId,
        label: Label,
    ) -> impl Iterator<Item = StateId> + '_ {
        let row = self.reverse.transitions_into(state).iter();
        row.filter(move |t| t.0 == label).map(|t| t.1)
    }

    /// Splits off these members, a proper subset in the order of the class; returns the class with
    /// them and the class with the others.
    pub(crate) fn split(&mut self, class: ClassId, apart: &[StateId]) -> [ClassId; 2] {
        let members = std::mem::take(&mut self.classes[class].members);
        let mut chosen = apart.iter().peekable();
        let rest: Vec<StateId> =
            members.into_iter().filter(|state| chosen.next_if_eq(&state).is_none()).collect();
        assert!(chosen.peek().is_none(), "what is split off are members, in order");
        assert!(!rest.is_empty() && !apart.is_empty(), "a split is proper");
        let old = self.classes[class].slot;
        // The smaller half moves, so that a state moves a logarithmic number of times.
        let apart_moves = apart.len() <= rest.len();
        let moving = if apart_moves { apart } else { &rest[..] };
        let new = self.bundles.split(self.lts, &self.reverse, old, moving);
        let slots = if apart_moves { [new, old] } else { [old, new] };
        self.class_of.push(class);
        let mut parts = [apart.to_vec(), rest].into_iter().zip(slots).map(|(members, slot)| {
            let part = self.classes.push(Class { parent: Some(class), members, slot });
            self.class_of[slot] = part;
            part
        });
        [parts.next(), parts.next()].map(|part| part.expect("there are two"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use resy_automata::lts::LtsBuilder;
    use resy_index::Id;
    use std::collections::BTreeSet;

    /// The modal edges from their definition: source, label, target, forward and backward must.
    fn definition(classes: &Classes<'_>) -> BTreeSet<(ClassId, Label, ClassId, bool, bool)> {
        let lts = classes.lts;
        let may: BTreeSet<_> = lts
            .transitions()
            .map(|(s, l, t)| (classes.class_of(s), l, classes.class_of(t)))
            .collect();
        let step = |s: StateId, l, t: StateId| lts.transitions_from(s).contains(&(l, t));
        may.into_iter()
            .map(|(c, l, d)| {
                let (from, to) = (classes.members(c), classes.members(d));
                let forward = to.iter().all(|&t| from.iter().any(|&s| step(s, l, t)));
                let backward = from.iter().all(|&s| to.iter().any(|&t| step(s, l, t)));
                (c, l, d, forward, backward)
            })
            .collect()
    }

    proptest! {
        #[test]
        fn edges_are_those_of_the_definition_after_any_splits(
            transitions in prop::collection::vec((0..8usize, 0..3usize, 0..8usize), 0..24),
            splits in prop::collection::vec((0..8usize, any::<u8>()), 0..6),
        ) {
            let mut builder = LtsBuilder::with_states(8);
            for (s, a, t) in transitions {
                let label = Label::Visible(Id::from_index(a));
                builder.add_transition(Id::from_index(s), label, Id::from_index(t));
            }
            let lts = builder.finish(Id::from_index(0), Default::default());
            let mut classes = Classes::single(&lts);
            for (state, bits) in splits {
                let class = classes.class_of(Id::from_index(state));
                let members = classes.members(class).to_vec();
                let apart: Vec<StateId> =
                    members.iter().copied().filter(|s| bits >> s.index() & 1 == 1).collect();
                if apart.is_empty() || apart.len() == members.len() {
                    continue;
                }
                let [yes, no] = classes.split(class, &apart);
                prop_assert!(members.iter().all(|&s| classes.is_in(s, class)));
                prop_assert!(apart.iter().all(|&s| classes.is_in(s, yes) && !classes.is_in(s, no)));
            }
            let live: BTreeSet<ClassId> = lts.states().map(|s| classes.class_of(s)).collect();
            prop_assert_eq!(live.len(), classes.len());
            let classes = &classes;
            let edges = live.iter().flat_map(|&c| classes.enabled(c).flat_map(move |label| {
                let edges = classes.edges(c, label);
                edges.map(move |e| (c, label, e.target, e.forward_must, e.backward_must))
            }));
            prop_assert_eq!(edges.collect::<BTreeSet<_>>(), definition(classes));
            for &class in &live {
                let members = classes.members(class);
                for label in classes.enabled(class) {
                    let able = classes.left(class, label, None).len();
                    prop_assert!(able > 0);
                    prop_assert_eq!(classes.all_enabled(class, label), able == members.len());
                    for edge in classes.edges(class, label) {
                        let left = classes.left(class, label, Some(edge.target)).len();
                        prop_assert_eq!(edge.backward_must, left == members.len());
                        let entered = classes.entered(class, label, edge.target).len();
                        let all = classes.members(edge.target).len();
                        prop_assert_eq!(edge.forward_must, entered == all);
                    }
                }
            }
        }
    }
}
