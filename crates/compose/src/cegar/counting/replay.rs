//! Replaying a path of ways: a run of the network, or an obstacle.
//!
//! Each part that is not counted follows the path [alone](super::alone), whoever the members of
//! groups are: if it cannot, that has nothing to do with identities. And all parts follow it
//! [together](super::together), with a member for each move. Between two steps of the path a part
//! may take [steps that change no class](super::stutter).

use super::super::parts::whole;
use super::super::replay::Conflict;
use super::super::search::Path;
use super::super::trail::Trail;
use super::Counted;
use super::outline::{CountedOutline, Move};
use super::stutter::Stutter;
use resy_automata::lts::{Label, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use std::cell::Cell;

/// Why a path is no run.
pub(super) enum Obstacle {
    /// Classes of a part mix states that can follow with states that cannot. The first set is in
    /// the class where the part gets stuck.
    Mixed { part: usize, able: Vec<Vec<bool>> },
    /// A member of a group is not in the class from which some member moves.
    Who(usize),
}

/// The path as a run of the network, or an obstacle; none of both if `go_on` cancels. `work` counts the
/// local states that are visited.
pub(super) fn run_or_obstacle(
    counted: &Counted<'_>,
    outline: &CountedOutline,
    path: &Path,
    work: &Cell<usize>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<ProductStep>, Option<Obstacle>> {
    let replay = Replay { counted, outline, path, work };
    let alone = replay.alone();
    let on_classes = replay.together(true, go_on);
    // The word may be possible on other classes.
    on_classes.or_else(|together| {
        replay.together(false, go_on).map_err(|_| smallest(counted, alone, together))
    })
}

/// The obstacle in the part with fewer states: it can be split less often.
fn smallest(
    counted: &Counted<'_>,
    alone: Option<Obstacle>,
    together: Option<Obstacle>,
) -> Option<Obstacle> {
    let size = |obstacle: &Obstacle| match obstacle {
        Obstacle::Mixed { part, .. } => counted.parts.lts(*part).n_states(),
        Obstacle::Who(_) => usize::MAX,
    };
    alone.into_iter().chain(together).min_by_key(size)
}

/// What is replayed.
pub(super) struct Replay<'r> {
    pub counted: &'r Counted<'r>,
    pub outline: &'r CountedOutline,
    pub path: &'r Path,
    work: &'r Cell<usize>,
}

impl Replay<'_> {
    /// Notes that local states were visited.
    pub(super) fn visited(&self, n_states: usize) {
        self.work.set(self.work.get() + n_states);
    }

    /// The number of members of a group in a class.
    pub(super) fn count(&self, context: &[StateId], group: usize, class: StateId) -> usize {
        let members = &self.counted.groups[group];
        match self.counted.n_classes(members) {
            1 => members.len(),
            _ => context[self.outline.counters[group] + class.index()].index(),
        }
    }

    /// The class in a context of a part that is not counted.
    pub(super) fn class(&self, context: &[StateId], part: usize) -> StateId {
        self.outline.outline.class(context, part).unwrap_or_else(whole)
    }

    /// The steps of the network that a step of the path stands for.
    pub(super) fn steps(&self, step: ProductStep) -> Vec<ProductStep> {
        match step {
            ProductStep::Tau(system) => {
                let part = self.outline.outline.parts[system.index()];
                vec![ProductStep::Tau(Id::from_index(part))]
            }
            ProductStep::Action(way) => self.outline.ways[way.index()].steps.clone(),
        }
    }

    /// The move of a member of a group by the step from a context.
    pub(super) fn move_at(&self, at: usize, group: usize) -> Option<Move> {
        let ProductStep::Action(way) = self.path.steps[at] else { return None };
        let moves = &self.outline.ways[way.index()].moves;
        moves.iter().copied().find(|m| m.group == group)
    }

    /// The participants of a step of the network.
    pub(super) fn participants(&self, step: ProductStep) -> Vec<usize> {
        match step {
            ProductStep::Tau(part) => vec![part.index()],
            ProductStep::Action(action) => self.counted.parts.with(action).to_vec(),
        }
    }

    /// The trail of a part that has not moved yet.
    pub(super) fn start(&self, part: usize, is_on_classes: bool) -> Trail {
        let parts = &self.counted.parts;
        let initial = parts.lts(part).initial();
        Trail::at(parts, part, initial, is_on_classes.then(|| parts.class_of(part, initial)))
    }

    /// The class into which the step from a context leads a part; none after the last step.
    pub(super) fn target(&self, at: usize, part: usize) -> Option<StateId> {
        match self.counted.group_of(part) {
            None => self.path.contexts.get(at + 1).map(|to| self.class(to, part)),
            Some(group) => Some(self.move_at(at, group).map_or_else(whole, |m| m.to)),
        }
    }

    /// The conflict of a part that cannot take these steps from a context; a member is in the class
    /// from which it should move.
    pub(super) fn conflict(&self, at: usize, part: usize, labels: Vec<Label>) -> Conflict {
        let class = match self.counted.group_of(part) {
            None => self.class(&self.path.contexts[at], part),
            Some(group) => self.move_at(at, group).map_or_else(whole, |m| m.from),
        };
        Conflict { part, class, labels, target: self.target(at, part) }
    }

    /// The obstacle of a part that cannot get to any of these steps within its class.
    pub(super) fn mixed(&self, at: usize, part: usize, labels: Vec<Label>) -> Obstacle {
        let conflict = self.conflict(at, part, labels);
        let mut able = self.counted.parts.able(&conflict);
        let stutter = Stutter::in_context(self, &self.path.contexts[at]);
        stutter.reach_back(part, conflict.class, &mut able);
        Obstacle::Mixed { part, able: vec![able] }
    }
}
