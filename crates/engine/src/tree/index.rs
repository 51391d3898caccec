//! From a hash to ids: an open-addressing table that grows a little at a time.
//!
//! The table knows no keys. It stores the number of a key in its log, and asks the
//! log when it has to compare or to hash again. A *bucket* is one cache line of
//! twelve ids with a byte of the hash each, so that looking for a key costs one
//! cache miss here and, if the byte is there, one in the log.
//!
//! What does not fit into a bucket goes on to another, as many buckets further on as
//! its tag says. A bucket remembers five bits of the tag of each key that went past it;
//! a key whose bits are not among them is not further on. For states it is the older
//! keys that go, which a search seldom asks for, so that the table can be fuller than
//! such a table usually may; and since the tag says where to, the key itself, far away
//! in the log, need not be asked.
//!
//! The buckets are split by bits of the hash into *segments*, each of which grows by
//! half when it is full, alone: the pause is short, and at most one segment is
//! there twice. Their first sizes are staggered, so that they do not all grow at the
//! same time and the load of the whole table stays the same during a search.

use super::cpu::{positions, prefetch};

/// What an index needs to know about the keys behind its ids.
pub trait Keys {
    /// The hash of a key.
    fn hash(&self, id: u32) -> u64;
    /// Says that the hash of this key will soon be asked for.
    fn prefetch(&self, id: u32);
    /// Says it again, sooner: now what lies behind a pointer can be fetched too.
    fn prefetch_behind(&self, _id: u32) {}
}

const SEGMENTS: usize = 256;
const SLOTS: usize = 12;
/// A segment is full at this many 64ths of its slots.
const FULL: usize = 58;
const GROWTH: f64 = 1.5;
/// While a segment grows, keys are fetched twice this many buckets ahead, and once
/// this many what lies behind them.
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

    /// The id with this hash that `is_it` agrees to.
    #[inline]
    pub fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let segment = &self.segments[segment_of(hash)];
        let mut at = segment.home(hash);
        // It ends at the latest where a slot is free: no one goes past that.
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

    /// Adds an id that is not there yet, and will be asked for more than the older
    /// ones: if its bucket is full, the oldest there has to go on instead of it.
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

    /// Begins to fetch the bucket where this hash belongs.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        let segment = &self.segments[segment_of(hash)];
        prefetch(&segment.buckets[segment.home(hash)]);
    }

    /// The first id in its bucket that may have this hash.
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

// Which bits of a hash are used for what: 0..8 the tag, 8..16 the segment, 32..64 the
// bucket in the segment.

fn segment_of(hash: u64) -> usize {
    (hash >> 8) as usize % SEGMENTS
}

/// Never 0, which is the tag of a free slot.
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The mark of a passer-by.
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

    /// The bucket where a hash belongs: the hash as a fraction, times the number of
    /// buckets, which thus need not be a power of two.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        (((hash >> 32) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The bucket where keys with this tag go that find no slot in this one. The number
    /// of buckets is prime, so that steps of any length lead to all of them; anywhere, so
    /// that a crowd in one place does not spread to its neighbours.
    #[inline]
    fn after(&self, at: usize, tag: u8) -> usize {
        let n = self.buckets.len();
        let next = at + 1 + ((usize::from(tag) * (n - 1)) >> 8);
        if next < n { next } else { next - n }
    }

    /// Adds an id to its bucket, or where those go who find no slot there.
    #[inline]
    fn place(&mut self, hash: u64, id: u32) {
        self.place_from(self.home(hash), tag(hash), id);
    }

    /// Adds an id to its bucket; if that is full, the oldest there goes on instead.
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

    /// Adds an id to a bucket, or where those go who find no slot there.
    fn place_from(&mut self, mut at: usize, tag: u8, id: u32) {
        while !self.buckets[at].add(tag, id) {
            self.buckets[at].let_pass(tag);
            at = self.after(at, tag);
        }
        self.n_ids += 1;
    }

    /// The order of hashes is the order of buckets, before and after: old and new
    /// buckets are passed once from end to end, only the keys are all over the log.
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
    /// Twelve tags, filled from the first on; then 32 marks of those who went past.
    tags: [u64; 2],
    ids: [u32; SLOTS],
}

impl Bucket {
    const EMPTY: Self = Self { tags: [0; 2], ids: [0; SLOTS] };

    /// The ids whose tags are the hash's.
    #[inline]
    fn candidates(&self, hash: u64) -> impl Iterator<Item = u32> {
        let mut set = positions(self.tags, tag(hash)) & ((1 << SLOTS) - 1);
        std::iter::from_fn(move || {
            let slot = set.trailing_zeros() as usize;
            set &= set.wrapping_sub(1);
            self.ids.get(slot).copied()
        })
    }

    /// Adds an id, if there is a slot.
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

    /// Gives the slot of the smallest id to another; the tag and the id that were there.
    fn replace_oldest(&mut self, tag: u8, id: u32) -> (u8, u32) {
        let slot = (0..SLOTS).min_by_key(|&slot| self.ids[slot]).unwrap_or(0);
        let (tags, shift) = (&mut self.tags[slot / 8], 8 * (slot % 8));
        let its_tag = (*tags >> shift) as u8;
        *tags ^= u64::from(tag ^ its_tag) << shift;
        (its_tag, std::mem::replace(&mut self.ids[slot], id))
    }

    /// Marks that a key with this tag went past.
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
