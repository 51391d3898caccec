//! The abstract contexts: a class of each part of the environment, and a state of the monitor.
//!
//! Only reachable contexts are explored, so that the product of the environment is never built. A
//! step of a context is a may, forward must or backward must step if the steps of all its
//! participating parts are; the monitor is not abstracted, and staying put is a must step in both
//! senses.

use super::classes::{ClassId, Classes};
use super::context_table::ContextTable;
use super::refinement::RefineProgress;
use crate::cancellation::Polling;
use crate::labels::ContextId;
use crate::split::Split;
use resy_automata::lts::{ActionId, StateId};
use resy_automata::partition::Partition;
use resy_automata::product::ProductStep;
use resy_index::{Id, IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::{Index, Range};

define_id!(
    /// An edge between abstract contexts, present or past.
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

/// An abstract context: a class of each part, and a state of the monitor.
pub(crate) type AbstractTuple = (Box<[ClassId]>, StateId);

#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub tuple: AbstractTuple,
    pub(super) hash: u64,
    /// The context that a split has replaced by this one and others.
    pub parent: Option<ContextId>,
    /// The steps that may enter the error state, and whether all members can take them.
    pub errors: Vec<(ProductStep, bool)>,
    pub(super) out: Vec<EdgeId>,
    pub(super) into: Vec<EdgeId>,
    /// Whether it is present: not replaced by others.
    pub is_live: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub source: ContextId,
    pub step: ProductStep,
    pub target: ContextId,
    pub(super) forward_must: bool,
    pub(super) backward_must: bool,
}

/// The abstract contexts for one partition of each part.
#[derive(Clone, Debug)]
pub(crate) struct Abstraction<'a> {
    pub split: &'a Split,
    /// Whatever takes long asks here. Once it is cancelled, contexts and labels are incomplete, and
    /// nothing may be concluded from them.
    pub polls: &'a dyn Polling,
    pub parts: Vec<Classes<'a>>,
    /// For each shared action, the parts that have it.
    with_action: FxHashMap<ActionId, Vec<usize>>,
    pub(super) contexts: IndexVec<ContextId, Context>,
    /// The present contexts, oldest first.
    pub(super) live: Vec<ContextId>,
    pub(super) edges: IndexVec<EdgeId, Edge>,
    pub(super) found: ContextTable,
    pub(super) initial: ContextId,
}

/// The changes made by a split.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The new contexts.
    pub contexts: Range<usize>,
    /// The new edges: all edges at the new contexts.
    pub edges: Range<usize>,
}

impl<'a> Abstraction<'a> {
    /// One class for each part.
    pub(crate) fn coarsest(split: &'a Split, polls: &'a dyn Polling) -> Self {
        let parts = split.environment.iter().map(|part| Classes::single(&part.lts));
        Self::of(split, parts.collect(), polls)
    }

    /// The contexts of these classes.
    pub(super) fn of(split: &'a Split, parts: Vec<Classes<'a>>, polls: &'a dyn Polling) -> Self {
        let has = |i: &usize, a| split.environment[*i].lts.alphabet().contains(a);
        let participants = split.shared().iter();
        let participants =
            participants.map(|a| (a, (0..parts.len()).filter(|i| has(i, a)).collect()));
        let mut this = Self {
            split,
            polls,
            with_action: participants.collect(),
            parts,
            contexts: IndexVec::new(),
            live: Vec::new(),
            edges: IndexVec::new(),
            found: ContextTable::default(),
            initial: Id::from_index(0),
        };
        this.explore();
        this
    }

    /// The participating parts of a step of a context.
    pub(crate) fn participants(&self, step: ProductStep) -> Cow<'_, [usize]> {
        match step {
            ProductStep::Tau(part) => Cow::Owned(vec![part.index()]),
            ProductStep::Action(action) => Cow::Borrowed(&self.with_action[&action]),
        }
    }

    /// The context of the initial state.
    pub(crate) fn initial(&self) -> ContextId {
        self.initial
    }

    /// Whether the initial context has the initial state as its only member.
    pub(crate) fn initial_is_single(&self) -> bool {
        let (classes, _) = &self[self.initial].tuple;
        self.parts.iter().zip(classes).all(|(part, &class)| part.members(class).len() == 1)
    }

    /// All contexts and edges, as if they were new.
    pub(crate) fn everything(&self) -> Change {
        Change { contexts: 0..self.contexts.len(), edges: 0..self.edges.len() }
    }

    /// The present contexts.
    pub(crate) fn live(&self) -> impl Iterator<Item = (ContextId, &Context)> {
        self.live.iter().map(|&id| (id, &self.contexts[id]))
    }

    /// The number of contexts, past and present.
    pub(crate) fn n_ids(&self) -> usize {
        self.contexts.len()
    }

    /// The edge with this id.
    pub(crate) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id]
    }

    /// Whether the edge connects present contexts.
    pub(crate) fn has(&self, edge: &Edge) -> bool {
        self[edge.source].is_live && self[edge.target].is_live
    }

    /// The edges of a context: outgoing ones, or incoming ones if the direction is backward.
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

    /// A context and the past contexts from which it has inherited its labels.
    pub(crate) fn origins(&self, context: ContextId) -> impl Iterator<Item = ContextId> + '_ {
        std::iter::successors(Some(context), |&c| self.contexts[c].parent)
    }

    pub(super) fn initial_tuple(&self) -> AbstractTuple {
        let classes = self.parts.iter().map(|part| part.class_of(part.lts.initial()));
        (classes.collect(), self.split.monitor.lts.initial())
    }

    /// The progress of a refinement after `steps` steps.
    pub(crate) fn progress(&self, steps: usize) -> RefineProgress {
        let n_classes = self.parts.iter().map(|part| part.len()).sum();
        RefineProgress { steps, n_classes, n_contexts: self.live.len() }
    }

    /// The partition of each part.
    pub(crate) fn partitions(&self) -> Vec<Partition> {
        let parts = self.parts.iter();
        parts.map(|p| Partition::by_keys(p.lts.states().map(|state| p.class_of(state)))).collect()
    }

    /// The reachable contexts, nearest first.
    pub(crate) fn reachable(&self) -> Vec<ContextId> {
        self.search(vec![self.initial], Direction::Forward, |_| true)
    }

    /// The contexts reachable from these along some edges, nearest first.
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
        while let Some(&context) = order.get(next).filter(|_| self.polls.goes_on()) {
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
    /// The end of the edge in a direction of time.
    pub(crate) fn end(&self, direction: Direction) -> ContextId {
        match direction {
            Direction::Forward => self.target,
            Direction::Backward => self.source,
        }
    }

    /// The start of the edge in a direction of time.
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
    /// The opposite direction.
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
