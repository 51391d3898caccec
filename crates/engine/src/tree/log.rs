//! A list of words that grows in chunks: nothing is ever copied or moved.
//!
//! A plain vector doubles: for a moment it needs three times its size, and the search pauses while it is
//! copied.

use super::cpu::prefetch;

const CHUNK_BITS: u32 = 16;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A list of words, numbered in order of insertion.
#[derive(Default)]
pub struct Log {
    chunks: Vec<Box<[u64; CHUNK]>>,
    len: usize,
}

impl Log {
    /// The number of words.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The word with this number.
    #[inline]
    pub fn get(&self, id: u32) -> u64 {
        debug_assert!((id as usize) < self.len);
        self.chunks[(id >> CHUNK_BITS) as usize][id as usize % CHUNK]
    }

    /// Announces that the word with this number is needed soon.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        prefetch(&self.chunks[(id >> CHUNK_BITS) as usize][id as usize % CHUNK]);
    }

    /// Adds a word; returns its number.
    #[inline]
    pub fn push(&mut self, word: u64) -> u32 {
        let id = u32::try_from(self.len).expect("the caller asks for room first");
        let (chunk, offset) = (self.len >> CHUNK_BITS, self.len % CHUNK);
        if chunk == self.chunks.len() {
            self.chunks.push(zeros());
        }
        self.chunks[chunk][offset] = word;
        self.len += 1;
        id
    }

    /// The words from number `start` on, in slices.
    pub fn slices_from(&self, start: usize) -> impl Iterator<Item = &[u64]> {
        let first = start >> CHUNK_BITS;
        self.chunks.iter().enumerate().skip(first).map(move |(i, chunk)| {
            let from = start.saturating_sub(i << CHUNK_BITS);
            let to = (self.len - (i << CHUNK_BITS)).min(CHUNK);
            &chunk[from.min(to)..to]
        })
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.chunks.len() * size_of::<[u64; CHUNK]>()
            + self.chunks.capacity() * size_of::<Box<[u64; CHUNK]>>()
    }
}

/// Allocated directly on the heap: an array would first be built on the stack.
fn zeros() -> Box<[u64; CHUNK]> {
    let words = vec![0; CHUNK].into_boxed_slice();
    words.try_into().unwrap_or_else(|_| unreachable!("the length is CHUNK"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_in_order_over_chunks() {
        let mut log = Log::default();
        let n = 2 * CHUNK + 3;
        for i in 0..n {
            assert_eq!(log.push(i as u64 * 3), i as u32);
        }
        assert!((0..n).all(|i| log.get(i as u32) == i as u64 * 3));
        assert_eq!(log.memory() / size_of::<[u64; CHUNK]>(), 3);
        for start in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, n - 1, n] {
            let words: Vec<u64> = log.slices_from(start).flatten().copied().collect();
            assert!(words.into_iter().eq((start..n).map(|i| i as u64 * 3)), "from {start}");
        }
    }
}
