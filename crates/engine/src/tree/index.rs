//! The index from hashes to ids: an open-addressing table that grows in small steps.
//!
//! The table stores no keys. It stores the number of a key in its log, and reads the log to compare or
//! rehash. A *bucket* is one cache line of twelve ids with one byte of the hash each, so that a lookup
//! costs one cache miss here and, if the byte matches, one in the log.
//!
//! A key that does not fit into a bucket moves on to another one, at a distance that its tag determines. A
//! bucket records five bits of the tag of each key that passed it; a key whose bits are not recorded is not
//! in a later bucket. For states the oldest keys are moved, which a search seldom looks up, so that the
//! table can be fuller than usual. Since the tag determines the next bucket, the key itself, in the log, is
//! not read.
//!
//! The buckets are split by bits of the hash into *segments*, each of which grows by half when it is full.
//! The pause is short, and at most one segment exists twice at a time. The initial sizes are staggered, so
//! that segments do not all grow at the same time and the load of the whole table stays even.

use super::cpu::{positions, prefetch};

/// What an index needs of the keys behind its ids.
pub trait Keys {
    /// The hash of a key.
    fn hash(&self, id: u32) -> u64;
    /// Announces that the hash of this key is needed soon.
    fn prefetch(&self, id: u32);
    /// Announces it again, shortly before: data behind a pointer can be fetched now.
    fn prefetch_behind(&self, _id: u32) {}
}

const SEGMENTS: usize = 256;
const SLOTS: usize = 12;
/// A segment is full at this many 64ths of its slots.
const FULL: usize = 58;
const GROWTH: f64 = 1.5;
/// While a segment grows, keys are prefetched twice this many buckets ahead, and the data behind them this many
/// buckets ahead.
const AHEAD: usize = 3;

/// A table from hashes to ids.
pub struct Index {
    segments: Vec<Segment>,
}

impl Index {
    /// An empty index.
    pub fn new() -> Self {
        let stagger = |i: usize| GROWTH.powf(i as f64 / SEGMENTS as f64);
        Self { segments: (0..SEGMENTS).map(|i| Segment::new(stagger(i))).collect() }
    }

    /// The id with this hash for which `is_it` holds.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let segment = &self.segments[segment_of(hash)];
        let mut at = segment.home(hash);
        // The search ends at a free slot at the latest: no key passes one.
        loop {
            let bucket = &segment.buckets[at];
            if let Some(id) = bucket.candidates(hash).find(|&id| is_it(id)) {
                return Some(id);
            }
            if !bucket.was_passed_by(tag(hash)) {
                return None;
            }
            at = segment.after(at, tag(hash));
        }
    }

    /// Adds an id that is not there yet.
    #[inline]
    pub fn insert(&mut self, hash: u64, id: u32, keys: &impl Keys) {
        self.with_room(hash, keys).place(hash, id);
    }

    /// Adds an id that is not there yet and will be looked up more often than older ones: if its bucket is
    /// full, the oldest one there is moved instead.
    #[inline]
    pub fn insert_first(&mut self, hash: u64, id: u32, keys: &impl Keys) {
        self.with_room(hash, keys).place_first(hash, id);
    }

    #[inline]
    fn with_room(&mut self, hash: u64, keys: &impl Keys) -> &mut Segment {
        let segment = &mut self.segments[segment_of(hash)];
        if segment.is_full() {
            segment.grow(keys);
        }
        segment
    }

    /// Starts to fetch the bucket of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let segment = &self.segments[segment_of(hash)];
        prefetch(&segment.buckets[segment.home(hash)]);
    }

    /// The first id in the bucket of this hash that may have it.
    #[inline]
    pub fn guess(&self, hash: u64) -> Option<u32> {
        let segment = &self.segments[segment_of(hash)];
        let home = segment.home(hash);
        let bucket = &segment.buckets[home];
        if bucket.was_passed_by(tag(hash)) {
            prefetch(&segment.buckets[segment.after(home, tag(hash))]);
        }
        bucket.candidates(hash).next()
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        let buckets: usize = self.segments.iter().map(|segment| segment.buckets.len()).sum();
        buckets * size_of::<Bucket>() + self.segments.capacity() * size_of::<Segment>()
    }
}

// The bits of a hash: 0..8 are the tag, 8..16 the segment, 32..64 the bucket in the segment.

fn segment_of(hash: u64) -> usize {
    (hash >> 8) as usize % SEGMENTS
}

/// Never 0, which is the tag of a free slot.
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The mark of a key that passed a bucket.
fn mark(tag: u8) -> u64 {
    1 << (32 + tag % 32)
}

/// The first prime number from `n` on.
fn prime_from(n: usize) -> usize {
    let is_prime = |n: &usize| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    (n..).find(is_prime).unwrap_or(n)
}

struct Segment {
    buckets: Box<[Bucket]>,
    n_ids: usize,
    /// The number of buckets before rounding.
    size: f64,
}

impl Segment {
    fn new(size: f64) -> Self {
        let buckets = vec![Bucket::EMPTY; prime_from(size as usize)].into_boxed_slice();
        Self { buckets, n_ids: 0, size }
    }

    fn is_full(&self) -> bool {
        self.n_ids >= self.buckets.len() * SLOTS * FULL / 64
    }

    /// The bucket of a hash: the hash as a fraction, times the number of buckets, which need not be a power
    /// of two.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The bucket after this one for keys with this tag. The number of buckets is prime, so that every
    /// distance reaches all buckets; distances vary, so that a cluster does not spread to its neighbours.
    #[inline]
    fn after(&self, at: usize, tag: u8) -> usize {
        let n = self.buckets.len();
        let next = at + 1 + ((usize::from(tag) * (n - 1)) >> 8);
        if next < n { next } else { next - n }
    }

    /// Adds an id to its bucket, or to a later one.
    #[inline]
    fn place(&mut self, hash: u64, id: u32) {
        self.place_from(self.home(hash), tag(hash), id);
    }

    /// Adds an id to its bucket; if that is full, the oldest id there is moved to a later one.
    #[inline]
    fn place_first(&mut self, hash: u64, id: u32) {
        let home = self.home(hash);
        let bucket = &mut self.buckets[home];
        if bucket.add(tag(hash), id) {
            self.n_ids += 1;
            return;
        }
        let (its_tag, oldest) = bucket.replace_oldest(tag(hash), id);
        bucket.let_pass(its_tag);
        self.place_from(self.after(home, its_tag), its_tag, oldest);
    }

    /// Adds an id to a bucket, or to a later one.
    fn place_from(&mut self, mut at: usize, tag: u8, id: u32) {
        while !self.buckets[at].add(tag, id) {
            self.buckets[at].let_pass(tag);
            at = self.after(at, tag);
        }
        self.n_ids += 1;
    }

    /// The order of hashes is the order of buckets, before and after: old and new buckets are traversed
    /// once from start to end; only the keys are scattered over the log.
    #[cold]
    fn grow(&mut self, keys: &impl Keys) {
        let mut size = self.size;
        while prime_from(size as usize) == self.buckets.len() {
            size *= GROWTH;
        }
        let mut larger = Self::new(size);
        for (i, bucket) in self.buckets.iter().enumerate() {
            if let Some(coming) = self.buckets.get(i + 2 * AHEAD) {
                coming.ids().for_each(|id| keys.prefetch(id));
            }
            if let Some(coming) = self.buckets.get(i + AHEAD) {
                coming.ids().for_each(|id| keys.prefetch_behind(id));
            }
            for id in bucket.ids() {
                larger.place(keys.hash(id), id);
            }
        }
        *self = larger;
    }
}

/// A cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    /// Twelve tags, filled from the first on; then 32 marks of keys that passed.
    tags: [u64; 2],
    ids: [u32; SLOTS],
}

impl Bucket {
    const EMPTY: Self = Self { tags: [0; 2], ids: [0; SLOTS] };

    /// The ids whose tags match the hash.
    #[inline]
    fn candidates(&self, hash: u64) -> impl Iterator<Item = u32> {
        let mut set = positions(self.tags, tag(hash)) & ((1 << SLOTS) - 1);
        std::iter::from_fn(move || {
            let slot = set.trailing_zeros() as usize;
            set &= set.wrapping_sub(1);
            self.ids.get(slot).copied()
        })
    }

    /// Adds an id, if there is a free slot.
    #[inline]
    fn add(&mut self, tag: u8, id: u32) -> bool {
        let slot = self.n_ids();
        if slot == SLOTS {
            return false;
        }
        self.tags[slot / 8] |= u64::from(tag) << (8 * (slot % 8));
        self.ids[slot] = id;
        true
    }

    /// Replaces the smallest id; returns its tag and id.
    fn replace_oldest(&mut self, tag: u8, id: u32) -> (u8, u32) {
        let slot = (0..SLOTS).min_by_key(|&slot| self.ids[slot]).unwrap_or(0);
        let (tags, shift) = (&mut self.tags[slot / 8], 8 * (slot % 8));
        let its_tag = (*tags >> shift) as u8;
        *tags ^= u64::from(tag ^ its_tag) << shift;
        (its_tag, std::mem::replace(&mut self.ids[slot], id))
    }

    /// Records that a key with this tag passed.
    #[inline]
    fn let_pass(&mut self, tag: u8) {
        self.tags[1] |= mark(tag);
    }

    #[inline]
    fn was_passed_by(&self, tag: u8) -> bool {
        self.tags[1] & mark(tag) != 0
    }

    #[inline]
    fn n_ids(&self) -> usize {
        (positions(self.tags, 0) | 1 << SLOTS).trailing_zeros().min(SLOTS as u32) as usize
    }

    fn ids(&self) -> impl Iterator<Item = u32> {
        self.ids[..self.n_ids()].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_on_its_way_comes_to_all_buckets() {
        for size in [1.0, 2.0, 4.0, 60.0, 257.0] {
            let segment = Segment::new(size);
            for tag in 1..=u8::MAX {
                let n = segment.buckets.len();
                let mut seen = vec![false; n];
                let mut at = 0;
                for _ in 0..n {
                    seen[at] = true;
                    at = segment.after(at, tag);
                }
                assert!(seen.iter().all(|&seen| seen), "{n} buckets, tag {tag}");
            }
        }
    }
}
