//! A property of many processes, one obligation at a time.
//!
//! An assertion is an action that the monitor forbids, whatever happened before. Why one cannot happen has little
//! to do with the others: one abstraction for all of them would be the product of what each
//! needs. So forbidden actions are put into groups by who takes part in them, what else leads into the error is one
//! group more, and for each group it is shown that the first error is not by one of
//! its actions. Errors by others are left out of the monitor: the action is disabled there, and nothing is lost,
//! because a run that takes it is over, and its error is another group's. A run into the error that is left is
//! a run of the whole network.

use crate::network;
use crate::refine::{RefineOutcome, RefineProgress};
use crate::requirement::Conclusion;
use crate::settled::until_settled;
use crate::split::Split;
use resy_automata::lts::{ActionId, LtsBuilder};
use resy_automata::network::Monitor;
use resy_certificate::About;
use std::collections::BTreeMap;

/// What has to be shown of a split: that no first error is by these actions, for each item.
pub fn obligations(split: &Split) -> Vec<About> {
    let errors = errors(&split.monitor);
    // Who takes part in the actions that are forbidden.
    let forbidden = errors.iter().filter(|(_, is_forbidden)| **is_forbidden);
    let mut parts_of: BTreeMap<ActionId, Vec<usize>> =
        forbidden.map(|(&action, _)| (action, Vec::new())).collect();
    let parts = [&split.module].into_iter().chain(&split.environment);
    for (i, part) in parts.enumerate() {
        for action in part.lts.alphabet().iter() {
            parts_of.entry(action).and_modify(|parts| parts.push(i));
        }
    }
    let mut groups: BTreeMap<Option<Vec<usize>>, Vec<ActionId>> = BTreeMap::new();
    for &action in errors.keys() {
        groups.entry(parts_of.remove(&action)).or_default().push(action);
    }
    match groups.len() {
        0 | 1 => vec![About::All],
        _ => groups.into_values().map(|group| About::Only(group.into_iter().collect())).collect(),
    }
}

/// The actions that lead into the error state, and whether they do so from everywhere.
fn errors(monitor: &Monitor) -> BTreeMap<ActionId, bool> {
    let Monitor { lts, error, .. } = monitor;
    let mut n_erring: BTreeMap<ActionId, usize> = BTreeMap::new();
    for (_, label, target) in lts.transitions() {
        if let Some(action) = label.action().filter(|_| target == *error) {
            *n_erring.entry(action).or_default() += 1;
        }
    }
    let everywhere = lts.n_states() - 1;
    let erring = n_erring.into_iter();
    erring.map(|(a, n)| (a, n == everywhere && lts.initial() != *error)).collect()
}

/// The monitor that errs by these actions only; where it would by others, it has no transition.
pub fn restricted(monitor: &Monitor, about: &About) -> Monitor {
    if *about == About::All {
        return monitor.clone();
    }
    let mut builder = LtsBuilder::with_states(monitor.lts.n_states());
    for (source, label, target) in monitor.lts.transitions() {
        if target != monitor.error || about.covers(label) {
            builder.add_transition(source, label, target);
        }
    }
    let lts = builder.finish(monitor.lts.initial(), monitor.lts.alphabet().clone());
    Monitor { lts, ..monitor.clone() }
}

/// Whether the property holds of a split without a module, one obligation after the other;
/// unknown if `go_on` says no before this is decided. Each that holds is told to `proved`.
pub fn check(
    split: &Split,
    mut go_on: impl FnMut(&RefineProgress) -> bool,
    mut proved: impl FnMut(&About, &RefineOutcome),
) -> Conclusion {
    let mut one = split.clone();
    let mut before = RefineProgress::default();
    for about in obligations(split) {
        if !go_on(&before) {
            return Conclusion::Interrupted;
        }
        one.monitor = until_settled(&restricted(&split.monitor, &about));
        let mut now = before;
        let checked = network::check(&one, |progress| {
            now = before.and(progress);
            go_on(&now)
        });
        match checked.verdict {
            Conclusion::Holds => proved(&about, &checked),
            other => return other,
        }
        before = now;
    }
    Conclusion::Holds
}
