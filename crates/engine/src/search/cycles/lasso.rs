//! The run to show: a short way to the component, and a short loop in it.
//!
//! The way is a shortest one through the states that were visited. The loop begins where the way meets the component;
//! from there the nearest edge or state is looked for that brings something that is missing (a mark, a move of a
//! process, a state where it is blocked), until nothing is missing, and then the nearest way back.

use super::gathered::EdgeLabel;
use super::pids::PidSet;
use super::product::LabelId;
use super::{Couvreur, DONE, InfiniteRun, Met, NEW};
use crate::search::expander::Moves;
use crate::search::limits::Stopped;
use crate::tree::StoredId;
use resy_system::Fairness;

/// An edge between stored states.
#[derive(Copy, Clone)]
struct StoredEdge {
    from: StoredId,
    to: StoredId,
    label: LabelId,
}

/// The states of a component.
struct Members(Vec<bool>);

impl Members {
    fn contains(&self, id: StoredId) -> bool {
        self.0[id as usize]
    }
}

impl Couvreur<'_> {
    /// The run of a violation.
    pub(super) fn run_of(&mut self, met: Met) -> Result<InfiniteRun, Stopped> {
        match met {
            Met::Prefix(at, failure) => {
                let way = self.way(|id| id == at)?;
                let stem = self.moves(&way)?;
                Ok(InfiniteRun { stem, cycle: None, failure })
            }
            Met::Cycle(first) => {
                let is_member = |&order: &u32| order != NEW && order != DONE && order >= first;
                let members = Members(self.order.iter().map(is_member).collect());
                let way = self.way(|id| members.contains(id))?;
                let start = match way.last() {
                    Some(edge) => edge.to,
                    None => self.initial_in(&members),
                };
                let cycle = self.cycle(start, &members)?;
                let (stem, cycle) = (self.moves(&way)?, self.moves(&cycle)?);
                Ok(InfiniteRun { stem, cycle: Some(cycle), failure: None })
            }
        }
    }

    /// The initial states of the product, all of which are stored.
    fn initial_states(&mut self) -> Vec<StoredId> {
        let initial = self.product.initial(&mut self.store).unwrap_or_default();
        initial.iter().filter_map(|edge| self.store.find(edge.target)).collect()
    }

    fn initial_in(&mut self, members: &Members) -> StoredId {
        let initial = self.initial_states();
        initial.into_iter().find(|&id| members.contains(id)).unwrap_or(0)
    }

    /// A shortest way from an initial state to a state for which `is_goal` holds, through stored states.
    fn way(&mut self, is_goal: impl Fn(StoredId) -> bool) -> Result<Vec<StoredEdge>, Stopped> {
        let starts = self.initial_states();
        if starts.iter().any(|&id| is_goal(id)) {
            return Ok(Vec::new());
        }
        let way = self.nearest(&starts, |_| true, |_, _| false, |edge, _| is_goal(edge.to))?;
        Ok(way.unwrap_or_default())
    }

    /// A loop through a state that has everything that a violation needs.
    fn cycle(&mut self, start: StoredId, members: &Members) -> Result<Vec<StoredEdge>, Stopped> {
        let fairness = self.condition.fairness;
        let mut missing = self.missing(start, members)?;
        let (mut cycle, mut at) = (Vec::new(), start);
        while !missing.is_nothing() {
            let part = self.nearest(
                &[at],
                |id| members.contains(id),
                |_, enabled| fairness == Fairness::Weak && !missing.moves.is_within(enabled),
                |_, label| missing.is_met_by(label),
            )?;
            // The component has everything, so there is a way; without one the replay will notice.
            let Some(part) = part else { break };
            self.note(&part, &mut missing)?;
            at = part.last().map_or(at, |edge| edge.to);
            cycle.extend(part);
        }
        if at != start || cycle.is_empty() {
            let home = |edge: &StoredEdge, _: &EdgeLabel| edge.to == start;
            let back = self.nearest(&[at], |id| members.contains(id), |_, _| false, home)?;
            cycle.extend(back.unwrap_or_default());
        }
        Ok(cycle)
    }

    /// What a loop through a state needs.
    fn missing(&mut self, start: StoredId, members: &Members) -> Result<Missing, Stopped> {
        let moves = match self.condition.fairness {
            Fairness::None => PidSet::default(),
            Fairness::Weak => self.enabled(start),
            Fairness::Strong => {
                let mut enabled = PidSet::default();
                let ids = 0..members.0.len() as StoredId;
                for id in ids.filter(|&id| members.contains(id)) {
                    self.look()?;
                    enabled.unite(&self.enabled(id));
                }
                enabled
            }
        };
        Ok(Missing { marks: self.condition.marks, moves })
    }

    /// Takes away what the edges of a way, and under weak fairness its states, bring.
    fn note(&mut self, way: &[StoredEdge], missing: &mut Missing) -> Result<(), Stopped> {
        for edge in way {
            let label = self.product.labels.get(edge.label);
            missing.marks &= !label.marks;
            missing.moves.remove_all(&label.movers.clone());
            if self.condition.fairness == Fairness::Weak {
                self.look()?;
                missing.moves.intersect(&self.enabled(edge.to));
            }
        }
        Ok(())
    }

    fn enabled(&mut self, id: StoredId) -> PidSet {
        self.product.load(&self.store, id);
        self.product.expand(&mut self.store).enabled
    }

    /// The shortest way from one of some states by states for which `is_inside` holds, with at least one edge, to the
    /// first state that is a `stop` or edge that is a `goal`. A stop is told the processes that are enabled there.
    fn nearest(
        &mut self,
        starts: &[StoredId],
        is_inside: impl Fn(StoredId) -> bool,
        stop: impl Fn(StoredId, &PidSet) -> bool,
        goal: impl Fn(&StoredEdge, &EdgeLabel) -> bool,
    ) -> Result<Option<Vec<StoredEdge>>, Stopped> {
        let mut queue: Vec<StoredId> = starts.to_vec();
        let mut came_by: hashbrown::HashMap<StoredId, Option<StoredEdge>> =
            starts.iter().map(|&id| (id, None)).collect();
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            self.look()?;
            self.product.load(&self.store, from);
            let facts = self.product.expand(&mut self.store);
            if came_by[&from].is_some() && stop(from, &facts.enabled) {
                return Ok(Some(way_to(&came_by, from)));
            }
            for edge in std::mem::take(&mut self.product.edges) {
                let Some(to) = self.store.find(edge.target).filter(|&id| is_inside(id)) else {
                    continue;
                };
                let stored = StoredEdge { from, to, label: edge.label };
                if goal(&stored, self.product.labels.get(edge.label)) {
                    let mut way = way_to(&came_by, from);
                    way.push(stored);
                    return Ok(Some(way));
                }
                came_by.entry(to).or_insert_with(|| {
                    queue.push(to);
                    Some(stored)
                });
            }
        }
        Ok(None)
    }

    /// The moves of some edges.
    fn moves(&mut self, way: &[StoredEdge]) -> Result<Vec<Moves>, Stopped> {
        let mut moves = Vec::new();
        for edge in way {
            self.look()?;
            self.product.load(&self.store, edge.from);
            let target = self.store.root(edge.to);
            moves.extend(self.product.moves(&mut self.store, target, edge.label));
        }
        Ok(moves)
    }
}

/// What a loop does not have yet.
struct Missing {
    marks: u64,
    /// Processes that must move; under weak fairness, or be blocked.
    moves: PidSet,
}

impl Missing {
    fn is_nothing(&self) -> bool {
        self.marks == 0 && self.moves.is_empty()
    }

    fn is_met_by(&self, label: &EdgeLabel) -> bool {
        self.marks & label.marks != 0 || self.moves.meets(&label.movers)
    }
}

fn way_to(
    came_by: &hashbrown::HashMap<StoredId, Option<StoredEdge>>,
    mut at: StoredId,
) -> Vec<StoredEdge> {
    let mut way = Vec::new();
    while let Some(Some(edge)) = came_by.get(&at) {
        way.push(*edge);
        at = edge.from;
    }
    way.reverse();
    way
}
