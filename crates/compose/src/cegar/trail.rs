//! Trails: the states in which a part can be along a path, with predecessors.

use super::parts::Parts;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The states in which a part can be after some steps of a path, followed by private steps.
#[derive(Clone)]
pub(super) struct Trail {
    part: usize,
    /// The states after the last step, then those reached by private steps.
    places: Vec<TrailState>,
    /// The trail before the last step.
    before: Option<Rc<Trail>>,
}

#[derive(Copy, Clone)]
struct TrailState {
    state: StateId,
    /// The index of the predecessor: by a private step in the same trail, otherwise in the trail
    /// before.
    from: Option<(usize, Option<ProductStep>)>,
}

impl Trail {
    /// A trail that begins in a state; private steps stay within the class, if one is given.
    pub(super) fn at(
        parts: &Parts<'_>,
        part: usize,
        state: StateId,
        class: Option<StateId>,
    ) -> Self {
        let start = TrailState { state, from: None };
        Self { part, places: vec![start], before: None }.closed(parts, class)
    }

    /// The trail after a step into a class, or into any class; `None` if no state has the step.
    pub(super) fn after(
        &self,
        parts: &Parts<'_>,
        label: Label,
        class: Option<StateId>,
    ) -> Option<Self> {
        let lts = parts.lts(self.part);
        let mut places: Vec<TrailState> = Vec::new();
        let mut seen = FxHashSet::default();
        for (from, place) in self.places.iter().enumerate() {
            for &(_, state) in lts.transitions_by(place.state, label) {
                let is_there = class.is_none_or(|class| parts.class_of(self.part, state) == class);
                if is_there && seen.insert(state) {
                    places.push(TrailState { state, from: Some((from, None)) });
                }
            }
        }
        let next = Self { part: self.part, places, before: None };
        (!next.places.is_empty()).then(|| {
            let before = Some(Rc::new(self.clone()));
            Self { before, ..next.closed(parts, class) }
        })
    }

    /// The states of the part.
    pub(super) fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        self.places.iter().map(|place| place.state)
    }

    /// Closes the trail under private steps.
    fn closed(mut self, parts: &Parts<'_>, class: Option<StateId>) -> Self {
        let mut seen: FxHashSet<StateId> = self.places.iter().map(|place| place.state).collect();
        let mut next = 0;
        while let Some(&TrailState { state, .. }) = self.places.get(next) {
            for (step, to) in parts.private_steps(self.part, state) {
                let stays = class.is_none_or(|class| parts.class_of(self.part, to) == class);
                if stays && seen.insert(to) {
                    self.places.push(TrailState { state: to, from: Some((next, Some(step))) });
                }
            }
            next += 1;
        }
        self
    }

    /// The private steps that one path to the end needs before each step.
    pub(super) fn private_steps(&self) -> Vec<Vec<ProductStep>> {
        let mut all = Vec::new();
        // The last step may lead to any state, and nothing has to follow.
        let mut at = 0;
        let mut trail = self;
        loop {
            let mut steps = Vec::new();
            let mut enter = None;
            while let Some((from, step)) = trail.places[at].from {
                let Some(step) = step else {
                    enter = Some(from);
                    break;
                };
                steps.push(step);
                at = from;
            }
            steps.reverse();
            all.push(steps);
            match (enter, &trail.before) {
                (Some(from), Some(before)) => (at, trail) = (from, before),
                _ => break,
            }
        }
        all.reverse();
        // Private steps after the last step are not needed.
        all.pop();
        all
    }
}
