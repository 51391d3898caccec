//! A set of pairs of ids, numbered in order of insertion.

use super::hash;
use super::index::{Index, Keys};
use super::log::Log;

/// A set of pairs, each packed into a word.
pub struct Pairs {
    log: Log,
    index: Index,
}

/// A pair of a batch, with the intermediate results of looking it up.
pub struct InBatch {
    pair: u64,
    hash: u64,
    guess: Option<u32>,
}

impl InBatch {
    /// A pair that was not looked up yet.
    pub fn new(pair: u64) -> Self {
        Self { pair, hash: 0, guess: None }
    }
}

impl Pairs {
    /// The empty set.
    pub fn new() -> Self {
        Self { log: Log::default(), index: Index::new() }
    }

    /// All pairs, in order of insertion.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Adds a pair unless it is there; returns its number, and whether it is new.
    #[inline]
    pub fn insert(&mut self, pair: u64) -> (u32, bool) {
        self.insert_hashed(pair, hash::of_pair(pair))
    }

    /// Whether a pair is there.
    pub fn contains(&self, pair: u64) -> bool {
        self.find(pair).is_some()
    }

    /// The number of a pair, if it is there.
    pub fn find(&self, pair: u64) -> Option<u32> {
        self.index.find(hash::of_pair(pair), |id| self.log.get(id) == pair)
    }

    /// Adds pairs in their order and passes the result for each to `out`.
    ///
    /// Cache lines are prefetched: first the buckets of all pairs, then the words of the log that these
    /// point to, so that in the end each pair is found or added without waiting.
    pub fn insert_batch(&mut self, batch: &mut [InBatch], mut out: impl FnMut(u32, bool)) {
        self.guess(batch);
        for entry in &*batch {
            let (id, new) = match entry.guess {
                Some(id) if self.log.get(id) == entry.pair => (id, false),
                _ => self.insert_hashed(entry.pair, entry.hash),
            };
            out(id, new);
        }
    }

    /// Passes the number of each pair of a batch, or `None` if it is not there, to `out`, in their order.
    pub fn find_batch(&self, batch: &mut [InBatch], mut out: impl FnMut(Option<u32>)) {
        self.guess(batch);
        for entry in &*batch {
            let is_it = |id: u32| self.log.get(id) == entry.pair;
            out(entry.guess.filter(|&id| is_it(id)).or_else(|| self.index.find(entry.hash, is_it)));
        }
    }

    /// Fetches the lines of the index for a batch, and the words that these point to.
    #[inline]
    fn guess(&self, batch: &mut [InBatch]) {
        for entry in &mut *batch {
            entry.hash = hash::of_pair(entry.pair);
            self.index.prefetch(entry.hash);
        }
        for entry in &mut *batch {
            entry.guess = self.index.guess(entry.hash);
            if let Some(id) = entry.guess {
                self.log.prefetch(id);
            }
        }
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.log.memory() + self.index.memory()
    }

    /// Like `insert`, with a precomputed hash.
    #[inline]
    pub fn insert_hashed(&mut self, pair: u64, hash: u64) -> (u32, bool) {
        if let Some(id) = self.index.find(hash, |id| self.log.get(id) == pair) {
            return (id, false);
        }
        let id = self.log.push(pair);
        self.index.insert_first(hash, id, &self.log);
        (id, true)
    }
}

impl Keys for Log {
    #[inline]
    fn hash(&self, id: u32) -> u64 {
        hash::of_pair(self.get(id))
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        Log::prefetch(self, id);
    }
}
