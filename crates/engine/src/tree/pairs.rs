//! Pairs of ids, each stored once and numbered in order of arrival.

use super::hash;
use super::index::{Index, Keys};
use super::log::Log;

/// A set of pairs, each packed into a word.
pub struct Pairs {
    log: Log,
    index: Index,
}

impl Pairs {
    /// The empty set.
    pub fn new() -> Self {
        Self { log: Log::default(), index: Index::new() }
    }

    /// All pairs, in order of arrival.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Adds a pair unless it is there; its number, and whether it is new.
    #[inline]
    pub fn insert(&mut self, pair: u64) -> (u32, bool) {
        self.insert_hashed(pair, hash::of_pair(pair))
    }

    /// Adds pairs that came together, in their order; `out` is told about each.
    ///
    /// The caches are asked in time: first for the buckets of all pairs, then for the
    /// words of the log that these point to, so that in the end each pair is found
    /// or added without waiting. `hashes` is room to work in.
    pub fn insert_batch(
        &mut self,
        pairs: impl Iterator<Item = u64> + Clone,
        hashes: &mut Vec<u64>,
        mut out: impl FnMut(u32, bool),
    ) {
        hashes.clear();
        for pair in pairs.clone() {
            let hash = hash::of_pair(pair);
            self.index.prefetch(hash);
            hashes.push(hash);
        }
        for &hash in &*hashes {
            if let Some(id) = self.index.guess(hash) {
                self.log.prefetch(id);
            }
        }
        for (pair, &hash) in pairs.zip(&*hashes) {
            let (id, new) = self.insert_hashed(pair, hash);
            out(id, new);
        }
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.log.memory() + self.index.memory()
    }

    #[inline]
    fn insert_hashed(&mut self, pair: u64, hash: u64) -> (u32, bool) {
        if let Some(id) = self.index.find(hash, |id| self.log.get(id) == pair) {
            return (id, false);
        }
        let id = self.log.push(pair);
        self.index.insert(hash, id, &self.log);
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
