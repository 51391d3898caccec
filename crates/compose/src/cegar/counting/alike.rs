//! Which parts are alike: the same states and transitions, by actions that play the same roles.
//!
//! The colour of a part is its transitions with the colours of their actions; the colour of an
//! action is its effect on the monitor and the colours of its participants. What it does in them is left
//! out: a channel is in another state for each sender. Colours are refined until no part gets a
//! new one. Soundness does not depend on it: parts of one group share the numbers of their classes, and any
//! partition is sound.

use super::super::parts::Parts;
use resy_automata::lts::{ActionId, Label, Lts, StateId};
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::Hash;

/// Fewer members are not worth counting.
const LEAST: usize = 2;

/// The groups of parts that are alike, of which no two share an action; parts that are kept whole
/// are in none.
pub(super) fn groups(parts: &Parts<'_>, whole: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (part, colour) in colours(parts).into_iter().enumerate() {
        // A part with a single state has nothing to count.
        if parts.lts(part).n_states() > 1 && !whole.contains(&part) {
            groups.entry(colour).or_default().push(part);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.retain(|group| group.len() >= LEAST && are_apart(parts, group));
    groups
}

/// Whether no two of these parts share an action.
fn are_apart(parts: &Parts<'_>, group: &[usize]) -> bool {
    let mut seen = FxHashSet::default();
    group.iter().flat_map(|&part| parts.lts(part).alphabet().iter()).all(|a| seen.insert(a))
}

/// The colour of each part.
fn colours(parts: &Parts<'_>) -> Vec<usize> {
    let shapes = shapes(parts);
    let effects = &parts.effects().of_action;
    let mut of_action = effects.clone();
    let mut n_colours = 0;
    loop {
        let mut numbers = Numbers::default();
        let of_part: Vec<usize> = shapes
            .iter()
            .map(|PartShape { alone, actions }| {
                let uses =
                    actions.iter().map(|&(action, shape)| (shape, of_action[action.index()]));
                let mut uses: Vec<_> = uses.collect();
                uses.sort_unstable();
                numbers.of((*alone, uses))
            })
            .collect();
        if numbers.len() == n_colours {
            return of_part;
        }
        n_colours = numbers.len();
        let mut roles: Vec<Vec<usize>> = vec![Vec::new(); of_action.len()];
        for (shape, &colour) in shapes.iter().zip(&of_part) {
            shape.actions.iter().for_each(|(action, _)| roles[action.index()].push(colour));
        }
        let mut numbers = Numbers::default();
        roles.iter_mut().for_each(|row| row.sort_unstable());
        of_action = effects.iter().zip(roles).map(|pair| numbers.of(pair)).collect();
    }
}

/// A part without the names of its actions.
struct PartShape {
    /// The number of its states, its initial state and its internal transitions, as a number.
    alone: usize,
    /// For each action, its transitions, as a number.
    actions: Vec<(ActionId, usize)>,
}

fn shapes(parts: &Parts<'_>) -> Vec<PartShape> {
    let (mut alone, mut together) = (Numbers::default(), Numbers::default());
    let shape = |lts: &Lts| {
        let mut by_label: FxHashMap<Label, Vec<(StateId, StateId)>> = FxHashMap::default();
        for (from, label, to) in lts.transitions() {
            by_label.entry(label).or_default().push((from, to));
        }
        let internal = by_label.remove(&Label::Tau);
        let alone = alone.of((lts.n_states(), lts.initial(), internal));
        let mut number = |action| by_label.remove(&Label::Visible(action)).unwrap_or_default();
        let actions = lts.alphabet().iter().map(|a| (a, together.of(number(a)))).collect();
        PartShape { alone, actions }
    };
    (0..parts.n_parts()).map(|part| parts.lts(part)).map(shape).collect()
}

/// Numbers equal things equally, in the order of their first appearance.
struct Numbers<T>(FxHashMap<T, usize>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

impl<T: Hash + Eq> Numbers<T> {
    fn of(&mut self, thing: T) -> usize {
        let next = self.0.len();
        *self.0.entry(thing).or_insert(next)
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
