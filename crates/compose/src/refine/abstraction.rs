//! The abstract contexts: classes of each part of the environment, and a state of the monitor.
//!
//! Only what may be reached is explored, so that the product of the environment is never
//! built. A step of a context is may, forward must or backward must if the steps of all parts that
//! take part in it are; the monitor is not abstracted, and staying put is must in both senses.

use super::classes::{ClassId, Classes};
use super::steps::AbstractStep;
use crate::labels::ContextId;
use crate::split::Split;
use resy_automata::lts::{ActionId, StateId};
use resy_automata::product::Step;
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::{Index, Range};

define_id!(
    /// An edge between abstract contexts, now or before.
    pub(crate) struct EdgeId,
    "e"
);

/// A direction of time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial state.
    Forward,
    /// From the error state.
    Backward,
}

/// What an abstract context stands for.
pub(crate) type Place = (Box<[ClassId]>, StateId);

#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub place: Place,
    /// The context that was replaced by this one and others.
    pub parent: Option<ContextId>,
    /// Steps that may enter the error state, and whether all members can take them.
    pub errors: Vec<(Step, bool)>,
    out: Vec<EdgeId>,
    into: Vec<EdgeId>,
    /// Whether it has not been replaced by others.
    pub is_live: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub source: ContextId,
    pub step: Step,
    pub target: ContextId,
    forward_must: bool,
    backward_must: bool,
}

/// The abstract contexts for one partition of each part.
#[derive(Clone, Debug)]
pub(crate) struct Abstraction<'a> {
    pub split: &'a Split,
    pub parts: Vec<Classes<'a>>,
    /// For each shared action the parts that have it.
    with_action: FxHashMap<ActionId, Vec<usize>>,
    contexts: IndexVec<ContextId, Context>,
    /// The contexts there are now, oldest first.
    live: Vec<ContextId>,
    edges: IndexVec<EdgeId, Edge>,
    found: FxHashMap<Place, ContextId>,
    initial: ContextId,
}

/// What a split has changed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The new contexts.
    pub contexts: Range<usize>,
    /// The new edges: all edges at the new contexts.
    pub edges: Range<usize>,
}

impl<'a> Abstraction<'a> {
    /// One class for each part.
    pub(crate) fn coarsest(split: &'a Split) -> Self {
        let parts: Vec<Classes<'a>> =
            split.environment.iter().map(|part| Classes::single(&part.lts)).collect();
        let has = |i: &usize, a| split.environment[*i].lts.alphabet().contains(a);
        let participants = split.shared().iter();
        let participants =
            participants.map(|a| (a, (0..parts.len()).filter(|i| has(i, a)).collect()));
        let mut this = Self {
            split,
            with_action: participants.collect(),
            parts,
            contexts: IndexVec::new(),
            live: Vec::new(),
            edges: IndexVec::new(),
            found: FxHashMap::default(),
            initial: Id::from_index(0),
        };
        this.context(this.initial_place(), |_| None);
        this.explore(0, |_| None);
        this
    }

    /// The parts that take part in a step of a context.
    pub(crate) fn participants(&self, step: Step) -> Cow<'_, [usize]> {
        match step {
            Step::Tau(part) => Cow::Owned(vec![part.index()]),
            Step::Action(action) => Cow::Borrowed(&self.with_action[&action]),
        }
    }

    /// The context of the initial state.
    pub(crate) fn initial(&self) -> ContextId {
        self.initial
    }

    /// Whether the initial context stands for the initial state alone.
    pub(crate) fn initial_is_single(&self) -> bool {
        let (classes, _) = &self[self.initial].place;
        self.parts.iter().zip(classes).all(|(part, &class)| part.members(class).len() == 1)
    }

    /// All there is, as if it were new.
    pub(crate) fn everything(&self) -> Change {
        Change { contexts: 0..self.contexts.len(), edges: 0..self.edges.len() }
    }

    /// The contexts there are now.
    pub(crate) fn live(&self) -> impl Iterator<Item = (ContextId, &Context)> {
        self.live.iter().map(|&id| (id, &self.contexts[id]))
    }

    /// The number of contexts, of the past and of the present.
    pub(crate) fn n_ids(&self) -> usize {
        self.contexts.len()
    }

    /// The edge with this id.
    pub(crate) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id]
    }

    /// Whether the edge is one of the present.
    pub(crate) fn has(&self, edge: &Edge) -> bool {
        self[edge.source].is_live && self[edge.target].is_live
    }

    /// The edges at a context: out of it, or into it if time goes back.
    pub(crate) fn edges(
        &self,
        context: ContextId,
        direction: Direction,
    ) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let ids = match direction {
            Direction::Forward => &self.contexts[context].out,
            Direction::Backward => &self.contexts[context].into,
        };
        ids.iter().map(|&id| (id, &self.edges[id]))
    }

    /// A context and those whose labels it has inherited.
    pub(crate) fn origins(&self, context: ContextId) -> impl Iterator<Item = ContextId> + '_ {
        std::iter::successors(Some(context), |&c| self.contexts[c].parent)
    }

    /// Splits these members off a class, and renews the contexts that had it.
    pub(crate) fn split(&mut self, part: usize, class: ClassId, apart: &[StateId]) -> Change {
        let (n_contexts, n_edges) = (self.contexts.len(), self.edges.len());
        self.parts[part].split(class, apart);
        let old: Vec<ContextId> =
            self.live().filter(|(_, c)| c.place.0[part] == class).map(|(id, _)| id).collect();
        let replaced = self.retire(&old);
        let parent = |(classes, monitor): &Place| {
            let mut classes = classes.clone();
            classes[part] = class;
            replaced.get(&(classes, *monitor)).copied()
        };

        self.initial = self.context(self.initial_place(), parent);
        for source in self.cut_off(&old) {
            for step in self.steps(&self.contexts[source].place).edges {
                let target = self.context(step.place.clone(), parent);
                if target.index() >= n_contexts {
                    self.connect(source, &step, target);
                }
            }
        }
        self.explore(n_contexts, parent);
        Change { contexts: n_contexts..self.contexts.len(), edges: n_edges..self.edges.len() }
    }

    /// Takes contexts out of what there is now; returns them by what they stood for.
    fn retire(&mut self, old: &[ContextId]) -> FxHashMap<Place, ContextId> {
        let mut replaced = FxHashMap::default();
        for &id in old {
            let context = &mut self.contexts[id];
            context.is_live = false;
            self.found.remove(&context.place);
            replaced.insert(context.place.clone(), id);
        }
        let contexts = &self.contexts;
        self.live.retain(|&id| contexts[id].is_live);
        replaced
    }

    /// Removes the edges between what there is now and these contexts of the past; returns the contexts
    /// that had a step to one of them.
    fn cut_off(&mut self, old: &[ContextId]) -> Vec<ContextId> {
        let mut neighbours = [Vec::new(), Vec::new()];
        for &id in old {
            let Context { out, into, .. } = &mut self.contexts[id];
            let (out, into) = (std::mem::take(out), std::mem::take(into));
            neighbours[0].extend(into.iter().map(|&edge| self.edges[edge].source));
            neighbours[1].extend(out.iter().map(|&edge| self.edges[edge].target));
        }
        let [mut sources, mut targets] = neighbours;
        for contexts in [&mut sources, &mut targets] {
            contexts.sort_unstable();
            contexts.dedup();
            contexts.retain(|&id| self.contexts[id].is_live);
        }
        let is_live = |contexts: &IndexVec<ContextId, Context>, id| contexts[id].is_live;
        for &source in &sources {
            let mut out = std::mem::take(&mut self.contexts[source].out);
            out.retain(|&edge| is_live(&self.contexts, self.edges[edge].target));
            self.contexts[source].out = out;
        }
        for &target in &targets {
            let mut into = std::mem::take(&mut self.contexts[target].into);
            into.retain(|&edge| is_live(&self.contexts, self.edges[edge].source));
            self.contexts[target].into = into;
        }
        sources
    }

    /// Finds the steps of all contexts from this number on, which are new.
    fn explore(&mut self, from: usize, parent: impl Fn(&Place) -> Option<ContextId> + Copy) {
        let mut next = from;
        while next < self.contexts.len() {
            let source = Id::from_index(next);
            let steps = self.steps(&self.contexts[source].place);
            self.contexts[source].errors = steps.errors;
            for step in steps.edges {
                let target = self.context(step.place.clone(), parent);
                self.connect(source, &step, target);
            }
            next += 1;
        }
    }

    /// The context for a place; `parent` is asked if it is new.
    fn context(&mut self, place: Place, parent: impl Fn(&Place) -> Option<ContextId>) -> ContextId {
        if let Some(&id) = self.found.get(&place) {
            return id;
        }
        let id = self.contexts.push(Context {
            parent: parent(&place),
            place: place.clone(),
            errors: Vec::new(),
            out: Vec::new(),
            into: Vec::new(),
            is_live: true,
        });
        self.found.insert(place, id);
        self.live.push(id);
        id
    }

    fn connect(&mut self, source: ContextId, step: &AbstractStep, target: ContextId) {
        let AbstractStep { step, forward_must, backward_must, .. } = *step;
        let edge = self.edges.push(Edge { source, step, target, forward_must, backward_must });
        self.contexts[source].out.push(edge);
        self.contexts[target].into.push(edge);
    }

    fn initial_place(&self) -> Place {
        let classes = self.parts.iter().map(|part| part.class_of(part.lts.initial()));
        (classes.collect(), self.split.monitor.lts.initial())
    }

    /// The contexts that may be reached, nearest first.
    pub(crate) fn reachable(&self) -> Vec<ContextId> {
        self.search(vec![self.initial], Direction::Forward, |_| true)
    }

    /// The contexts that some edges lead to from these, nearest first.
    pub(crate) fn search(
        &self,
        from: Vec<ContextId>,
        direction: Direction,
        take: impl Fn(&Edge) -> bool,
    ) -> Vec<ContextId> {
        let mut seen = vec![false; self.contexts.len()];
        let mut order = from;
        order.iter().for_each(|context| seen[context.index()] = true);
        let mut next = 0;
        while let Some(&context) = order.get(next) {
            for (_, edge) in self.edges(context, direction).filter(|(_, edge)| take(edge)) {
                let end = edge.end(direction);
                if !std::mem::replace(&mut seen[end.index()], true) {
                    order.push(end);
                }
            }
            next += 1;
        }
        order
    }
}

impl Edge {
    /// Where the edge leads in a direction of time.
    pub(crate) fn end(&self, direction: Direction) -> ContextId {
        match direction {
            Direction::Forward => self.target,
            Direction::Backward => self.source,
        }
    }

    /// Where the edge comes from in a direction of time.
    pub(crate) fn start(&self, direction: Direction) -> ContextId {
        self.end(direction.other())
    }

    /// Whether it is a must edge of the direction.
    pub(crate) fn is_must(&self, direction: Direction) -> bool {
        match direction {
            Direction::Forward => self.forward_must,
            Direction::Backward => self.backward_must,
        }
    }
}

impl Direction {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

impl Index<ContextId> for Abstraction<'_> {
    type Output = Context;
    fn index(&self, id: ContextId) -> &Context {
        &self.contexts[id]
    }
}
