//! Parts that are not counted follow a path, each alone and whoever the members of groups are.

use super::replay::{Obstacle, Replay};
use super::stutter::Stutter;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A step of a part on the path: its class before, and the labels.
struct PartStep {
    at: usize,
    class: StateId,
    labels: Vec<Label>,
    /// Whether there are steps of the network without this part.
    may_stay: bool,
}

/// Where a part can be, and how it got there.
#[derive(Default)]
struct Place {
    states: Vec<StateId>,
    history: Vec<PartStep>,
}

impl Replay<'_> {
    /// The obstacle of a part that cannot follow the path alone: of the parts with the fewest states, the
    /// first on the path.
    pub(super) fn alone(&self) -> Option<Obstacle> {
        let mut places: FxHashMap<usize, Place> = FxHashMap::default();
        let mut stuck: FxHashSet<usize> = FxHashSet::default();
        let mut smallest: Option<(usize, Obstacle)> = None;
        for (at, &step) in self.path.steps.iter().enumerate() {
            let stutter = Stutter::in_context(self, &self.path.contexts[at]);
            for (part, (labels, may_stay)) in self.labels(step) {
                let size = self.counted.parts.lts(part).n_states();
                if stuck.contains(&part) || smallest.as_ref().is_some_and(|s| s.0 <= size) {
                    continue;
                }
                let class = self.class(&self.path.contexts[at], part);
                let step = PartStep { at, class, labels, may_stay };
                let place = places.entry(part).or_insert_with(|| self.initial_place(part));
                place.states = self.after(&stutter, part, &place.states, &step);
                if place.states.is_empty() {
                    let obstacle = self.mixed(at, part, step.labels);
                    smallest = Some((size, self.all_the_way(obstacle, &place.history)));
                    stuck.insert(part);
                } else {
                    place.history.push(step);
                }
            }
        }
        smallest.map(|(_, obstacle)| obstacle)
    }

    fn initial_place(&self, part: usize) -> Place {
        Place { states: vec![self.counted.parts.lts(part).initial()], history: Vec::new() }
    }

    /// The states after a step.
    fn after(
        &self,
        stutter: &Stutter<'_>,
        part: usize,
        from: &[StateId],
        step: &PartStep,
    ) -> Vec<StateId> {
        let parts = &self.counted.parts;
        let target = self.target(step.at, part);
        let here = stutter.reach(part, from, step.class, |_| true);
        let mut next: Vec<StateId> = Vec::new();
        for &(state, _) in &here {
            let steps = step.labels.iter();
            let steps = steps.flat_map(|&label| parts.lts(part).transitions_by(state, label));
            next.extend(steps.map(|step| step.1));
        }
        next.retain(|&to| target.is_none_or(|class| parts.class_of(part, to) == class));
        if step.may_stay {
            next.extend(here.iter().map(|place| place.0));
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The parts that are not counted and take part in some of the steps of a way: their labels,
    /// and whether there are steps in which they do not take part.
    fn labels(&self, step: ProductStep) -> BTreeMap<usize, (Vec<Label>, bool)> {
        let mut labels: BTreeMap<usize, (Vec<Label>, bool)> = BTreeMap::new();
        let steps = self.steps(step);
        for &step in &steps {
            for part in self.participants(step) {
                if self.counted.group_of(part).is_none() {
                    labels.entry(part).or_default().0.push(step.label());
                }
            }
        }
        labels.values_mut().for_each(|(labels, may_stay)| *may_stay = labels.len() < steps.len());
        labels
    }

    /// Adds what the earlier classes of the path mix: states from which the part can get to where
    /// it could follow. Otherwise each would take a path of its own.
    fn all_the_way(&self, obstacle: Obstacle, history: &[PartStep]) -> Obstacle {
        let Obstacle::Mixed { part, able: mut all } = obstacle else { return obstacle };
        let parts = &self.counted.parts;
        let lts = parts.lts(part);
        for PartStep { at, class, labels, may_stay } in history.iter().rev() {
            let last = &all[all.len() - 1];
            let leads_there = |state: StateId| {
                let mut steps = labels.iter().flat_map(|&label| lts.transitions_by(state, label));
                *may_stay && last[state.index()] || steps.any(|step| last[step.1.index()])
            };
            let members = lts.states().filter(|&state| parts.class_of(part, state) == *class);
            let mut able = vec![false; lts.n_states()];
            members.for_each(|state| able[state.index()] = leads_there(state));
            if !able.contains(&true) {
                break;
            }
            let stutter = Stutter::in_context(self, &self.path.contexts[*at]);
            stutter.reach_back(part, *class, &mut able);
            all.push(able);
        }
        Obstacle::Mixed { part, able: all }
    }
}
