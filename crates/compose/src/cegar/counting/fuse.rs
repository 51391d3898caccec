//! Parts that belong together become one part: a process and the channel that only it reads.
//!
//! Sums over a group of processes and over the group of their channels forget which channel is
//! whose. Where each member of a group shares actions with one member of another group, and nobody
//! else has them, the product of the two is a member instead.

use super::super::parts::Parts;
use super::super::replay::private_before;
use super::super::trail::Trail;
use super::alike;
use crate::split::Split;
use resy_automata::product::ProductStep;
use rustc_hash::FxHashMap;

/// The largest product of two parts, in states.
const LARGEST: usize = 1_000;

/// The split in which parts that belong together are one part, as long as there are any.
pub(in super::super) fn fused(split: &Split, whole: &[usize]) -> Option<Split> {
    if !whole.is_empty() {
        return None;
    }
    let mut now: Option<Split> = None;
    while let Some(next) = once(now.as_ref().unwrap_or(split)) {
        now = Some(next);
    }
    now
}

/// Joins the members of two groups.
fn once(split: &Split) -> Option<Split> {
    let parts = Parts::unsplit(split);
    let groups = alike::groups(&parts, &[]);
    let mut group_of: FxHashMap<usize, usize> = FxHashMap::default();
    for (group, members) in groups.iter().enumerate() {
        group_of.extend(members.iter().map(|&member| (member, group)));
    }
    let partner = |member: usize| {
        let actions = parts.lts(member).alphabet().iter();
        let pairs = actions.map(|action| parts.with(action)).filter(|with| with.len() == 2);
        let others = pairs.map(|with| with[usize::from(with[0] == member)]);
        let mut others = others.filter(|other| group_of.contains_key(other));
        let first = others.next()?;
        others.all(|other| other == first).then_some(first)
    };
    let pairs = groups.iter().find_map(|members| {
        let pair = |&member: &usize| {
            let other = partner(member)?;
            (partner(other) == Some(member) && member < other).then_some((member, other))
        };
        members.iter().map(pair).collect::<Option<Vec<_>>>()
    })?;
    split.with_joined(&pairs, LARGEST)
}

/// A run of the fused split as one of the original: its actions, and internal steps where parts need
/// them.
pub(in super::super) fn unfused(split: &Split, run: &[ProductStep]) -> Vec<ProductStep> {
    let parts = Parts::unsplit(split);
    let mut trails: FxHashMap<usize, Trail> = FxHashMap::default();
    let is_action = |step: &&ProductStep| matches!(step, ProductStep::Action(_));
    let steps: Vec<ProductStep> = run.iter().filter(is_action).copied().collect();
    for step in &steps {
        let ProductStep::Action(action) = *step else { continue };
        for &part in parts.with(action) {
            let start = || Trail::at(&parts, part, parts.lts(part).initial(), None);
            let trail = trails.remove(&part).unwrap_or_else(start);
            let after = trail.after(&parts, step.label(), None);
            trails.insert(part, after.expect("a product has the words of its parts"));
        }
    }
    private_before(&parts, &trails, &steps)
}
