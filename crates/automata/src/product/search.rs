//! Breadth-first search of a product for a state: an error, a deadlock.

use super::{Explorer, ProductStep, Tuples};
use crate::lts::StateId;
use resy_index::Id;

/// What becomes of a state that a search enters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Entered<T> {
    /// Its steps are followed.
    Follow,
    /// Nothing after it matters, and it does not count.
    Leave,
    /// It is what was searched for.
    Found(T),
}

/// A run of a product from its initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductRun {
    /// The steps.
    pub steps: Vec<ProductStep>,
    /// The states, one more than there are steps.
    pub states: Vec<Vec<StateId>>,
}

/// How far a search has come.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// The states that were followed, or wait to be.
    pub n_states: usize,
    /// The steps of those that were followed.
    pub n_transitions: usize,
    /// The largest distance of a state that was followed from the initial one.
    pub depth: usize,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProductSearch<T> {
    /// No state is what was searched for.
    Complete(Explored),
    /// A shortest run to a state that is what was searched for.
    Found(T, ProductRun),
}

/// Searches a product breadth-first. `enter` says what becomes of a state that is seen for the
/// first time, `leave` whether a state with so many steps is what is searched for. `None` if
/// `go_on`, which is called for each state, cancels.
pub fn search_while<T>(
    explorer: &Explorer<'_>,
    enter: impl Fn(&[StateId]) -> Entered<T>,
    leave: impl Fn(&[StateId], usize) -> Option<T>,
    go_on: impl FnMut(Explored) -> bool,
) -> Option<ProductSearch<T>> {
    let expand = |state: &[StateId], visit: &mut dyn FnMut(ProductStep, &[StateId])| {
        explorer.successors(state, visit);
    };
    search_by(explorer, expand, enter, leave, go_on)
}

/// Like [`search_while`]; `expand` enumerates the steps that are followed.
pub(super) fn search_by<T>(
    explorer: &Explorer<'_>,
    expand: impl Fn(&[StateId], &mut dyn FnMut(ProductStep, &[StateId])),
    enter: impl Fn(&[StateId]) -> Entered<T>,
    leave: impl Fn(&[StateId], usize) -> Option<T>,
    mut go_on: impl FnMut(Explored) -> bool,
) -> Option<ProductSearch<T>> {
    let initial = explorer.initial();
    match enter(&initial) {
        Entered::Follow => {}
        Entered::Leave => return Some(ProductSearch::Complete(Explored::default())),
        Entered::Found(what) => {
            let run = ProductRun { steps: Vec::new(), states: vec![initial] };
            return Some(ProductSearch::Found(what, run));
        }
    }
    let mut tuples = Tuples::new(initial.len());
    tuples.insert(&initial);
    let mut parents = vec![0];
    let mut explored = Explored { n_states: 1, ..Explored::default() };
    let (mut next, mut next_level) = (0, 1);
    while next < tuples.len() {
        if next == next_level {
            explored.depth += 1;
            next_level = tuples.len();
        }
        explored.n_states = tuples.len();
        if !go_on(explored) {
            return None;
        }
        let state = tuples[Id::from_index(next)].to_vec();
        let (mut n_steps, mut found) = (0, None);
        expand(&state, &mut |step, successor| {
            n_steps += 1;
            if found.is_some() || tuples.find(successor).is_some() {
                return;
            }
            match enter(successor) {
                Entered::Leave => {}
                Entered::Found(what) => found = Some((what, step, successor.to_vec())),
                Entered::Follow => {
                    tuples.insert(successor);
                    parents.push(next);
                }
            }
        });
        explored.n_transitions += n_steps;
        if let Some((what, step, last)) = found {
            let mut run = run_to(next, &parents, &tuples, explorer);
            run.steps.push(step);
            run.states.push(last);
            return Some(ProductSearch::Found(what, run));
        }
        if let Some(what) = leave(&state, n_steps) {
            return Some(ProductSearch::Found(what, run_to(next, &parents, &tuples, explorer)));
        }
        next += 1;
    }
    Some(ProductSearch::Complete(explored))
}

/// The run to the state numbered `to`. Steps are not stored: each is recomputed from its source
/// and target.
fn run_to(
    mut to: usize,
    parents: &[usize],
    tuples: &Tuples,
    explorer: &Explorer<'_>,
) -> ProductRun {
    let mut states = vec![tuples[Id::from_index(to)].to_vec()];
    let mut steps = Vec::new();
    while to != 0 {
        let (from, target) = (&tuples[Id::from_index(parents[to])], &tuples[Id::from_index(to)]);
        steps.extend(explorer.step_between(from, target));
        states.push(from.to_vec());
        to = parents[to];
    }
    steps.reverse();
    states.reverse();
    ProductRun { steps, states }
}

impl Explorer<'_> {
    /// The first step that leads from one state to another.
    pub fn step_between(&self, from: &[StateId], to: &[StateId]) -> Option<ProductStep> {
        let mut found = None;
        self.successors(from, |step, successor| {
            if successor == to {
                found.get_or_insert(step);
            }
        });
        found
    }

    /// The number of steps out of a state.
    pub fn n_steps(&self, state: &[StateId]) -> usize {
        let mut n_steps = 0;
        self.successors(state, |_, _| n_steps += 1);
        n_steps
    }
}

impl ProductRun {
    /// Whether each step of the run leads from its state to the next one, from the initial state on.
    pub fn is_of(&self, explorer: &Explorer<'_>) -> bool {
        let leads = |(step, pair): (&ProductStep, &[Vec<StateId>])| {
            let mut found = false;
            explorer.successors_by(*step, &pair[0], |to| found |= to == pair[1]);
            found
        };
        self.states.first() == Some(&explorer.initial())
            && self.states.len() == self.steps.len() + 1
            && self.steps.iter().zip(self.states.windows(2)).all(leads)
    }
}
