//! Walks: single runs, chosen at random, where estimates lead no nearer.
//!
//! What is never lost in a plan is lost in the system, so that estimates can lead into a wide plain: all of it is nearer
//! than the way out. A walk passes through in as many steps as there are on the way (*local exploration*: Xie, Müller
//! and Holte, *Adding local exploration to greedy best-first search in satisficing planning*, 2014). Walks begin at the
//! initial state and at the state that seems nearest, in turn, and their lengths are those of Luby, Sinclair and
//! Zuckerman (*Optimal speedup of Las Vegas algorithms*, 1993), so that no length must be guessed. Every other walk
//! gives priorities to processes: the first that can move does, and now and then one falls behind all others (Burckhardt
//! et al., *A randomized scheduler with probabilistic guarantees of finding bugs*, 2010). A process that must wait for
//! long while others move does so in these walks only.
//!
//! The numbers are the same in every run of the program. States on a walk are not stored: the queues of the search are
//! what they would be without walks.

use crate::search::expander::{Arrivals, Expander, Moves, TransitionMoves};
use crate::vector::Shape;
use resy_index::random::SplitMix;
use resy_system::Outcome;
use std::ops::Range;

/// The length of the shortest walks, in transitions.
const SHORTEST: usize = 64;
/// One of so many steps makes the process that moves the last of all.
const STEADINESS: usize = 12;

/// The successors of a state, and the violations found from it.
#[derive(Default)]
pub(super) struct Branches {
    vectors: Vec<u8>,
    /// For each successor, where its vector is, and the process that moves first.
    ends: Vec<(Range<usize>, usize)>,
    /// For each successor, the moves that lead to it.
    moves: Vec<Vec<Moves>>,
    pub violation: Option<Outcome>,
}

impl Branches {
    /// Replaces them by those of another state.
    pub fn of(&mut self, expander: &mut Expander<'_>, vector: &[u8]) {
        self.vectors.clear();
        self.ends.clear();
        self.moves.clear();
        self.violation = None;
        expander.expand(vector, self);
    }

    /// The successor with a number.
    pub fn vector(&self, number: usize) -> &[u8] {
        &self.vectors[self.ends[number].0.clone()]
    }

    /// The moves that lead to the successor with a number.
    pub fn moves(&self, number: usize) -> &[Moves] {
        &self.moves[number]
    }

    /// The first successor that such moves lead to.
    pub fn by(&self, moves: &[Moves]) -> Option<usize> {
        self.moves.iter().position(|known| known == moves)
    }

    /// The first successor that a process leads to.
    pub fn by_process(&self, pid: usize) -> Option<usize> {
        self.ends.iter().position(|end| end.1 == pid)
    }

    /// The first successor that is equal to a vector.
    pub fn to(&self, vector: &[u8]) -> Option<usize> {
        (0..self.ends.len()).find(|&number| self.vector(number) == vector)
    }
}

impl Arrivals for Branches {
    fn arrive(&mut self, vector: &[u8], _: &Shape, moves: TransitionMoves<'_>) {
        let start = self.vectors.len();
        self.vectors.extend_from_slice(vector);
        let moves = moves.to_vec();
        let pid = moves.first().map_or(0, |taken| taken.0.pid);
        self.ends.push((start..self.vectors.len(), pid));
        self.moves.push(moves);
    }

    fn violation(&mut self, outcome: Outcome, _: &[Moves]) {
        self.violation.get_or_insert(outcome);
    }
}

/// A run from the initial state: the moves of each transition.
pub(super) type Script = Vec<Vec<Moves>>;

/// The walks of a search.
pub(super) struct Walks {
    random: SplitMix,
    branches: Branches,
    n_walks: usize,
    /// The number of steps in all walks.
    pub n_steps: usize,
    /// The state that the present walk has come to, and how it came there.
    at: Vec<u8>,
    script: Script,
    /// The number of steps that the present walk may still take.
    left: usize,
    /// Whether processes have priorities in the present walk, and which: the greatest moves.
    by_priority: bool,
    priorities: Vec<u64>,
    /// Below all priorities.
    lowest: u64,
}

impl Default for Walks {
    fn default() -> Self {
        Self {
            random: SplitMix(19),
            branches: Branches::default(),
            n_walks: 0,
            n_steps: 0,
            at: Vec::new(),
            script: Script::new(),
            left: 0,
            by_priority: false,
            priorities: Vec::new(),
            lowest: 0,
        }
    }
}

impl Walks {
    /// Whether the present walk is over.
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The number of transitions from the state of the last step.
    pub fn n_branches(&self) -> usize {
        self.branches.ends.len()
    }

    /// Whether the next walk begins at the initial state.
    pub fn begins_at_first(&self) -> bool {
        self.n_walks.is_multiple_of(2)
    }

    /// Begins a walk at a state, to which this script leads.
    pub fn begin(&mut self, at: Vec<u8>, script: Script) {
        (self.at, self.script) = (at, script);
        self.n_walks += 1;
        self.left = SHORTEST * luby(self.n_walks.div_ceil(4));
        self.by_priority = self.n_walks % 4 < 2;
        self.priorities.clear();
        self.lowest = 1 << 32;
    }

    /// Takes a step; the script of the run that violates, with what it violates, if a violation is found from the
    /// present state.
    pub fn step(&mut self, expander: &mut Expander<'_>) -> Option<(Script, Outcome)> {
        (self.n_steps, self.left) = (self.n_steps + 1, self.left - 1);
        self.branches.of(expander, &self.at);
        if let Some(outcome) = self.branches.violation.take() {
            self.left = 0;
            return Some((std::mem::take(&mut self.script), outcome));
        }
        let Some(number) = self.choose() else {
            self.left = 0;
            return None;
        };
        self.at.clear();
        self.at.extend_from_slice(self.branches.vector(number));
        self.script.push(std::mem::take(&mut self.branches.moves[number]));
        None
    }

    /// The number of a successor.
    fn choose(&mut self) -> Option<usize> {
        let ends = &self.branches.ends;
        if ends.is_empty() || !self.by_priority {
            return (!ends.is_empty()).then(|| self.random.below(ends.len()));
        }
        let n = ends.iter().map(|end| end.1 + 1).max().unwrap_or(0);
        while self.priorities.len() < n {
            self.priorities.push((1 << 32) + (self.random.next_u64() >> 1));
        }
        let first = ends.iter().map(|end| end.1).max_by_key(|&pid| self.priorities[pid])?;
        if self.random.below(STEADINESS) == 0 {
            self.lowest -= 1;
            self.priorities[first] = self.lowest;
        }
        let own: Vec<usize> = (0..ends.len()).filter(|&number| ends[number].1 == first).collect();
        Some(own[self.random.below(own.len())])
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, …, from number 1 on.
fn luby(number: usize) -> usize {
    let length = (number + 1).next_power_of_two();
    if number + 1 == length {
        return length / 2;
    }
    luby(number + 1 - length / 2)
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn lengths_are_those_of_luby() {
        let first: Vec<usize> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
