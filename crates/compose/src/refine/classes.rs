//! One part of the environment, abstracted by a partition: a modal transition system.
//!
//! There *may* be a step from class to class if some member steps to some member. It is a
//! *forward must* if every member of the target has a predecessor in the source, and a
//! *backward must* if every member of the source has a successor in the target. A split
//! makes two new classes and changes the edges at them only; the old class stays as an
//! inner point of a tree, so that what was once known of it can still be told of its members.

use resy_automata::lts::{Label, Lts, Reverse, StateId};
use resy_index::{IndexVec, define_id};

define_id!(
    /// A class of states of a part of the environment, now or before.
    pub(crate) struct ClassId,
    "c"
);

/// The partition of a part, with its edges.
#[derive(Clone, Debug)]
pub(crate) struct Classes<'a> {
    pub lts: &'a Lts,
    reverse: Reverse,
    class_of: IndexVec<StateId, ClassId>,
    classes: IndexVec<ClassId, Class>,
}

#[derive(Clone, Debug)]
struct Class {
    /// The class that was split to get this one.
    parent: Option<ClassId>,
    /// Empty once the class has been split.
    members: Vec<StateId>,
    out: Vec<LocalEdge>,
    /// The classes with an edge to this one.
    sources: Vec<ClassId>,
    /// The labels that members have, and whether all have them.
    enabled: Vec<(Label, bool)>,
}

/// Some member of a class steps to some member of the target.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LocalEdge {
    pub label: Label,
    pub target: ClassId,
    /// Every member of the target has a predecessor.
    pub forward_must: bool,
    /// Every member of the source has a successor.
    pub backward_must: bool,
}

/// A transition between states, with the class at its other end.
type Crossing = (Label, ClassId, StateId, StateId);

impl<'a> Classes<'a> {
    /// All states in one class.
    pub(crate) fn single(lts: &'a Lts) -> Self {
        let mut classes = IndexVec::new();
        let all = classes.push(Class::new(None, lts.states().collect()));
        let class_of = lts.states().map(|_| all).collect();
        let mut this = Self { lts, reverse: Reverse::of(lts), class_of, classes };
        this.connect(&[all]);
        this
    }

    /// The class of a state.
    pub(crate) fn class_of(&self, state: StateId) -> ClassId {
        self.class_of[state]
    }

    /// The number of classes there are now.
    pub(crate) fn len(&self) -> usize {
        // Each split has made one class of the past and one more of the present.
        self.classes.len().div_ceil(2)
    }

    /// The states of a class that has not been split.
    pub(crate) fn members(&self, class: ClassId) -> &[StateId] {
        &self.classes[class].members
    }

    /// Whether the state is in the class, which may have been split since.
    pub(crate) fn is_in(&self, state: StateId, class: ClassId) -> bool {
        let parent = |&c: &ClassId| self.classes[c].parent;
        std::iter::successors(Some(self.class_of[state]), parent).any(|c| c == class)
    }

    /// The edges from a class by a label.
    pub(crate) fn edges(&self, class: ClassId, label: Label) -> &[LocalEdge] {
        let out = &self.classes[class].out;
        let start = out.partition_point(|edge| edge.label < label);
        let n = out[start..].partition_point(|edge| edge.label == label);
        &out[start..start + n]
    }

    /// The labels that members of the class have, and whether all of them have it.
    pub(crate) fn enabled(&self, class: ClassId) -> &[(Label, bool)] {
        &self.classes[class].enabled
    }

    /// Whether all members of the class have the label.
    pub(crate) fn all_enabled(&self, class: ClassId, label: Label) -> bool {
        self.classes[class].enabled.contains(&(label, true))
    }

    /// The members of `target` with a predecessor in `source`.
    pub(crate) fn entered(&self, source: ClassId, label: Label, target: ClassId) -> Vec<StateId> {
        let from = |state| self.predecessors(state, label).any(|s| self.class_of[s] == source);
        self.members(target).iter().copied().filter(|&state| from(state)).collect()
    }

    /// The members of `source` with a successor in `target`, or anywhere.
    pub(crate) fn left(
        &self,
        source: ClassId,
        label: Label,
        target: Option<ClassId>,
    ) -> Vec<StateId> {
        let there = |state| target.is_none_or(|class| self.class_of[state] == class);
        let to = |state| self.lts.transitions_by(state, label).iter().any(|t| there(t.1));
        self.members(source).iter().copied().filter(|&state| to(state)).collect()
    }

    /// The states before a state by a label.
    pub(crate) fn predecessors(
        &self,
        state: StateId,
        label: Label,
    ) -> impl Iterator<Item = StateId> + '_ {
        let row = self.reverse.transitions_into(state).iter();
        row.filter(move |t| t.0 == label).map(|t| t.1)
    }

    /// Splits these members off, some but not all; returns the class with them and the
    /// class with the others.
    pub(crate) fn split(&mut self, class: ClassId, apart: &[StateId]) -> [ClassId; 2] {
        let members = std::mem::take(&mut self.classes[class].members);
        let rest: Vec<StateId> = members.into_iter().filter(|s| !apart.contains(s)).collect();
        assert!(!rest.is_empty() && !apart.is_empty(), "a split is proper");
        self.disconnect(class);
        let parts = [apart.to_vec(), rest].map(|members| {
            let part = self.classes.next_id();
            members.iter().for_each(|&state| self.class_of[state] = part);
            self.classes.push(Class::new(Some(class), members))
        });
        self.connect(&parts);
        parts
    }

    /// Removes all edges at a class.
    fn disconnect(&mut self, class: ClassId) {
        for edge in std::mem::take(&mut self.classes[class].out) {
            self.classes[edge.target].sources.retain(|&c| c != class);
        }
        for source in std::mem::take(&mut self.classes[class].sources) {
            self.classes[source].out.retain(|edge| edge.target != class);
        }
    }

    /// Finds all edges at new classes.
    fn connect(&mut self, new: &[ClassId]) {
        for &class in new {
            let mut out: Vec<Crossing> = Vec::new();
            let mut into: Vec<Crossing> = Vec::new();
            for &state in &self.classes[class].members {
                let row = self.lts.transitions_from(state).iter();
                out.extend(row.map(|&(label, to)| (label, self.class_of[to], state, to)));
                let row = self.reverse.transitions_into(state).iter();
                let row = row.map(|&(label, from)| (label, self.class_of[from], from, state));
                // Edges between new classes are found at their sources.
                into.extend(row.filter(|crossing| !new.contains(&crossing.1)));
            }
            self.classes[class].enabled = self.count_enabled(class, &out);
            for (label, target, bundle) in bundles(&mut out) {
                self.add_edge(class, label, target, bundle);
            }
            for (label, source, bundle) in bundles(&mut into) {
                self.add_edge(source, label, class, bundle);
            }
        }
    }

    /// Adds the edge that consists of these transitions.
    fn add_edge(&mut self, source: ClassId, label: Label, target: ClassId, bundle: &[Crossing]) {
        let forward_must = distinct(bundle, |c| c.3) == self.classes[target].members.len();
        let backward_must = distinct(bundle, |c| c.2) == self.classes[source].members.len();
        let edge = LocalEdge { label, target, forward_must, backward_must };
        let out = &mut self.classes[source].out;
        out.insert(out.partition_point(|other| *other < edge), edge);
        let sources = &mut self.classes[target].sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
    }

    fn count_enabled(&self, class: ClassId, out: &[Crossing]) -> Vec<(Label, bool)> {
        let mut pairs: Vec<_> = out.iter().map(|&(label, _, state, _)| (label, state)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let all = self.classes[class].members.len();
        pairs.chunk_by(|a, b| a.0 == b.0).map(|run| (run[0].0, run.len() == all)).collect()
    }
}

impl Class {
    fn new(parent: Option<ClassId>, members: Vec<StateId>) -> Self {
        Self { parent, members, out: Vec::new(), sources: Vec::new(), enabled: Vec::new() }
    }
}

/// The transitions of each label and class.
fn bundles(crossings: &mut [Crossing]) -> impl Iterator<Item = (Label, ClassId, &[Crossing])> {
    crossings.sort_unstable();
    let bundles = crossings.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    bundles.map(|bundle| (bundle[0].0, bundle[0].1, bundle))
}

fn distinct(bundle: &[Crossing], end: impl Fn(&Crossing) -> StateId) -> usize {
    let mut ends: Vec<StateId> = bundle.iter().map(end).collect();
    ends.sort_unstable();
    ends.dedup();
    ends.len()
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
            let edges = live.iter().flat_map(|&c| classes.classes[c].out.iter().map(move |e| {
                (c, e.label, e.target, e.forward_must, e.backward_must)
            }));
            prop_assert_eq!(edges.collect::<BTreeSet<_>>(), definition(&classes));
            for &class in &live {
                for (label, all) in classes.enabled(class) {
                    let able = classes.left(class, *label, None).len();
                    prop_assert_eq!(*all, able == classes.members(class).len());
                }
            }
        }
    }
}
