//! Where a part may be that follows a path, and how it got there.

use super::parts::Parts;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// The states in which a part may be after some steps of a path and then private ones.
#[derive(Clone)]
pub(super) struct Trail {
    part: usize,
    /// The states after the last step, and then those that private steps lead to.
    places: Vec<TrailState>,
    /// The trail before the last step.
    before: Option<Rc<Trail>>,
}

#[derive(Copy, Clone)]
struct TrailState {
    state: StateId,
    /// The place before: by a private step one of the same trail, otherwise one of the trail before.
    from: Option<(usize, Option<ProductStep>)>,
}

impl Trail {
    /// A trail that begins in a state; private steps stay in the class, if one is given.
    pub(super) fn at(
        parts: &Parts<'_>,
        part: usize,
        state: StateId,
        class: Option<StateId>,
    ) -> Self {
        let start = TrailState { state, from: None };
        Self { part, places: vec![start], before: None }.closed(parts, class)
    }

    /// The trail after a step into a class, or into any; none if no state has the step.
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

    /// Adds what private steps lead to.
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

    /// Private steps on one way to the end, as many as are needed: before each step of the path.
    pub(super) fn private_steps(&self) -> Vec<Vec<ProductStep>> {
        let mut all = Vec::new();
        // The last step of the path may lead anywhere, and nothing has to follow.
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
        // What follows the last step is not needed.
        all.pop();
        all
    }
}
