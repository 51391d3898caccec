//! Why each state is in each label, so that a violation becomes a run.

use crate::bits::BitSet;
use crate::labels::{Cause, ContextId};
use crate::moves::Moves;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::Step;
use resy_index::Id;
use rustc_hash::FxHashMap;

/// The additions to labels, in the order in which they happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    additions: Vec<Addition>,
    /// The additions to each context.
    to: FxHashMap<ContextId, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Addition {
    /// Where the states come from, and by which step of the context (none if the module
    /// moved alone). Nothing for those that are there to begin with.
    cause: Option<(ContextId, Option<Step>)>,
    /// The states that were added, in order.
    new: Box<[StateId]>,
}

/// One step on the way back to where a state in a label came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where the step comes from.
    pub context: ContextId,
    /// Where the module comes from.
    pub state: StateId,
    /// The label of the step.
    pub label: Label,
    /// The step of the context; none if the module moved alone.
    pub step: Option<Step>,
}

impl History {
    /// Takes down what a label has to begin with.
    pub(crate) fn begin(&mut self, to: ContextId, states: &BitSet) {
        self.push(to, None, states);
    }

    /// Takes down an addition.
    pub(crate) fn note(&mut self, cause: &Cause<'_>) {
        self.push(cause.to, Some((cause.from, cause.step)), cause.new);
    }

    fn push(&mut self, to: ContextId, cause: Option<(ContextId, Option<Step>)>, states: &BitSet) {
        self.to.entry(to).or_default().push(self.additions.len());
        let new = states.iter().map(Id::from_index).collect();
        self.additions.push(Addition { cause, new });
    }

    /// How the state came into the label of the context, back to one that was there to begin
    /// with. `origins` gives a context and those it has its label from; `back` leads
    /// against the direction in which the labels grew.
    pub(crate) fn links<I: Iterator<Item = ContextId>>(
        &self,
        context: ContextId,
        state: StateId,
        back: &Moves<'_>,
        origins: impl Fn(ContextId) -> I,
    ) -> Vec<Link> {
        let mut links = Vec::new();
        let mut now = self.when(origins(context), state);
        let mut state = state;
        while let Some((context, step)) = now.and_then(|time| self.additions[time].cause) {
            let sources = back.neighbours(state, step).into_iter();
            let times = sources.filter_map(|(label, source)| {
                self.when(origins(context), source).map(|time| (time, label, source))
            });
            let first = times.min().filter(|&(time, ..)| Some(time) < now);
            let (time, label, source) = first.expect("an addition has an earlier cause");
            links.push(Link { context, state: source, label, step });
            (now, state) = (Some(time), source);
        }
        links
    }

    /// When the state came into the label.
    fn when(&self, origins: impl Iterator<Item = ContextId>, state: StateId) -> Option<usize> {
        let additions = origins.filter_map(|context| self.to.get(&context)).flatten();
        let mut additions = additions.copied();
        additions.find(|&time| self.additions[time].new.binary_search(&state).is_ok())
    }
}
