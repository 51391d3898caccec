//! Upper labels: what is possible for some member of an abstract context.
//!
//! They are computed from all may edges, from scratch whenever a result is requested. Where they
//! equal the lower labels, the labels are exact.

use super::abstraction::{Abstraction, Direction};
use super::lower::Lower;
use fixedbitset::FixedBitSet;

use crate::labels::{ContextId, Labels};
use crate::merge::together;
use crate::moves::Moves;
use resy_automata::partition::Partition;

/// The upper labels in one direction of time; too small if it was cancelled.
pub(crate) fn upper(
    abstraction: &Abstraction<'_>,
    direction: Direction,
    moves: &Moves<'_>,
) -> Labels {
    let mut labels = Labels::new(abstraction.n_ids(), moves.n_states());
    match direction {
        Direction::Forward => {
            labels.add(abstraction.initial(), [moves.initial()]);
        }
        Direction::Backward => {
            for (id, context) in abstraction.live() {
                for &(step, _) in &context.errors {
                    labels.add(id, moves.can_enter_error(step));
                }
            }
        }
    }
    let edges = |context, visit: &mut dyn FnMut(_, ContextId)| {
        let edges = abstraction.edges(context, direction);
        let edges = edges.take_while(|_| abstraction.polls.goes_on());
        edges.for_each(|(_, edge)| visit(edge.step, edge.end(direction)));
    };
    labels.close(moves, edges, |_| ());
    labels
}

/// The states of the module that may be merged: in each context, both are certainly in the label or
/// both certainly not. A state whose membership is unknown somewhere stays alone.
pub(crate) fn mergeable(lower: &Lower<'_>, upper: &Labels, contexts: &[ContextId]) -> Partition {
    let n_states = lower.moves.n_states();
    let mut unknown = FixedBitSet::with_capacity(n_states);
    for &context in contexts {
        let mut possible = upper.get(context).clone();
        possible.difference_with(lower.get(context));
        unknown.union_with(&possible);
    }
    let known = together(n_states, contexts.iter().map(|&context| lower.get(context)));
    known.refined_by(|state| {
        let index = resy_index::Id::index(state);
        unknown.contains(index).then_some(index)
    })
}
