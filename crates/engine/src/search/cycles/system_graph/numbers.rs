//! The numbers of the states of a flat store, by their offsets: dense and in the order of discovery, so that a table has one
//! entry for each state, however long states are.

use crate::flat::{FlatStore, Offset};

/// The number of a state.
pub(super) type StateNumber = u32;

/// The number of words of the store that share an entry, as a power of two.
const SPAN: u32 = 5;

/// A set of offsets with the rank of each.
#[derive(Default)]
pub(super) struct Numbers {
    /// For each span of words of the store the number of states that begin before it, and below that a bit for each word at
    /// which a state begins.
    spans: Vec<u64>,
    n_states: StateNumber,
    /// The offset after the last state.
    end: Offset,
}

impl Numbers {
    /// Gives the states of a store that have no number yet the next ones.
    pub fn add_new(&mut self, flat: &FlatStore) {
        let mut offset = self.end.max(flat.first());
        while (offset as usize) < flat.end() {
            let span = (offset >> SPAN) as usize;
            self.spans.resize(span + 1, u64::from(self.n_states) << 32);
            self.spans[span] |= 1 << (offset & Self::MASK);
            self.n_states += 1;
            offset = flat.after(offset);
        }
        self.end = offset;
    }

    const MASK: u32 = (1 << SPAN) - 1;

    /// The number of states.
    pub fn len(&self) -> usize {
        self.n_states as usize
    }

    /// The number of the state at an offset.
    #[inline]
    pub fn of(&self, offset: Offset) -> StateNumber {
        let span = self.spans[(offset >> SPAN) as usize];
        let before = (1 << (offset & Self::MASK)) - 1;
        (span >> 32) as u32 + (span as u32 & before).count_ones()
    }

    /// The offset of a state.
    pub fn offset(&self, flat: &FlatStore, number: StateNumber) -> Offset {
        let around = flat.around(number);
        let first = (around.start >> SPAN) as usize;
        let end = ((around.end >> SPAN) as usize + 1).min(self.spans.len());
        let spans = &self.spans[first..end];
        let at = spans.partition_point(|span| (span >> 32) as u32 <= number).saturating_sub(1);
        let n_before = number - (spans[at] >> 32) as u32;
        let rest = (0..n_before).fold(spans[at] as u32, |bits, _| bits & bits.wrapping_sub(1));
        (((first + at) as Offset) << SPAN) + rest.trailing_zeros()
    }

    pub fn memory(&self) -> usize {
        self.spans.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of three lengths, one of them longer than a span.
    #[test]
    fn states_have_dense_numbers() {
        let mut flat = FlatStore::new().expect("addresses");
        let mut numbers = Numbers::default();
        let mut offsets = Vec::new();
        for value in 0..2000_u32 {
            let shape = value * value % 7 % 3;
            let mut vector = vec![1, 0];
            vector.extend(shape.to_le_bytes());
            vector.extend(value.to_le_bytes());
            vector.resize([12, 30, 600][shape as usize], 0);
            flat.stage(&vector);
            if value % 100 == 99 {
                assert!(flat.insert_staged(|offset, _| offsets.push(offset)));
                numbers.add_new(&flat);
                assert_eq!(numbers.len(), offsets.len());
            }
        }
        for (number, &offset) in offsets.iter().enumerate() {
            assert_eq!(numbers.of(offset), number as StateNumber);
            assert_eq!(numbers.offset(&flat, number as StateNumber), offset);
        }
    }
}
