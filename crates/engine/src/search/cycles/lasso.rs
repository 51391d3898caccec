//! The run to show: a short way to the component, and a short loop in it.
//!
//! The way is a shortest one through the states that were visited. The loop begins where the way meets the component;
//! from there the nearest edge or state is looked for that brings something that is missing (a mark, a move of a
//! process, a state where it is blocked), until nothing is missing, and then the nearest way back.

use super::gathered::EdgeLabel;
use super::labels::LabelId;
use super::pids::PidSet;
use super::states::{ProductStates, StateKey};
use super::{BARRIER, Couvreur, InfiniteRun, Met, NEW};
use crate::search::expander::Moves;
use crate::search::limits::Stopped;
use resy_system::Fairness;

/// An edge between stored states.
#[derive(Copy, Clone)]
struct StoredEdge {
    from: StateKey,
    to: StateKey,
    label: LabelId,
}

/// The states of a component: those that are not done, from the first one on.
#[derive(Copy, Clone)]
struct Members {
    /// The order of the first.
    first: u32,
}

impl Members {
    fn contains(self, states: &ProductStates, key: StateKey) -> bool {
        let order = states.order(key);
        order != NEW && order < BARRIER && order >= self.first
    }
}

impl Couvreur<'_> {
    /// The run of a violation.
    pub(super) fn run_of(&mut self, met: Met) -> Result<InfiniteRun, Stopped> {
        match met {
            Met::Prefix(at, failure) => {
                let way = self.way(|_, key| key == at)?;
                let stem = self.moves(&way)?;
                Ok(InfiniteRun { stem, cycle: None, failure })
            }
            Met::Cycle(first) => {
                let members = Members { first };
                let way = self.way(|states, key| members.contains(states, key))?;
                let start = match way.last() {
                    Some(edge) => edge.to,
                    None => self.initial_in(members),
                };
                let cycle = self.cycle(start, members)?;
                let (stem, cycle) = (self.moves(&way)?, self.moves(&cycle)?);
                Ok(InfiniteRun { stem, cycle: Some(cycle), failure: None })
            }
        }
    }

    /// The initial states of the product, all of which are stored.
    fn initial_states(&mut self) -> Vec<StateKey> {
        self.product.find_initial(None);
        let edges = std::mem::take(&mut self.product.edges);
        edges.iter().filter_map(|&edge| self.product.find(&mut self.states, edge)).collect()
    }

    fn initial_in(&mut self, members: Members) -> StateKey {
        let initial = self.initial_states();
        initial.into_iter().find(|&key| members.contains(&self.states, key)).unwrap_or(0)
    }

    /// A shortest way from an initial state to a state for which `is_goal` holds, through stored states.
    fn way(
        &mut self,
        is_goal: impl Fn(&ProductStates, StateKey) -> bool,
    ) -> Result<Vec<StoredEdge>, Stopped> {
        let starts = self.initial_states();
        if starts.iter().any(|&key| is_goal(&self.states, key)) {
            return Ok(Vec::new());
        }
        let goal = |states: &ProductStates, edge: &StoredEdge, _: &_| is_goal(states, edge.to);
        let way = self.nearest(&starts, None, |_, _| false, goal)?;
        Ok(way.unwrap_or_default())
    }

    /// A loop through a state that has everything that a violation needs.
    fn cycle(&mut self, start: StateKey, members: Members) -> Result<Vec<StoredEdge>, Stopped> {
        let fairness = self.condition.fairness;
        let mut missing = self.missing(start, members)?;
        let (mut cycle, mut at) = (Vec::new(), start);
        while !missing.is_nothing() {
            let part = self.nearest(
                &[at],
                Some(members),
                |_, enabled| fairness == Fairness::Weak && !missing.moves.is_within(enabled),
                |_, _, label| missing.is_met_by(label),
            )?;
            // The component has everything, so there is a way; without one the replay will notice.
            let Some(part) = part else { break };
            self.note(&part, &mut missing)?;
            at = part.last().map_or(at, |edge| edge.to);
            cycle.extend(part);
        }
        if at != start || cycle.is_empty() {
            let home = |_: &_, edge: &StoredEdge, _: &EdgeLabel| edge.to == start;
            let back = self.nearest(&[at], Some(members), |_, _| false, home)?;
            cycle.extend(back.unwrap_or_default());
        }
        Ok(cycle)
    }

    /// What a loop through a state needs.
    fn missing(&mut self, start: StateKey, members: Members) -> Result<Missing, Stopped> {
        let moves = match self.condition.fairness {
            Fairness::None => PidSet::default(),
            Fairness::Weak => self.enabled(start),
            Fairness::Strong => {
                let mut enabled = PidSet::default();
                for key in self.states.keys() {
                    if members.contains(&self.states, key) {
                        self.look()?;
                        enabled.unite(&self.enabled(key));
                    }
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

    fn enabled(&mut self, key: StateKey) -> PidSet {
        self.product.load(&self.states, key);
        self.product.expand().enabled
    }

    /// The shortest way from one of some states by stored ones, or by members only, with at least one edge, to the
    /// first state that is a `stop` or edge that is a `goal`. A stop is told the processes that are enabled there.
    fn nearest(
        &mut self,
        starts: &[StateKey],
        members: Option<Members>,
        stop: impl Fn(StateKey, &PidSet) -> bool,
        goal: impl Fn(&ProductStates, &StoredEdge, &EdgeLabel) -> bool,
    ) -> Result<Option<Vec<StoredEdge>>, Stopped> {
        let mut queue: Vec<StateKey> = starts.to_vec();
        let mut came_by: hashbrown::HashMap<StateKey, Option<StoredEdge>> =
            starts.iter().map(|&id| (id, None)).collect();
        let mut next = 0;
        while let Some(&from) = queue.get(next) {
            next += 1;
            self.look()?;
            self.product.load(&self.states, from);
            let facts = self.product.expand();
            if came_by[&from].is_some() && stop(from, &facts.enabled) {
                return Ok(Some(way_to(&came_by, from)));
            }
            for edge in std::mem::take(&mut self.product.edges) {
                let Some(to) = self.product.find(&mut self.states, edge) else { continue };
                if members.is_some_and(|members| !members.contains(&self.states, to)) {
                    continue;
                }
                let stored = StoredEdge { from, to, label: edge.label };
                if goal(&self.states, &stored, self.product.labels.get(edge.label)) {
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
            moves.extend(self.product.moves(&self.states, edge.from, edge.to, edge.label));
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
    came_by: &hashbrown::HashMap<StateKey, Option<StoredEdge>>,
    mut at: StateKey,
) -> Vec<StoredEdge> {
    let mut way = Vec::new();
    while let Some(Some(edge)) = came_by.get(&at) {
        way.push(*edge);
        at = edge.from;
    }
    way.reverse();
    way
}
