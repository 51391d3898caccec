//! A small cache in front of a large index: what was found lately is found again.
//!
//! An index answers after four dependent loads, a memo after one. The successors of
//! the states of one level share most of their parts, so that most questions for
//! leaves and inner nodes end here. An entry holds the whole key: the answer is exact.

/// Enough to keep the innermost levels of a large model, and still in a core's own
/// cache.
const ENTRIES: usize = 1 << 13;

/// Keys and their ids, each at the one place where its hash says.
pub struct Memo<K> {
    entries: Box<[(K, u32)]>,
}

/// The id of an entry without a key.
const NONE: u32 = u32::MAX;

impl<K: Copy + Eq + Default> Memo<K> {
    /// An empty memo.
    pub fn new() -> Self {
        Self { entries: vec![(K::default(), NONE); ENTRIES].into_boxed_slice() }
    }

    /// The id of this key; if it is not known, `find` is asked and the answer kept.
    #[inline]
    pub fn get_or(&mut self, hash: u64, key: K, find: impl FnOnce() -> u32) -> u32 {
        let entry = &mut self.entries[(hash >> 32) as usize % ENTRIES];
        if entry.0 != key || entry.1 == NONE {
            *entry = (key, find());
        }
        entry.1
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.entries)
    }
}
