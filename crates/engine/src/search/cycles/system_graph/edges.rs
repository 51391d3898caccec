//! The edges of a system's graph that are kept in memory: those of states that may be on violating cycles.
//!
//! An edge is the offset of its target, and under fairness what it contributes to a cycle. States whose edges are not kept are
//! expanded again when a search for cycles comes to them.

use super::kinds::divide_again;
use crate::flat::{FlatStore, Offset};
use hashbrown::HashMap;

/// The edges of this state are not kept.
const NOT_KEPT: u32 = u32::MAX;
/// The mark of the last edge out of a state. Stores with larger offsets have no graph.
const LAST: u32 = 1 << 31;

/// The edges of some states.
pub(super) struct KeptEdges {
    /// For each place the number of its first edge; empty if no edges are kept at all.
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
    pub target: Offset,
    /// What it contributes under fairness.
    pub contribution: u64,
    pub is_last: bool,
}

impl KeptEdges {
    pub fn new() -> Self {
        let (first, targets, contributions) = (Vec::new(), Vec::new(), Vec::new());
        Self { first, targets, contributions, palette: Vec::new(), numbers: HashMap::new() }
    }

    /// Whether offsets up to this one have room for the mark.
    pub fn fits(end: usize) -> bool {
        end < LAST as usize
    }

    /// The number of the first edge out of the state at a place, if its edges are kept.
    #[inline]
    pub fn first(&self, place: usize) -> Option<u32> {
        self.first.get(place).copied().filter(|&first| first != NOT_KEPT)
    }

    /// The edge with this number. If it is not the last one, the next number is that of another edge out of the same state.
    #[inline]
    pub fn get(&self, number: u32) -> KeptEdge {
        let target = self.targets[number as usize];
        let contribution = match self.contributions.get(number as usize) {
            Some(&number) => self.palette[number as usize],
            None => 0,
        };
        KeptEdge { target: target & !LAST, contribution, is_last: target & LAST != 0 }
    }

    /// Keeps the edges of the state at a place; `false` if there is no room. Without fairness nothing is contributed.
    pub fn keep(
        &mut self,
        place: usize,
        n_places: usize,
        targets: &[Offset],
        contributions: &[u64],
    ) -> bool {
        let number = self.targets.len();
        if targets.is_empty() || number + targets.len() >= NOT_KEPT as usize {
            return targets.is_empty();
        }
        if self.first.len() < n_places {
            self.first.resize(n_places.max(place + 1), NOT_KEPT);
        }
        self.first[place] = number as u32;
        self.targets.extend_from_slice(targets);
        if let Some(last) = self.targets.last_mut() {
            *last |= LAST;
        }
        for &word in contributions {
            let next = self.palette.len();
            let number = *self.numbers.entry(word).or_insert_with(|| {
                self.palette.push(word);
                next as u16
            });
            self.contributions.push(number);
        }
        self.palette.len() <= usize::from(u16::MAX)
    }

    /// The offsets of states are divided by less.
    pub fn divide_again(&mut self, flat: &FlatStore, end: Offset, old: u32, new: u32) {
        self.first = divide_again(&self.first, NOT_KEPT, flat, end, old, new);
    }

    pub fn memory(&self) -> usize {
        (self.first.capacity() + self.targets.capacity()) * size_of::<u32>()
            + self.contributions.capacity() * size_of::<u16>()
    }
}
