//! Deadlocks without all interleavings: stubborn sets (Valmari 1988) of systems that share actions.
//!
//! A set of systems is *closed* in a state if for each label that one of them has there
//!
//! - all participants belong to the set, if all of them can take it;
//! - else one participant that cannot take it belongs to the set.
//!
//! Whatever the systems outside do, those of the set neither gain nor lose a step, because an action that
//! moves one of them has it as a participant. So every run to a deadlock can begin with a step of the set,
//! and only these are followed. The states that a run visits are the same for each system, in the same
//! order: a run that avoids some local states still does.

use super::{Entered, Explored, Explorer, ProductSearch, search::search_by, search_while};
use crate::lts::{Label, Rows, StateId};
use crate::product::ProductStep;
use resy_index::Id;

/// Searches a product for deadlocks as [`search_while`](super::search_while) does, but follows only the
/// steps of a stubborn set in each state: fewer states, and the run need not be a shortest one. Under a preference, steps
/// of other systems disable steps of the set: then all steps are followed.
pub fn search_deadlock_while<T>(
    explorer: &Explorer<'_>,
    enter: impl Fn(&[StateId]) -> Entered<T>,
    leave: impl Fn(&[StateId], usize) -> Option<T>,
    go_on: impl FnMut(Explored) -> bool,
) -> Option<ProductSearch<T>> {
    if explorer.has_preference() {
        return search_while(explorer, enter, leave, go_on);
    }
    let stubborn = Stubborn::of(explorer);
    let expand = |state: &[StateId], visit: &mut dyn FnMut(ProductStep, &[StateId])| {
        for step in stubborn.steps(state) {
            explorer.successors_by(step, state, |to| visit(step, to));
        }
    };
    search_by(explorer, expand, enter, leave, go_on)
}

/// The labels of each local state.
struct Stubborn<'e, 'a> {
    explorer: &'e Explorer<'a>,
    labels: Vec<Rows<Label>>,
}

impl<'e, 'a> Stubborn<'e, 'a> {
    fn of(explorer: &'e Explorer<'a>) -> Self {
        let labels = explorer.systems().iter().map(|lts| {
            let mut rows = Rows::new();
            for state in lts.states() {
                let runs = lts.transitions_from(state).chunk_by(|a, b| a.0 == b.0);
                rows.push(runs.map(|run| run[0].0));
            }
            rows
        });
        Self { explorer, labels: labels.collect() }
    }

    /// The possible steps of a closed set with few of them; none in a deadlock.
    fn steps(&self, state: &[StateId]) -> Vec<ProductStep> {
        let mut best: Option<Vec<ProductStep>> = None;
        for seed in 0..state.len() {
            if best.as_ref().is_some_and(|best| best.len() == 1) {
                break;
            }
            let steps = self.closed(seed, state);
            if !steps.is_empty() && best.as_ref().is_none_or(|best| steps.len() < best.len()) {
                best = Some(steps);
            }
        }
        best.unwrap_or_default()
    }

    /// The possible steps of a closed set with a system.
    fn closed(&self, seed: usize, state: &[StateId]) -> Vec<ProductStep> {
        let mut is_member = vec![false; state.len()];
        is_member[seed] = true;
        let (mut members, mut next) = (vec![seed], 0);
        let mut steps = Vec::new();
        while let Some(&system) = members.get(next) {
            next += 1;
            for &label in self.labels[system].row(state[system].index()) {
                let Label::Visible(action) = label else {
                    steps.push(ProductStep::Tau(Id::from_index(system)));
                    continue;
                };
                let participants = self.explorer.participants_of(action);
                let blocks = |&other: &usize| {
                    self.explorer.systems()[other].transitions_by(state[other], label).is_empty()
                };
                let mut blocking = participants.iter().copied().filter(blocks).peekable();
                if blocking.peek().is_none() {
                    steps.push(ProductStep::Action(action));
                    for &other in participants {
                        if !std::mem::replace(&mut is_member[other], true) {
                            members.push(other);
                        }
                    }
                    continue;
                }
                let first = blocking.peek().copied();
                if !blocking.any(|other| is_member[other])
                    && let Some(other) = first
                {
                    is_member[other] = true;
                    members.push(other);
                }
            }
        }
        steps.sort_unstable();
        steps.dedup();
        steps
    }
}
