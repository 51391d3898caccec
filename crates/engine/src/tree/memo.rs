//! A small cache in front of a large index.
//!
//! An index answers after four dependent loads, a memo after one. The successors of the states of one level
//! share most of their parts, so that most lookups of leaves and inner nodes end here. An entry holds the
//! whole key: the answer is exact.

/// Large enough for the innermost levels of a large model, and small enough for a core's own cache.
const ENTRIES: usize = 1 << 13;

/// Keys and their ids, each at the one position that its bits determine.
pub struct Memo<K> {
    entries: Box<[(K, u32); ENTRIES]>,
}

impl<K: Copy + PartialEq> Memo<K> {
    /// An empty memo: its entries have a key that is never looked up.
    pub fn new(never: K) -> Self {
        let entries = vec![(never, 0); ENTRIES].into_boxed_slice();
        let entries = entries.try_into().unwrap_or_else(|_| unreachable!("there are ENTRIES"));
        Self { entries }
    }

    /// The id of a key; an unknown one is determined by `find` and stored. `bits` distinguish most keys;
    /// they need not be distributed like those of a hash.
    #[inline]
    pub fn get_or(&mut self, bits: u64, key: K, find: impl FnOnce() -> u32) -> u32 {
        let entry = &mut self.entries[position(bits)];
        if entry.0 != key {
            *entry = (key, find());
        }
        entry.1
    }

    /// Like [`get_or`](Self::get_or); a key that `find` does not find is not stored.
    #[inline]
    pub fn get_or_try(
        &mut self,
        bits: u64,
        key: K,
        find: impl FnOnce() -> Option<u32>,
    ) -> Option<u32> {
        let entry = &mut self.entries[position(bits)];
        if entry.0 != key {
            *entry = (key, find()?);
        }
        Some(entry.1)
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.entries)
    }
}

#[inline]
fn position(bits: u64) -> usize {
    let spread = (bits ^ bits >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread >> (64 - ENTRIES.ilog2())) as usize
}
