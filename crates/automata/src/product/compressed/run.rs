//! From a run of reduced parts to a run of the systems.
//!
//! Whatever a reduced part does, each state of the class does after internal steps inside the class (branching
//! bisimulation), and where the reduced part stops without an internal cycle, internal steps inside the class come to an
//! end. Internal steps of a part concern nobody else, so that those of two parts may be taken one after the other. So
//! paths are handed down, from a product to its two parts, and runs are put together on the way back. A part has a larger
//! number than the parts that it consists of.

use super::{Origin, Part};
use crate::lts::{Label, StateId};
use crate::product::{ProductRun, ProductStep};
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Steps of a system from its initial state.
type Path = Vec<(Label, StateId)>;

/// The run of the systems that a run of the parts that are left to a deadlock stands for; `None` if `go_on` says no.
pub(super) fn unfolded(
    parts: &[Part],
    left: &[usize],
    run: &ProductRun,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<ProductStep>> {
    let mut paths: Vec<Path> = vec![Path::new(); parts.len()];
    for (&step, states) in run.steps.iter().zip(&run.states[1..]) {
        for (i, (&id, &state)) in left.iter().zip(states).enumerate() {
            let takes_part = match step {
                ProductStep::Tau(other) => other.index() == i,
                ProductStep::Action(action) => parts[id].reduced.alphabet().contains(action),
            };
            if takes_part {
                paths[id].push((step.label(), state));
            }
        }
    }
    let mut taken: Vec<Vec<Taken>> = vec![Vec::new(); parts.len()];
    for (id, part) in parts.iter().enumerate().rev() {
        taken[id] = part.followed(&paths[id], go_on)?;
        part.hand_down(parts, &taken[id], &mut paths);
    }
    let mut pieces: Vec<Pieces> = Vec::with_capacity(parts.len());
    for (part, taken) in parts.iter().zip(&taken) {
        let found = part.put_together(parts, taken, &mut pieces);
        pieces.push(found);
    }
    let mut steps = Vec::new();
    for &step in &run.steps {
        for (i, &id) in left.iter().enumerate() {
            match step {
                ProductStep::Tau(other) if other.index() == i => pieces[id].next(&mut steps),
                ProductStep::Action(action) if parts[id].reduced.alphabet().contains(action) => {
                    pieces[id].next(&mut steps);
                }
                _ => {}
            }
        }
        steps.extend(matches!(step, ProductStep::Action(_)).then_some(step));
    }
    left.iter().for_each(|&id| steps.append(&mut pieces[id].tail));
    Some(steps)
}

/// A step of a part before it was reduced.
#[derive(Copy, Clone)]
struct Taken {
    label: Label,
    source: StateId,
    target: StateId,
    /// Whether it is a step of the path that is followed. The others are internal.
    is_on_path: bool,
}

/// What the systems do for a path of a part.
struct Pieces {
    /// For each step of the path, the steps up to it, with it if it is internal.
    steps: VecDeque<Vec<ProductStep>>,
    /// The steps behind the path.
    tail: Vec<ProductStep>,
}

impl Pieces {
    /// Moves what belongs to the next step to the end of a list.
    fn next(&mut self, to: &mut Vec<ProductStep>) {
        to.append(&mut self.steps.pop_front().unwrap_or_default());
    }
}

impl Part {
    /// A label without what is hidden.
    fn seen(&self, label: Label) -> Label {
        match label {
            Label::Visible(action) if self.hidden.contains(action) => Label::Tau,
            label => label,
        }
    }

    fn class(&self, state: StateId) -> StateId {
        Id::from_index(self.classes.block_of(state).index())
    }

    /// A run along a path of the reduced part, and on to where no internal step is possible.
    fn followed(
        &self,
        path: &[(Label, StateId)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Taken>> {
        let (mut at, mut run) = (self.whole.initial(), Vec::new());
        for step in path.iter().copied().map(Some).chain([None]) {
            if !go_on() {
                return None;
            }
            let before = run.len();
            // A step that is not possible would contradict what the classes are.
            let Some(found) = self.reached(at, step) else { break };
            run.extend(found);
            at = run[before..].last().map_or(at, |last: &Taken| last.target);
        }
        Some(run)
    }

    /// Internal steps inside the class of a state, then this step; without one, to a state that has no internal step.
    fn reached(&self, from: StateId, step: Option<(Label, StateId)>) -> Option<Vec<Taken>> {
        let class = self.class(from);
        let mut before: FxHashMap<StateId, Taken> = FxHashMap::default();
        let mut todo = VecDeque::from([from]);
        while let Some(source) = todo.pop_front() {
            let moves = self.whole.transitions_from(source).iter();
            let mut is_quiet = true;
            let mut last = None;
            for &(label, target) in moves {
                let (seen, to) = (self.seen(label), self.class(target));
                is_quiet &= seen != Label::Tau;
                if Some((seen, to)) == step {
                    last = Some(Taken { label, source, target, is_on_path: true });
                } else if seen == Label::Tau && to == class && target != from {
                    before.entry(target).or_insert_with(|| {
                        todo.push_back(target);
                        Taken { label, source, target, is_on_path: false }
                    });
                }
            }
            if last.is_none() && (step.is_some() || !is_quiet) {
                continue;
            }
            let mut run: Vec<Taken> = last.into_iter().collect();
            let mut at = source;
            while at != from {
                let step = before[&at];
                run.push(step);
                at = step.source;
            }
            run.reverse();
            return Some(run);
        }
        None
    }

    /// For each of the two parts of a product, whether it takes part in a step.
    fn takers(&self, parts: &[Part], step: Taken) -> [bool; 2] {
        let Origin::Pair(pair, tuples) = &self.origin else { return [false; 2] };
        match step.label {
            Label::Visible(action) => pair.map(|id| parts[id].reduced.alphabet().contains(action)),
            Label::Tau => [0, 1].map(|i| tuples[step.source][i] != tuples[step.target][i]),
        }
    }

    /// The paths of the two parts of a product.
    fn hand_down(&self, parts: &[Part], taken: &[Taken], paths: &mut [Path]) {
        let Origin::Pair(pair, tuples) = &self.origin else { return };
        for &step in taken {
            let takers = self.takers(parts, step);
            for i in [0, 1].into_iter().filter(|&i| takers[i]) {
                paths[pair[i]].push((step.label, tuples[step.target][i]));
            }
        }
    }

    /// What the systems of a part do, from what those of its parts do.
    fn put_together(&self, parts: &[Part], taken: &[Taken], pieces: &mut [Pieces]) -> Pieces {
        let (mut found, mut steps) = (VecDeque::new(), Vec::new());
        for &step in taken {
            let takers = self.takers(parts, step);
            if let Origin::Pair(pair, _) = &self.origin {
                let own = pair.iter().zip(takers).filter(|(_, takes_part)| *takes_part);
                own.for_each(|(&id, _)| pieces[id].next(&mut steps));
            }
            match (step.label, &self.origin) {
                // Whoever composes this part with another one takes the step.
                (label, _) if self.seen(label) != Label::Tau => {}
                (Label::Visible(action), _) => steps.push(ProductStep::Action(action)),
                (Label::Tau, Origin::System(id)) => {
                    steps.push(ProductStep::Tau(Id::from_index(*id)));
                }
                (Label::Tau, Origin::Pair(..)) => {}
            }
            if step.is_on_path {
                found.push_back(std::mem::take(&mut steps));
            }
        }
        if let Origin::Pair(pair, _) = &self.origin {
            pair.iter().for_each(|&id| steps.append(&mut pieces[id].tail));
        }
        Pieces { steps: found, tail: steps }
    }
}
