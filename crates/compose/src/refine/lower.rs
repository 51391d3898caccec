//! Lower labels: what is certain for every member of an abstract context.
//!
//! They are computed from must edges only. After a split the new contexts inherit the labels of the
//! old one as the start of the next fixpoint. Computed from scratch, they would be sound, but could
//! be smaller than before.

use super::abstraction::{Abstraction, Change, Direction, Edge, EdgeId};
use fixedbitset::FixedBitSet;

use crate::history::History;
use crate::labels::{Cause, ContextId, Labels};
use crate::moves::Moves;
use resy_automata::lts::StateId;
use resy_index::Id;

/// Lower labels in one direction of time, with their history.
#[derive(Clone, Debug)]
pub(crate) struct Lower<'a> {
    pub direction: Direction,
    pub moves: Moves<'a>,
    pub labels: Labels,
    pub history: History,
    /// Edges whose firing would not change a label.
    settled: Vec<bool>,
}

impl<'a> Lower<'a> {
    /// The labels of an abstraction.
    pub(crate) fn of(
        abstraction: &Abstraction<'_>,
        direction: Direction,
        moves: Moves<'a>,
    ) -> Self {
        let labels = Labels::new(0, moves.n_states());
        let (history, settled) = (History::new(moves.n_states()), Vec::new());
        let mut this = Self { direction, moves, labels, history, settled };
        this.absorb(abstraction, &abstraction.everything());
        this
    }

    pub(crate) fn get(&self, context: ContextId) -> &FixedBitSet {
        self.labels.get(context)
    }

    /// Adds states that are certain without an edge.
    pub(crate) fn begin(&mut self, context: ContextId, states: impl IntoIterator<Item = StateId>) {
        let new = self.labels.add(context, states);
        if !new.is_empty() {
            self.history.begin(context, &new);
        }
    }

    /// Applies a change: new contexts inherit labels, new edges fire.
    pub(crate) fn absorb(&mut self, abstraction: &Abstraction<'_>, change: &Change) {
        for id in change.contexts.clone() {
            let parent = abstraction[Id::from_index(id)].parent;
            let label = parent.map(|parent| self.labels.get(parent).clone());
            self.labels
                .push(label.unwrap_or_else(|| FixedBitSet::with_capacity(self.moves.n_states())));
        }
        for id in change.contexts.clone() {
            if let Some(parent) = abstraction[Id::from_index(id)].parent {
                self.labels.forget(parent);
            }
        }
        self.start(abstraction, change);
        for id in change.edges.clone().take_while(|_| abstraction.polls.goes_on()) {
            let edge = abstraction.edge(Id::from_index(id));
            if edge.is_must(self.direction) && abstraction.has(edge) {
                self.fire(edge);
            }
        }
        self.close(abstraction);
    }

    /// Adds what is certain in new contexts without an edge between contexts: the initial state, if
    /// it is the only member of its context, or the steps into the error that all members have.
    fn start(&mut self, abstraction: &Abstraction<'_>, change: &Change) {
        if self.direction == Direction::Forward {
            if abstraction.initial_is_single() {
                self.begin(abstraction.initial(), [self.moves.initial()]);
            }
            return;
        }
        for id in change.contexts.clone() {
            let context = Id::from_index(id);
            if !abstraction[context].is_live {
                continue;
            }
            for &(step, _) in abstraction[context].errors.iter().filter(|error| error.1) {
                let states: Vec<StateId> = self.moves.can_enter_error(step).collect();
                self.begin(context, states);
            }
        }
    }

    /// Closes the labels under must edges.
    pub(crate) fn close(&mut self, abstraction: &Abstraction<'_>) {
        let Self { direction, moves, labels, history, settled } = self;
        let edges = |context, visit: &mut dyn FnMut(_, ContextId)| {
            let edges = abstraction.edges(context, *direction);
            for (id, edge) in edges.take_while(|_| abstraction.polls.goes_on()) {
                if let Some(settled) = settled.get_mut(id.index()) {
                    *settled = false;
                }
                if edge.is_must(*direction) {
                    visit(edge.step, edge.end(*direction));
                }
            }
        };
        labels.close(moves, edges, |cause| history.note(&cause));
    }

    /// Whether the edge is may-only, and firing it would change a label.
    pub(crate) fn is_useful(&mut self, id: EdgeId, edge: &Edge) -> bool {
        if edge.is_must(self.direction) || self.settled.get(id.index()) == Some(&true) {
            return false;
        }
        let (from, to) = (edge.start(self.direction), edge.end(self.direction));
        let mut image = self.moves.of_set(edge.step, self.get(from));
        let useful = image.any(|state| !self.get(to).contains(state.index()));
        drop(image);
        if !useful {
            if self.settled.len() <= id.index() {
                self.settled.resize(id.index() + 1, false);
            }
            self.settled[id.index()] = true;
        }
        useful
    }

    fn fire(&mut self, edge: &Edge) {
        let (from, to) = (edge.start(self.direction), edge.end(self.direction));
        let image: Vec<StateId> = self.moves.of_set(edge.step, self.labels.get(from)).collect();
        let new = self.labels.add(to, image);
        if !new.is_empty() {
            self.history.note(&Cause { from, step: Some(edge.step), to, new: &new });
        }
    }
}
