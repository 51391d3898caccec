//! The index in parts: several threads can fill it, each another part.
//!
//! The first bits of a tag name its part. One thread alone uses one part; several have more parts than threads, so that
//! none waits for the last one.

use super::index::{Offset, TagIndex};

/// A table from tags to positions, in parts.
pub struct PartedIndex {
    parts: Vec<TagIndex>,
    /// There are two to the power of this many parts.
    n_bits: u32,
}

impl PartedIndex {
    /// An empty index with two to the power of `n_bits` parts.
    pub fn new(n_bits: u32) -> Self {
        Self { parts: (0..1 << n_bits).map(|_| TagIndex::new(n_bits)).collect(), n_bits }
    }

    /// An index without memory, which takes no entries.
    pub fn none() -> Self {
        Self { parts: vec![TagIndex::none()], n_bits: 0 }
    }

    /// The same entries in another number of parts; `None` if the system does not reserve addresses for them beside
    /// those of this index.
    pub fn split(&self, n_bits: u32) -> Option<Self> {
        let mut index = Self::new(n_bits);
        let n_each = self.parts.iter().map(TagIndex::len).sum::<usize>() >> n_bits;
        if !index.parts.iter_mut().all(|part| part.try_make_room(n_each)) {
            return None;
        }
        for (tag, position) in self.parts.iter().flat_map(TagIndex::entries) {
            let part = index.part_mut(tag);
            if !part.try_make_room(1) {
                return None;
            }
            part.enter(tag, position);
        }
        Some(index)
    }

    /// The number of parts.
    pub fn n_parts(&self) -> usize {
        self.parts.len()
    }

    /// The parts, each to be filled by one thread.
    pub fn parts_mut(&mut self) -> &mut [TagIndex] {
        &mut self.parts
    }

    /// The number of the part of a tag.
    #[inline]
    pub fn number(&self, tag: u32) -> usize {
        (u64::from(tag) >> (32 - self.n_bits)) as usize
    }

    #[inline]
    fn part(&self, tag: u32) -> &TagIndex {
        &self.parts[self.number(tag)]
    }

    #[inline]
    fn part_mut(&mut self, tag: u32) -> &mut TagIndex {
        let number = self.number(tag);
        &mut self.parts[number]
    }

    /// Whether there are addresses for another batch of this many entries.
    pub fn has_room(&self, n: usize) -> bool {
        self.parts.iter().all(|part| part.has_room(n))
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.parts.iter().map(TagIndex::memory).sum()
    }

    /// Starts to fetch the line of a tag.
    #[inline]
    pub fn prefetch(&self, tag: u32) {
        self.part(tag).prefetch(tag);
    }

    /// Like [`TagIndex::guess`].
    #[inline]
    pub fn guess(&self, tag: u32) -> Offset {
        self.part(tag).guess(tag)
    }

    /// The position with this tag for which `is_it` holds.
    #[inline]
    pub fn find(&self, tag: u32, is_it: impl Fn(Offset) -> bool) -> Option<Offset> {
        self.part(tag).find(tag, is_it)
    }

    /// Like [`TagIndex::find_or_enter`].
    #[inline]
    pub fn find_or_enter(
        &mut self,
        tag: u32,
        position: Offset,
        is_it: impl Fn(Offset) -> bool,
    ) -> Option<Offset> {
        self.part_mut(tag).find_or_enter(tag, position, is_it)
    }

    /// Grows the parts that have too many entries.
    #[inline]
    pub fn grow_if_full(&mut self) {
        self.parts.iter_mut().for_each(TagIndex::grow_if_full);
    }
}
