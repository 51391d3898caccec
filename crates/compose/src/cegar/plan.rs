//! Plans: the steps to the error state if no class were ever left.
//!
//! This is the delete relaxation of AI planning: a system that has been in a class counts as being
//! in it for ever. One pass over the local transitions then computes the distance of each class,
//! and reading it backwards from the error state gives a plan. A plan need not be executable,
//! because a step may undo what another one needs; but without a plan there is no path.

use super::outline::Outline;
use resy_automata::lts::{Label, Rows, StateId};
use resy_automata::product::ProductStep;
use resy_index::Id;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A step of a plan, and its purpose.
#[derive(Copy, Clone, Debug)]
pub(super) struct PlannedMove {
    pub step: ProductStep,
    /// The system, and the class that it is meant to reach.
    pub system: usize,
    pub target: StateId,
}

/// Steps towards the error state.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The steps, in the order in which they are needed.
    pub moves: Vec<PlannedMove>,
}

/// Computes plans in an outline.
pub(super) struct Planner<'o> {
    outline: &'o Outline,
    /// For each system, the number of its first class; classes are numbered consecutively over all
    /// systems.
    first: Vec<usize>,
    n_classes: usize,
    /// For each group, its participating systems.
    participants: Rows<usize>,
    /// For each group, the number of its first role; roles, one per participant, are numbered
    /// consecutively over all groups.
    first_role: Vec<usize>,
}

/// How a class is reached: by a step, from another class of the same system.
#[derive(Copy, Clone, Debug)]
struct Way {
    step: ProductStep,
    from: StateId,
}

/// The state of the distance computation, nearest classes first.
struct Reached {
    /// For each class, its distance so far.
    distance: Vec<u64>,
    way: Vec<Option<Way>>,
    /// Whether the distance is final.
    is_done: Vec<bool>,
    /// For each role, the nearest class in which the participant can take part.
    able: Vec<Option<(u64, StateId)>>,
    /// For each group, the number of participants that cannot take part yet, and the sum of the
    /// distances of the others.
    missing: Vec<usize>,
    sum: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, usize, StateId)>>,
}

impl<'o> Planner<'o> {
    /// A planner for the contexts of an outline.
    pub(super) fn new(outline: &'o Outline) -> Self {
        let mut first = Vec::new();
        let mut n_classes = 0;
        for lts in &outline.systems {
            first.push(n_classes);
            n_classes += lts.n_states();
        }
        let participants = Rows::collect(outline.groups.len(), || {
            let systems = outline.systems.iter().enumerate();
            systems.flat_map(|(i, lts)| lts.alphabet().iter().map(move |a| (a.index(), i)))
        });
        let mut first_role = Vec::new();
        let mut n_roles = 0;
        for group in 0..outline.groups.len() {
            first_role.push(n_roles);
            n_roles += participants.row(group).len();
        }
        Self { outline, first, n_classes, participants, first_role }
    }

    /// A plan from a context; `None` if the error state is unreachable.
    pub(super) fn plan(&self, context: &[StateId]) -> Option<Plan> {
        let n_groups = self.outline.groups.len();
        let mut reached = Reached {
            distance: vec![u64::MAX; self.n_classes],
            way: vec![None; self.n_classes],
            is_done: vec![false; self.n_classes],
            able: vec![None; self.participants.n_items()],
            missing: (0..n_groups).map(|group| self.participants.row(group).len()).collect(),
            sum: vec![0; n_groups],
            queue: BinaryHeap::new(),
        };
        for (system, &class) in context.iter().enumerate() {
            reached.distance[self.number(system, class)] = 0;
            reached.queue.push(Reverse((0, system, class)));
        }
        let goal = (self.outline.systems.len() - 1, self.outline.error);
        while let Some(Reverse((distance, system, class))) = reached.queue.pop() {
            if std::mem::replace(&mut reached.is_done[self.number(system, class)], true) {
                continue;
            }
            if (system, class) == goal {
                return Some(self.read_back(&reached, goal));
            }
            self.leave(&mut reached, system, class, distance);
        }
        None
    }

    fn number(&self, system: usize, class: StateId) -> usize {
        self.first[system] + class.index()
    }

    /// Propagates from a class: its internal transitions, and the groups that it can take part in.
    fn leave(&self, reached: &mut Reached, system: usize, class: StateId, distance: u64) {
        let row = self.outline.systems[system].transitions_from(class);
        for edges in row.chunk_by(|a, b| a.0 == b.0) {
            match edges[0].0 {
                Label::Tau => {
                    let way = Way { step: ProductStep::Tau(Id::from_index(system)), from: class };
                    for edge in edges {
                        self.reach(reached, system, edge.1, distance + 1, way);
                    }
                }
                Label::Visible(group) => {
                    self.take_part(reached, group.index(), system, (distance, class));
                }
            }
        }
    }

    /// Records that a system can take part in a group from a class.
    fn take_part(&self, reached: &mut Reached, group: usize, system: usize, at: (u64, StateId)) {
        let participants = self.participants.row(group);
        let place = participants.partition_point(|&other| other < system);
        let role = self.first_role[group] + place;
        let is_first = reached.able[role].is_none();
        if is_first {
            reached.able[role] = Some(at);
            reached.missing[group] -= 1;
            reached.sum[group] = reached.sum[group].saturating_add(at.0);
        }
        if reached.missing[group] > 0 {
            return;
        }
        if !is_first {
            return self.go(reached, group, role, system, at.1);
        }
        // The last participant enables the group for all, from all their reached classes.
        for (place, &other) in participants.iter().enumerate() {
            for class in self.outline.systems[other].states() {
                let is_done = reached.is_done[self.number(other, class)];
                if is_done {
                    self.go(reached, group, self.first_role[group] + place, other, class);
                }
            }
        }
    }

    /// Follows the transitions of a system from a class by an enabled group.
    fn go(&self, reached: &mut Reached, group: usize, role: usize, system: usize, from: StateId) {
        let nearest = reached.able[role].map_or(0, |able| able.0);
        let here = reached.distance[self.number(system, from)];
        let others = reached.sum[group].saturating_sub(nearest);
        let distance = others.saturating_add(here).saturating_add(1);
        let action = Id::from_index(group);
        let way = Way { step: ProductStep::Action(action), from };
        let edges = self.outline.systems[system].transitions_by(from, Label::Visible(action));
        for edge in edges {
            self.reach(reached, system, edge.1, distance, way);
        }
    }

    fn reach(&self, reached: &mut Reached, system: usize, to: StateId, distance: u64, way: Way) {
        let number = self.number(system, to);
        if distance < reached.distance[number] {
            reached.distance[number] = distance;
            reached.way[number] = Some(way);
            reached.queue.push(Reverse((distance, system, to)));
        }
    }

    /// Collects the steps that the goal needs.
    fn read_back(&self, reached: &Reached, goal: (usize, StateId)) -> Plan {
        let mut moves: Vec<(u64, PlannedMove)> = Vec::new();
        let mut is_needed = vec![false; self.n_classes];
        let mut needed = vec![goal];
        while let Some((system, class)) = needed.pop() {
            let number = self.number(system, class);
            let Some(way) = reached.way[number] else { continue };
            if std::mem::replace(&mut is_needed[number], true) {
                continue;
            }
            moves.push((
                reached.distance[number],
                PlannedMove { step: way.step, system, target: class },
            ));
            needed.push((system, way.from));
            let ProductStep::Action(group) = way.step else { continue };
            let roles = self.first_role[group.index()]..;
            for (&other, role) in self.participants.row(group.index()).iter().zip(roles) {
                let able = reached.able[role].filter(|_| other != system);
                needed.extend(able.map(|(_, class)| (other, class)));
            }
        }
        moves.sort_by_key(|&(distance, _)| distance);
        Plan { moves: moves.into_iter().map(|(_, m)| m).collect() }
    }
}
