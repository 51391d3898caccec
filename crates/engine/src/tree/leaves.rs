//! A set of byte strings, numbered in order of insertion.

use super::cpu::prefetch;
use super::hash;
use super::index::{Index, Keys};
use super::log::Log;
use super::memo::Memo;
use std::ops::Range;

const CHUNK_BITS: u32 = 20;
const CHUNK: usize = 1 << CHUNK_BITS;
const LENGTH_BITS: u32 = 24;

/// The length of the longest possible string.
pub const MAX_LENGTH: usize = (1 << LENGTH_BITS) - 1;

/// A set of byte strings, each shorter than 16 MiB.
pub struct Leaves {
    arena: Arena,
    index: Index,
    recent: Memo<Short>,
}

impl Leaves {
    /// The empty set.
    pub fn new() -> Self {
        Self { arena: Arena::default(), index: Index::new(), recent: Memo::new(Short::NEVER) }
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.arena.spans.len()
    }

    /// The string with this number.
    #[inline]
    pub fn get(&self, id: u32) -> &[u8] {
        self.arena.get(id)
    }

    /// Adds a part of a vector unless it is there; returns its number.
    #[inline]
    pub fn insert(&mut self, vector: &[u8], span: Range<usize>) -> u32 {
        let Self { arena, index, recent } = self;
        let mut find = || find_or_push(arena, index, &vector[span.clone()]);
        match Short::of(vector, &span) {
            Some(short) => recent.get_or(short.bits(), short, find),
            None => find(),
        }
    }

    /// The number of a part of a vector, if it is there.
    #[inline]
    pub fn find(
        &self,
        recent: &mut RecentLeaves,
        vector: &[u8],
        span: Range<usize>,
    ) -> Option<u32> {
        let find = || {
            let bytes = &vector[span.clone()];
            find(&self.arena, &self.index, hash::of_bytes(bytes), bytes)
        };
        match Short::of(vector, &span) {
            Some(short) => recent.0.get_or_try(short.bits(), short, find),
            None => find(),
        }
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        self.arena.memory() + self.index.memory() + self.recent.memory()
    }
}

/// The leaves of a set that a thread which only reads it has found lately.
pub struct RecentLeaves(Memo<Short>);

impl RecentLeaves {
    /// None yet.
    pub fn new() -> Self {
        Self(Memo::new(Short::NEVER))
    }
}

#[inline]
fn find(arena: &Arena, index: &Index, hash: u64, bytes: &[u8]) -> Option<u32> {
    index.find(hash, |id| arena.get(id) == bytes)
}

fn find_or_push(arena: &mut Arena, index: &mut Index, bytes: &[u8]) -> u32 {
    let hash = hash::of_bytes(bytes);
    if let Some(id) = find(arena, index, hash, bytes) {
        return id;
    }
    let id = arena.push(bytes);
    index.insert(hash, id, arena);
    id
}

/// A string of at most sixteen bytes, padded with zeros, and its length.
#[derive(Clone, Copy)]
struct Short {
    words: [u64; 2],
    length: u64,
}

impl PartialEq for Short {
    /// Without branches: the first word seldom differs.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.words, other.words);
        (a ^ c) | (b ^ d) | (self.length ^ other.length) == 0
    }
}

/// For each length the mask of its bytes.
const MASKS: [u128; 17] = {
    let mut masks = [u128::MAX; 17];
    let mut length = 0;
    while length < 16 {
        masks[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    masks
};

impl Short {
    /// No string.
    const NEVER: Self = Self { words: [0; 2], length: u64::MAX };

    #[inline]
    fn of(vector: &[u8], span: &Range<usize>) -> Option<Self> {
        let length = span.len();
        let mask = MASKS.get(length)?;
        // Sixteen bytes that contain the string, starting as near to it as the end of the vector allows.
        let at = span.start.min(vector.len().checked_sub(16)?);
        let bytes = u128::from_le_bytes(*vector[at..].first_chunk()?);
        // An empty string at the end is sixteen bytes behind the start: nothing is shifted.
        let bits = bytes >> (8 * (span.start - at) % 128) & mask;
        Some(Self { words: [bits as u64, (bits >> 64) as u64], length: length as u64 })
    }

    #[inline]
    fn bits(self) -> u64 {
        self.words[0] ^ self.words[1].rotate_left(24) ^ self.length << 60
    }
}

/// The bytes of all strings, in chunks; each string lies within one chunk.
#[derive(Default)]
struct Arena {
    /// Chunks of equal length. A string longer than a chunk lies in one of several times this length, which
    /// is followed by empty chunks, so that the high bits of a position are always the number of its chunk.
    chunks: Vec<Box<[u8]>>,
    /// The end of the last string.
    end: usize,
    /// The position of each string, with its length in the lowest bits.
    spans: Log,
    memory: usize,
}

impl Arena {
    #[inline]
    fn get(&self, id: u32) -> &[u8] {
        let span = self.spans.get(id);
        let (start, length) = (span >> LENGTH_BITS, span % (1 << LENGTH_BITS));
        let (start, length) = (start as usize, length as usize);
        let offset = start % CHUNK;
        &self.chunks[start >> CHUNK_BITS][offset..offset + length]
    }

    fn push(&mut self, bytes: &[u8]) -> u32 {
        assert!(bytes.len() <= MAX_LENGTH, "a leaf is shorter than 16 MiB");
        let start = self.room_for(bytes.len());
        let offset = start % CHUNK;
        self.chunks[start >> CHUNK_BITS][offset..offset + bytes.len()].copy_from_slice(bytes);
        self.end = start + bytes.len();
        self.spans.push((start as u64) << LENGTH_BITS | bytes.len() as u64)
    }

    /// The position for a string of this length; adds a chunk if necessary.
    fn room_for(&mut self, length: usize) -> usize {
        let last = self.chunks.get(self.end >> CHUNK_BITS);
        if last.is_some_and(|chunk| self.end % CHUNK + length <= chunk.len()) {
            return self.end;
        }
        let start = self.chunks.len() << CHUNK_BITS;
        let n_chunks = length.div_ceil(CHUNK).max(1);
        self.chunks.push(vec![0; n_chunks << CHUNK_BITS].into_boxed_slice());
        self.chunks.extend((1..n_chunks).map(|_| Box::default()));
        self.memory += n_chunks << CHUNK_BITS;
        start
    }

    fn memory(&self) -> usize {
        self.memory + self.chunks.capacity() * size_of::<Box<[u8]>>() + self.spans.memory()
    }
}

impl Keys for Arena {
    #[inline]
    fn hash(&self, id: u32) -> u64 {
        hash::of_bytes(self.get(id))
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        self.spans.prefetch(id);
    }

    #[inline]
    fn prefetch_behind(&self, id: u32) {
        if let Some(first) = self.get(id).first() {
            prefetch(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_all_lengths_are_kept() {
        let mut leaves = Leaves::new();
        let lengths = [0, 1, 7, CHUNK - 9, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 5, 0, 2];
        let string = |i: usize| vec![i as u8; lengths[i]];
        let ids: Vec<u32> =
            (0..lengths.len()).map(|i| leaves.insert(&string(i), 0..lengths[i])).collect();
        assert_eq!(ids[10], ids[0], "the empty string is one string");
        assert_eq!(leaves.len(), lengths.len() - 1);
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(leaves.get(id), string(i));
            assert_eq!(leaves.insert(&string(i), 0..lengths[i]), id);
        }
        assert!(leaves.memory() > 9 * CHUNK && leaves.memory() < 11 * CHUNK);
    }
}
