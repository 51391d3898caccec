//! Incremental repair of the abstract contexts after a split.
//!
//! Only contexts with the split class are replaced. Their steps are the same as before, except
//! those in which the split part takes part; of the other contexts, only the steps into replaced
//! contexts are computed again.

use super::abstraction::{AbstractTuple, Abstraction, Change, Context, Edge};
use super::classes::ClassId;
use super::context_table::{ContextTable, Difference, hash};
use super::steps::{AbstractStep, Steps};
use crate::labels::ContextId;
use resy_automata::lts::StateId;
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// A split in progress.
struct Renewal {
    part: usize,
    class: ClassId,
    /// The contexts that had the class; `None` in the initial exploration.
    replaced: Option<ContextTable>,
}

impl Abstraction<'_> {
    /// Explores all contexts initially.
    pub(super) fn explore(&mut self) {
        let nothing = Renewal { part: 0, class: Id::from_index(0), replaced: None };
        self.context_at(self.initial_tuple(), &nothing);
        self.renew_from(0, &nothing);
    }

    /// Splits these members off a class, and replaces the contexts that had it.
    pub(crate) fn split(&mut self, part: usize, class: ClassId, apart: &[StateId]) -> Change {
        let (n_contexts, n_edges) = (self.contexts.len(), self.edges.len());
        self.parts[part].split(class, apart);
        let old: Vec<ContextId> =
            self.live().filter(|(_, c)| c.tuple.0[part] == class).map(|(id, _)| id).collect();
        let initial = self.initial;
        let split = Renewal { part, class, replaced: Some(self.retire(&old)) };

        if !self.contexts[initial].is_live {
            self.initial = self.context_at(self.initial_tuple(), &split);
        }
        for (source, step) in self.cut_off(&old) {
            if !self.polls.goes_on() {
                break;
            }
            let steps = self.steps_by(&self.contexts[source].tuple, step);
            self.follow(source, steps, &split, n_contexts);
        }
        self.renew_from(n_contexts, &split);
        for id in old {
            let context = &mut self.contexts[id];
            (context.out, context.into) = (Vec::new(), Vec::new());
        }
        Change { contexts: n_contexts..self.contexts.len(), edges: n_edges..self.edges.len() }
    }

    /// Computes the steps of all contexts from this number on, which are new.
    fn renew_from(&mut self, first: usize, split: &Renewal) {
        let mut next = first;
        while next < self.contexts.len() && self.polls.goes_on() {
            self.renew(Id::from_index(next), split);
            next += 1;
        }
    }

    /// Computes the steps of a context that replaces another one. Steps without the split part are
    /// the same as before.
    fn renew(&mut self, source: ContextId, split: &Renewal) {
        let tuple = self.contexts[source].tuple.clone();
        let Some(parent) = self.contexts[source].parent else {
            let steps = self.steps(&tuple);
            return self.follow(source, steps, split, 0);
        };
        let changed = |this: &Self, step| this.participants(step).contains(&split.part);
        // With many parts, most edges lead to few contexts, and mostly back to their source.
        let mut renewed = FxHashMap::from_iter([(parent, source)]);
        for id in self.contexts[parent].out.clone() {
            let Edge { step, target, forward_must, backward_must, .. } = self.edges[id];
            if changed(self, step) {
                continue;
            }
            self.polls.goes_on();
            let target = *renewed.entry(target).or_insert_with(|| {
                let monitor = self.contexts[target].tuple.1;
                let there = Difference::of_class(split.part, tuple.0[split.part], monitor);
                self.context_near(target, &there, split)
            });
            self.connect(Edge { source, step, target, forward_must, backward_must });
        }
        let errors = self.contexts[parent].errors.clone().into_iter();
        let errors = errors.filter(|error| !changed(self, error.0)).collect();
        self.contexts[source].errors = errors;
        let steps = self.steps_of_part(&tuple, split.part);
        self.follow(source, steps, split, 0);
    }

    /// Adds steps of a context, but only those to contexts from the number `from` on.
    fn follow(&mut self, source: ContextId, steps: Steps, split: &Renewal, from: usize) {
        for step in steps.edges {
            self.polls.goes_on();
            let AbstractStep { step, there, forward_must, backward_must } = step;
            let target = self.context_near(source, &there, split);
            if target.index() >= from {
                self.connect(Edge { source, step, target, forward_must, backward_must });
            }
        }
        if source.index() >= from {
            self.contexts[source].errors.extend(steps.errors);
        }
    }

    /// Marks contexts as past, and returns a table of them.
    fn retire(&mut self, old: &[ContextId]) -> ContextTable {
        let mut replaced = ContextTable::default();
        for &id in old {
            self.contexts[id].is_live = false;
            self.found.remove(&self.contexts, id);
            replaced.insert(&self.contexts, id);
        }
        let contexts = &self.contexts;
        self.live.retain(|&id| contexts[id].is_live);
        replaced
    }

    /// Removes the edges between present contexts and these past ones; returns the steps that led
    /// to one of the past ones.
    fn cut_off(&mut self, old: &[ContextId]) -> Vec<(ContextId, ProductStep)> {
        let (mut steps, mut targets) = (Vec::new(), Vec::new());
        for &id in old {
            let Context { out, into, .. } = &self.contexts[id];
            steps.extend(into.iter().map(|&id| (self.edges[id].source, self.edges[id].step)));
            targets.extend(out.iter().map(|&id| self.edges[id].target));
        }
        steps.retain(|&(source, _)| self.contexts[source].is_live);
        steps.sort_unstable();
        steps.dedup();
        targets.retain(|&target| self.contexts[target].is_live);
        targets.sort_unstable();
        targets.dedup();
        for source in steps.chunk_by(|a, b| a.0 == b.0).map(|chunk| chunk[0].0) {
            let mut out = std::mem::take(&mut self.contexts[source].out);
            out.retain(|&edge| self.contexts[self.edges[edge].target].is_live);
            self.contexts[source].out = out;
        }
        for target in targets {
            let mut into = std::mem::take(&mut self.contexts[target].into);
            into.retain(|&edge| self.contexts[self.edges[edge].source].is_live);
            self.contexts[target].into = into;
        }
        steps
    }

    /// The context with this difference to another one, new or known.
    fn context_near(&mut self, near: ContextId, there: &Difference, split: &Renewal) -> ContextId {
        let base = &self.contexts[near];
        if base.is_live && there.is_none(&base.tuple) {
            // With many parts, most steps stay in their context.
            return near;
        }
        match self.found.find(&self.contexts, base, there) {
            (Some(id), _) => id,
            (None, hash) => {
                let tuple = there.apply(&base.tuple);
                self.push(tuple, hash, split)
            }
        }
    }

    /// The new context for a tuple.
    fn context_at(&mut self, tuple: AbstractTuple, split: &Renewal) -> ContextId {
        let hash = hash(&tuple);
        self.push(tuple, hash, split)
    }

    fn push(&mut self, tuple: AbstractTuple, hash: u64, split: &Renewal) -> ContextId {
        let (errors, out, into) = (Vec::new(), Vec::new(), Vec::new());
        let mut context = Context { tuple, hash, parent: None, errors, out, into, is_live: true };
        if let Some(replaced) = &split.replaced {
            let whole = Difference::of_class(split.part, split.class, context.tuple.1);
            context.parent = replaced.find(&self.contexts, &context, &whole).0;
        }
        let id = self.contexts.push(context);
        self.found.insert(&self.contexts, id);
        self.live.push(id);
        id
    }

    fn connect(&mut self, edge: Edge) {
        let (source, target) = (edge.source, edge.target);
        let edge = self.edges.push(edge);
        self.contexts[source].out.push(edge);
        self.contexts[target].into.push(edge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancellation::Cancellation;
    use crate::refine::abstraction::Direction;
    use crate::split::Split;
    use proptest::prelude::*;
    use resy_automata::lts::{Label, Lts, LtsBuilder};
    use resy_automata::network::{Action, Component, Monitor, Network};
    use resy_index::IndexVec;
    use std::collections::BTreeSet;

    /// A system with five states; label 0 is internal.
    fn lts(transitions: &[(usize, usize, usize)]) -> Lts {
        let mut builder = LtsBuilder::with_states(5);
        for &(source, label, target) in transitions {
            let label = match label {
                0 => Label::Tau,
                action => Label::Visible(Id::from_index(action - 1)),
            };
            builder.add_transition(Id::from_index(source), label, Id::from_index(target));
        }
        builder.finish(Id::from_index(0), Default::default())
    }

    /// A module and three components; the monitor counts the first action up to two.
    fn split(systems: &[Vec<(usize, usize, usize)>]) -> Split {
        let actions = (0..4).map(|i| Action { name: format!("a{i}") }).collect();
        let components = systems.iter().enumerate().map(|(i, transitions)| Component {
            name: format!("C{i}"),
            lts: lts(transitions),
            state_names: IndexVec::new(),
        });
        let mut counter = LtsBuilder::with_states(3);
        for state in 0..2 {
            let first = Label::Visible(Id::from_index(0));
            counter.add_transition(Id::from_index(state), first, Id::from_index(state + 1));
        }
        let lts = counter.finish(Id::from_index(0), Default::default());
        let monitor = Monitor { lts, error: Id::from_index(2), state_names: IndexVec::new() };
        let module = vec![Id::from_index(0)];
        let network = Network::new(actions, components.collect(), Some(monitor), module);
        Split::of(&network, 1000).unwrap()
    }

    /// Everything observable of the reachable contexts.
    #[allow(clippy::type_complexity, reason = "it is compared and nothing else")]
    fn everything(
        abstraction: &Abstraction<'_>,
    ) -> BTreeSet<(
        AbstractTuple,
        Vec<(ProductStep, bool)>,
        Vec<(ProductStep, AbstractTuple, bool, bool)>,
    )> {
        let tuple = |id: ContextId| abstraction[id].tuple.clone();
        let describe = |id: ContextId| {
            let edges = abstraction.edges(id, Direction::Forward);
            let mut edges: Vec<_> = edges
                .map(|(_, e)| (e.step, tuple(e.target), e.forward_must, e.backward_must))
                .collect();
            edges.sort();
            let mut errors = abstraction[id].errors.clone();
            errors.sort();
            (tuple(id), errors, edges)
        };
        abstraction.reachable().into_iter().map(describe).collect()
    }

    proptest! {
        #[test]
        fn what_is_repaired_is_what_would_be_found_anew(
            systems in prop::collection::vec(
                prop::collection::vec((0..5usize, 0..5usize, 0..5usize), 1..14), 4),
            splits in prop::collection::vec((0..3usize, 0..5usize, any::<u8>()), 1..8),
        ) {
            let split = split(&systems);
            let polls = Cancellation::new(|| true);
            let mut abstraction = Abstraction::coarsest(&split, &polls);
            for (part, state, bits) in splits {
                let classes = &abstraction.parts[part];
                let class = classes.class_of(Id::from_index(state));
                let members = classes.members(class);
                let apart = members.iter().copied().filter(|s| bits >> s.index() & 1 == 1);
                let apart: Vec<StateId> = apart.collect();
                if apart.is_empty() || apart.len() == members.len() {
                    continue;
                }
                abstraction.split(part, class, &apart);
                let anew = Abstraction::of(&split, abstraction.parts.clone(), &polls);
                prop_assert_eq!(everything(&abstraction), everything(&anew));
                for (id, context) in abstraction.live() {
                    for &edge in context.out.iter().chain(&context.into) {
                        prop_assert!(abstraction.has(abstraction.edge(edge)), "{id:?} has an old edge");
                    }
                }
            }
        }
    }
}
