//! The numbers of the states of a graph that lie in a flat store.

use crate::flat::{FlatStore, Offset};

/// A place without a state.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The number of each state of a graph, by its offset in the store.
pub(super) struct Places {
    /// Offsets are divided by two to the power of this: a state has at least so many words.
    shift: u32,
    numbers: Vec<u32>,
}

impl Places {
    pub fn of(flat: &FlatStore, offsets: &[Offset]) -> Self {
        let n_words = flat.shapes().iter().map(|(_, length)| length.div_ceil(8)).min();
        let shift = n_words.unwrap_or(1).max(1).ilog2();
        let n = offsets.last().map_or(0, |&last| (last >> shift) as usize + 1);
        let mut numbers = vec![NOWHERE; n];
        for (number, &offset) in offsets.iter().enumerate() {
            numbers[(offset >> shift) as usize] = number as u32;
        }
        Self { shift, numbers }
    }

    #[inline]
    pub fn number(&self, offset: Offset) -> Option<u32> {
        let number = self.numbers.get((offset >> self.shift) as usize).copied();
        number.filter(|&number| number != NOWHERE)
    }

    pub fn memory(&self) -> usize {
        4 * self.numbers.len()
    }
}
