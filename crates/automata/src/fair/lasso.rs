//! Lassos: a way to a terminal set, and a loop in it.

use crate::lts::{Label, Lts, StateId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A run that repeats its last steps for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairLasso {
    /// The steps from the initial state on: labels and targets.
    pub steps: Vec<(Label, StateId)>,
    /// The first step that is repeated; the number of steps if the run ends in a state without
    /// steps.
    pub loop_start: usize,
}

/// A shortest way into a set of states that is strongly connected, and a loop in it that goes
/// through a step with a label that `through` accepts, if there is one.
pub fn lasso_into(lts: &Lts, set: &[StateId], through: impl Fn(Label) -> bool) -> FairLasso {
    let members: FxHashSet<StateId> = set.iter().copied().collect();
    let is_in = |state| members.contains(&state);
    let mut steps = path(lts, lts.initial(), is_in, |_| false).unwrap_or_default();
    let start = steps.last().map_or(lts.initial(), |step| step.1);
    let loop_start = steps.len();
    let passes = |(label, _): &(Label, StateId)| through(*label);
    let has_pass = set.iter().flat_map(|&state| lts.transitions_from(state)).any(passes);
    let wanted = |label: Label| !has_pass || through(label);
    if let Some(mut there) = path(lts, start, |_| false, wanted) {
        let end = there.last().map_or(start, |step| step.1);
        steps.append(&mut there);
        steps.extend(path(lts, end, |state| state == start, |_| false).unwrap_or_default());
    }
    FairLasso { steps, loop_start }
}

/// A shortest path from a state to one that is wanted, or by a last step with a wanted label.
fn path(
    lts: &Lts,
    from: StateId,
    is_end: impl Fn(StateId) -> bool,
    ends: impl Fn(Label) -> bool,
) -> Option<Vec<(Label, StateId)>> {
    if is_end(from) {
        return Some(Vec::new());
    }
    let mut before: FxHashMap<StateId, (StateId, Label)> = FxHashMap::default();
    let mut open = VecDeque::from([from]);
    while let Some(state) = open.pop_front() {
        for &(label, target) in lts.transitions_from(state) {
            let is_last = ends(label) || is_end(target);
            let is_new = target != from && !before.contains_key(&target);
            if is_last {
                let mut steps = vec![(label, target)];
                let mut at = state;
                while at != from {
                    let (previous, label) = before[&at];
                    steps.push((label, at));
                    at = previous;
                }
                steps.reverse();
                return Some(steps);
            }
            if is_new {
                before.insert(target, (state, label));
                open.push_back(target);
            }
        }
    }
    None
}

impl FairLasso {
    /// The states of the run, from the initial one on.
    pub fn states(&self, lts: &Lts) -> Vec<StateId> {
        std::iter::once(lts.initial()).chain(self.steps.iter().map(|step| step.1)).collect()
    }

    /// Whether the run is one of the system, and its loop is closed.
    pub fn is_of(&self, lts: &Lts) -> bool {
        let states = self.states(lts);
        let leads = |(i, &(label, to)): (usize, &(Label, StateId))| {
            lts.transitions_by(states[i], label).iter().any(|step| step.1 == to)
        };
        let closes = states.get(self.loop_start) == states.last();
        closes && self.steps.iter().enumerate().all(leads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::terminal_sets;
    use crate::testing::lts;
    use resy_index::Id;

    #[test]
    fn a_loop_goes_through_what_is_wanted() {
        // 0 -1-> 1 -2-> 2 -3-> 1, 2 -4-> 2.
        let lts = lts(3, &[(0, 1, 1), (1, 2, 2), (2, 3, 1), (2, 4, 2)], &[]);
        let sets = terminal_sets(&lts);
        assert_eq!(sets.len(), 1);
        let number = |label: Label| label.action().map(|action| action.index());
        for wanted in 1..4 {
            let lasso = lasso_into(&lts, &sets[0], |label| number(label) == Some(wanted));
            assert!(lasso.is_of(&lts), "{lasso:?}");
            assert_eq!(lasso.loop_start, 1);
            assert!(lasso.steps[1..].iter().any(|step| number(step.0) == Some(wanted)));
        }
        let anywhere = lasso_into(&lts, &sets[0], |_| false);
        assert!(anywhere.is_of(&lts) && anywhere.steps.len() > 1);
    }

    #[test]
    fn a_run_that_ends_has_no_loop() {
        let lts = lts(2, &[(0, 1, 1)], &[]);
        let lasso = lasso_into(&lts, &terminal_sets(&lts)[0], |_| true);
        assert!(lasso.is_of(&lts));
        assert_eq!((lasso.steps.len(), lasso.loop_start), (1, 1));
    }
}
