//! What an edge of the product contributes to a cycle, as one word: the marks of the automaton, and for each process whether
//! the edge is fair to it, because it moves or is not enabled before.

use super::gathered::EdgeLabel;
use resy_system::Fairness;

/// How marks and processes become bits of a word.
#[derive(Copy, Clone, Debug)]
pub(super) struct EdgeBits {
    marks: u64,
    /// The bit of the first process, and a bit for each; none if fairness does not matter.
    first: u32,
    processes: u64,
}

impl EdgeBits {
    /// The most processes that fit beside some marks.
    pub fn most(marks: u64) -> usize {
        (u64::BITS - 1).saturating_sub(u64::BITS - marks.leading_zeros()) as usize
    }

    /// Whether fairness matters.
    pub fn is_fair(self) -> bool {
        self.processes != 0
    }

    /// For so many processes; `None` if there are too many.
    pub fn of(marks: u64, fairness: Fairness, n_processes: usize) -> Option<Self> {
        let first = u64::BITS - marks.leading_zeros();
        if fairness == Fairness::None {
            return Some(Self { marks, first: 0, processes: 0 });
        }
        let fits = n_processes <= Self::most(marks);
        fits.then(|| Self { marks, first, processes: (1 << n_processes) - 1 })
    }

    /// What an edge contributes out of a state in which these processes are enabled.
    pub fn of_edge(self, label: &EdgeLabel, enabled: u64) -> u64 {
        label.marks & self.marks | self.of_moves(label.movers.first_word(), enabled)
    }

    /// What a step of these processes contributes to fairness.
    pub fn of_moves(self, movers: u64, enabled: u64) -> u64 {
        let fair = (movers | !enabled) & self.processes;
        fair << self.first
    }

    /// What a cycle must have to be a violation.
    pub fn all(self) -> u64 {
        self.marks | self.processes << self.first
    }
}
