//! The search for a path to the error state in an outline.
//!
//! The search is guided: a [plan](super::plan) is followed as far as possible, and contexts with
//! short plans come first, among these the newest. A context without a plan is a dead end. A plan
//! costs more than a step; therefore, after a number of plans without success, most of the
//! remaining contexts are explored breadth-first.

use super::outline::Outline;
use super::plan::{Plan, Planner};
use resy_automata::lts::StateId;
use resy_automata::product::{Explorer, ProductStep, Tuples};
use resy_index::Id;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A plan is computed for this many contexts, and afterwards for one in `ONE_OF`.
const ALL_PLANNED: usize = 2_000;
const ONE_OF: usize = 16;

/// Cancellation is polled once per this number of contexts.
const POLL_EVERY: usize = 256;

/// A path into the error state.
pub(super) struct Path {
    pub steps: Vec<ProductStep>,
    /// The contexts before each step.
    pub contexts: Vec<Vec<StateId>>,
}

/// The result of a search.
pub(super) enum SearchResult {
    Path(Path),
    Nothing,
    Interrupted,
}

/// A path to the error state, and the number of contexts that were found; `go_on(n_contexts)` may
/// cancel.
pub(super) fn to_error(
    outline: &Outline,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (SearchResult, usize) {
    let explorer = Explorer::new(outline.systems.iter().collect());
    let planner = Planner::new(outline);
    let mut search = Search::new(outline, &explorer);
    let result = search.run(&planner, go_on);
    (result, search.found.len())
}

struct Search<'s> {
    explorer: &'s Explorer<'s>,
    error: StateId,
    found: Tuples,
    /// For each context, its predecessor and the step.
    parents: Vec<Option<(StateId, ProductStep)>>,
    /// Contexts to expand, by expected length of the path, newest first.
    open: BinaryHeap<(Reverse<usize>, usize)>,
    /// Which contexts have been expanded, and the first that has not.
    is_left: Vec<bool>,
    oldest: usize,
}

impl<'s> Search<'s> {
    fn new(outline: &Outline, explorer: &'s Explorer<'s>) -> Self {
        let initial = explorer.initial();
        let mut found = Tuples::new(initial.len());
        found.insert(&initial);
        Self {
            explorer,
            error: outline.error,
            found,
            parents: vec![None],
            open: BinaryHeap::from([(Reverse(0), 0)]),
            is_left: vec![false],
            oldest: 0,
        }
    }

    /// Searches until the error state or nothing more is found, or until cancelled.
    fn run(&mut self, planner: &Planner<'_>, go_on: &mut dyn FnMut(usize) -> bool) -> SearchResult {
        let mut n_left = 0;
        loop {
            let is_planned = n_left < ALL_PLANNED || n_left % ONE_OF == 0;
            let Some(context) = self.next(is_planned) else { break };
            if n_left % POLL_EVERY == 0 && !go_on(self.found.len()) {
                return SearchResult::Interrupted;
            }
            n_left += 1;
            let mut expected = usize::MAX;
            if is_planned {
                let Some(plan) = planner.plan(&self.found[context]) else { continue };
                expected = plan.moves.len();
                if let Some(path) = self.follow(context, &plan) {
                    return SearchResult::Path(path);
                }
            }
            if let Some(path) = self.leave(context, expected) {
                return SearchResult::Path(path);
            }
        }
        go_on(self.found.len());
        SearchResult::Nothing
    }

    /// The next context to expand: the most promising one, or the oldest.
    fn next(&mut self, is_planned: bool) -> Option<StateId> {
        let context = if is_planned {
            std::iter::from_fn(|| self.open.pop())
                .map(|entry| entry.1)
                .find(|&i| !self.is_left[i])?
        } else {
            let left = self.is_left[self.oldest..].iter();
            self.oldest += left.take_while(|is_left| **is_left).count();
            self.oldest
        };
        *self.is_left.get_mut(context)? = true;
        Some(Id::from_index(context))
    }

    /// Follows a plan, in any order that is executable.
    fn follow(&mut self, from: StateId, plan: &Plan) -> Option<Path> {
        let mut moves = plan.moves.clone();
        let mut now = from;
        loop {
            let before = moves.len();
            let mut left = Vec::new();
            for planned in moves {
                let here = self.found[now].to_vec();
                let mut next = None;
                self.explorer.successors_by(planned.step, &here, |to| {
                    if to[planned.system] == planned.target && to != &here[..] {
                        next.get_or_insert_with(|| to.to_vec());
                    }
                });
                let Some(next) = next else {
                    left.push(planned);
                    continue;
                };
                if next.last() == Some(&self.error) {
                    return Some(self.path(now, planned.step));
                }
                now = self.insert(&next, now, planned.step, left.len());
            }
            moves = left;
            if moves.len() == before {
                return None;
            }
        }
    }

    /// Expands a context.
    fn leave(&mut self, context: StateId, expected: usize) -> Option<Path> {
        let here = self.found[context].to_vec();
        let (explorer, error) = (self.explorer, self.error);
        let mut last = None;
        explorer.successors(&here, |step, to| {
            if to.last() == Some(&error) {
                last.get_or_insert(step);
            } else {
                self.insert(to, context, step, expected);
            }
        });
        last.map(|step| self.path(context, step))
    }

    fn insert(
        &mut self,
        to: &[StateId],
        from: StateId,
        step: ProductStep,
        expected: usize,
    ) -> StateId {
        let (id, is_new) = self.found.insert(to);
        if is_new {
            self.parents.push(Some((from, step)));
            self.open.push((Reverse(expected), id.index()));
            self.is_left.push(false);
        }
        id
    }

    /// The path to a context, and then into the error state.
    fn path(&self, end: StateId, last: ProductStep) -> Path {
        let (mut steps, mut contexts) = (vec![last], vec![self.found[end].to_vec()]);
        let mut now: usize = end.index();
        while let Some((from, step)) = self.parents[now] {
            steps.push(step);
            contexts.push(self.found[from].to_vec());
            now = from.index();
        }
        steps.reverse();
        contexts.reverse();
        Path { steps, contexts }
    }
}
