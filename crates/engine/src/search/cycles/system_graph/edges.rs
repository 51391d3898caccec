//! The edges of a system's graph that are kept in memory: those of states that may be on violating cycles.
//!
//! An edge is the number of its target, and under fairness what it contributes to a cycle. States whose edges are not kept are
//! expanded again when a search for cycles comes to them.

use super::kinds::TooMany;
use super::numbers::StateNumber;
use hashbrown::HashMap;

/// The edges of this state are not kept.
const NOT_KEPT: u32 = u32::MAX;
/// The mark of the last edge out of a state. Stores with more states have no graph.
const LAST: u32 = 1 << 31;

/// The edges of some states.
pub(super) struct KeptEdges {
    /// For each state the number of its first edge; empty if no edges are kept at all.
    first: Vec<u32>,
    targets: Vec<u32>,
    /// What each edge contributes, as a number in the palette; empty without fairness.
    contributions: Vec<u16>,
    palette: Vec<u64>,
    numbers: HashMap<u64, u16>,
}

/// An edge to a state.
#[derive(Copy, Clone)]
pub(super) struct KeptEdge {
    pub target: StateNumber,
    /// What it contributes under fairness.
    pub contribution: u64,
    pub is_last: bool,
}

/// The edges of some states that are to be kept.
#[derive(Default)]
pub(super) struct EdgesToKeep {
    /// The states, each with the number of its first edge among these.
    first: Vec<(StateNumber, u32)>,
    targets: Vec<u32>,
    contributions: Vec<u64>,
}

impl EdgesToKeep {
    /// Adds the edges of a state. Without fairness nothing is contributed.
    #[inline]
    pub fn add(&mut self, state: StateNumber, targets: &[StateNumber], contributions: &[u64]) {
        let Some((last, others)) = targets.split_last() else { return };
        self.first.push((state, self.targets.len() as u32));
        self.targets.extend_from_slice(others);
        self.targets.push(last | LAST);
        self.contributions.extend_from_slice(contributions);
    }

    fn clear(&mut self) {
        self.first.clear();
        self.targets.clear();
        self.contributions.clear();
    }
}

impl KeptEdges {
    pub fn new() -> Self {
        let (first, targets, contributions) = (Vec::new(), Vec::new(), Vec::new());
        Self { first, targets, contributions, palette: Vec::new(), numbers: HashMap::new() }
    }

    /// Whether so many states have room for the mark.
    pub fn fits(n_states: usize) -> bool {
        n_states < LAST as usize
    }

    /// The number of the first edge out of a state, if its edges are kept.
    #[inline]
    pub fn first(&self, state: StateNumber) -> Option<u32> {
        self.first.get(state as usize).copied().filter(|&first| first != NOT_KEPT)
    }

    /// The edge with this number. If it is not the last one, the next number is that of another edge out of the same state.
    #[inline]
    pub fn get(&self, number: u32) -> KeptEdge {
        let target = self.targets[number as usize];
        let contribution = match self.contributions.get(number as usize) {
            Some(&number) => self.palette[usize::from(number)],
            None => 0,
        };
        KeptEdge { target: target & !LAST, contribution, is_last: target & LAST != 0 }
    }

    /// Keeps the edges of some of so many states.
    pub fn keep(&mut self, edges: &mut EdgesToKeep, n_states: usize) -> Result<(), TooMany> {
        if edges.first.is_empty() {
            return Ok(());
        }
        let number = self.targets.len();
        if number + edges.targets.len() >= NOT_KEPT as usize {
            return Err(TooMany);
        }
        if self.first.len() < n_states {
            self.first.resize(n_states, NOT_KEPT);
        }
        for &(state, first) in &edges.first {
            self.first[state as usize] = number as u32 + first;
        }
        self.targets.extend_from_slice(&edges.targets);
        for &word in &edges.contributions {
            let next = self.palette.len();
            let number = *self.numbers.entry(word).or_insert_with(|| {
                self.palette.push(word);
                next as u16
            });
            self.contributions.push(number);
        }
        edges.clear();
        if self.palette.len() <= usize::from(u16::MAX) { Ok(()) } else { Err(TooMany) }
    }

    pub fn memory(&self) -> usize {
        (self.first.capacity() + self.targets.capacity()) * size_of::<u32>()
            + self.contributions.capacity() * size_of::<u16>()
    }
}
