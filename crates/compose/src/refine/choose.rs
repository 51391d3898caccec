//! Where to refine: a may-only step whose firing would change a label.

use super::abstraction::{Abstraction, Direction, EdgeId};
use super::classes::ClassId;
use super::lower::Lower;
use crate::labels::ContextId;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;

/// A may-only step.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The initial step: the initial context has other members than the initial state.
    Entry,
    /// A step between contexts.
    Edge(EdgeId),
    /// A step into the error state.
    Error(ContextId, ProductStep),
}

/// A split of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub part: usize,
    pub class: ClassId,
    /// The members that form a new class: some, but not all.
    pub apart: Vec<StateId>,
}

/// The useful spot nearest to the initial state, or to the error if the direction is backward.
/// `None` also if it was cancelled.
pub(crate) fn nearest(abstraction: &Abstraction<'_>, lower: &mut Lower<'_>) -> Option<Spot> {
    let start = match lower.direction {
        Direction::Forward if !abstraction.initial_is_single() => return Some(Spot::Entry),
        Direction::Forward => vec![abstraction.initial()],
        Direction::Backward => {
            if let Some(spot) = useful_error(abstraction, lower) {
                return Some(spot);
            }
            let erring = abstraction.live().filter(|(_, context)| !context.errors.is_empty());
            erring.map(|(id, _)| id).collect()
        }
    };
    let direction = lower.direction;
    for context in abstraction.search(start, direction, |_| true) {
        let edges = abstraction.edges(context, direction);
        let mut edges = edges.take_while(|_| abstraction.polls.goes_on());
        if let Some((id, _)) = edges.find(|&(id, edge)| lower.is_useful(id, edge)) {
            return Some(Spot::Edge(id));
        }
    }
    None
}

fn useful_error(abstraction: &Abstraction<'_>, lower: &Lower<'_>) -> Option<Spot> {
    abstraction.live().find_map(|(id, context)| {
        let may_only = context.errors.iter().filter(|error| !error.1).map(|error| error.0);
        let useful = |step: &ProductStep| {
            let mut states = lower.moves.can_enter_error(*step);
            states.any(|state| !lower.get(id).contains(state.index()))
        };
        may_only.filter(useful).map(|step| Spot::Error(id, step)).next()
    })
}

/// The split that brings a spot nearer to a must step: some participating part has a proper one.
pub(crate) fn cut(abstraction: &Abstraction<'_>, direction: Direction, spot: Spot) -> Cut {
    let cut = match spot {
        Spot::Entry => cut_at_entry(abstraction),
        Spot::Edge(id) => cut_at_edge(abstraction, direction, id),
        Spot::Error(context, step) => cut_at_error(abstraction, context, step),
    };
    cut.expect("a step that is no must has a part that is to blame")
}

fn cut_at_entry(abstraction: &Abstraction<'_>) -> Option<Cut> {
    let mut parts = abstraction.parts.iter().enumerate();
    parts.find_map(|(part, classes)| {
        let initial = classes.lts.initial();
        let class = classes.class_of(initial);
        let single = classes.members(class).len() == 1;
        (!single).then(|| Cut { part, class, apart: vec![initial] })
    })
}

fn cut_at_edge(abstraction: &Abstraction<'_>, direction: Direction, id: EdgeId) -> Option<Cut> {
    let edge = abstraction.edge(id);
    let (sources, targets) = (&abstraction[edge.source].tuple.0, &abstraction[edge.target].tuple.0);
    abstraction.participants(edge.step).iter().find_map(|&part| {
        let classes = &abstraction.parts[part];
        let (source, label, target) = (sources[part], edge.step.label(), targets[part]);
        let (class, apart) = match direction {
            Direction::Forward => (target, classes.entered(source, label, target)),
            Direction::Backward => (source, classes.left(source, label, Some(target))),
        };
        let proper = apart.len() < classes.members(class).len();
        proper.then_some(Cut { part, class, apart })
    })
}

fn cut_at_error(
    abstraction: &Abstraction<'_>,
    context: ContextId,
    step: ProductStep,
) -> Option<Cut> {
    let label: Label = step.label();
    abstraction.participants(step).iter().find_map(|&part| {
        let (classes, class) = (&abstraction.parts[part], abstraction[context].tuple.0[part]);
        let apart = classes.left(class, label, None);
        let proper = apart.len() < classes.members(class).len();
        proper.then_some(Cut { part, class, apart })
    })
}
