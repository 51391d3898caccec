//! A property of many processes, one obligation at a time.
//!
//! An assertion is an action that the monitor forbids in every state. The reasons why two
//! assertions cannot fail are usually independent, and one abstraction for all of them would be the
//! product of what each needs. So the forbidden actions are grouped by their participants, all
//! other error actions form one more group, and for each group it is shown that the *first* error
//! is not by one of its actions. Errors by other actions are removed from the monitor, which then
//! blocks there. Nothing is lost: a run that takes such an action has already violated the
//! property, and that error belongs to another group. A run into the remaining error is a run of
//! the whole network.

use crate::cegar;
use crate::refine::{RefineOutcome, RefineProgress};
use crate::requirement::Conclusion;
use crate::settled::until_settled;
use crate::split::Split;
use resy_automata::lts::{ActionId, LtsBuilder};
use resy_automata::network::Monitor;
use resy_certificate::About;
use std::collections::BTreeMap;

/// The obligations of a split: for each item, no first error is by one of its actions.
pub fn obligations(split: &Split) -> Vec<About> {
    let errors = errors(&split.monitor);
    // For each forbidden action, its participants.
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

/// The actions that lead into the error state, and whether they do so from every state.
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

/// The monitor without the transitions into the error by other actions; it blocks them instead.
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

/// Whether the property holds for a split without a module, one obligation after the other;
/// `Interrupted` if `go_on` cancels. `proved` is called with each obligation that holds.
pub fn check(
    split: &Split,
    go_on: impl FnMut(&RefineProgress) -> bool,
    proved: impl FnMut(&About, &RefineOutcome),
) -> Conclusion {
    check_with(split, &[], go_on, proved)
}

/// Like [`check`]; these parts, by their places in the environment, are not abstracted.
pub fn check_with(
    split: &Split,
    whole: &[usize],
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
        let checked = cegar::check_with(&one, whole, |progress| {
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
