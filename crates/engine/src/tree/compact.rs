//! Hash compaction: a set of 64-bit fingerprints of states, which very rarely confuses two states.
//!
//! Two states with one fingerprint are taken for the same (P. Wolper and D. Leroy, "Reliable hashing
//! without collision detection", CAV 1993). The table is similar to the [index](super::index): buckets of
//! one cache line, and segments that grow separately, at staggered times. It needs no log to grow, because
//! the fingerprint is the hash.

const SEGMENTS: usize = 256;
const SLOTS: usize = 8;
/// A segment is full at this many 64ths of its slots.
const FULL: usize = 54;
const GROWTH: f64 = 1.25;

/// A set of fingerprints.
pub struct Compact {
    segments: Vec<Segment>,
    len: u64,
}

impl Compact {
    /// An empty set.
    pub fn new() -> Self {
        let stagger = |i: usize| GROWTH.powf(i as f64 / SEGMENTS as f64);
        Self { segments: (0..SEGMENTS).map(|i| Segment::new(stagger(i))).collect(), len: 0 }
    }

    /// The fingerprint of a state.
    pub fn fingerprint(state: &[u8]) -> u64 {
        super::hash::of_bytes(state)
    }

    /// Adds a fingerprint; returns whether it is new.
    pub fn insert(&mut self, fingerprint: u64) -> bool {
        // A free slot is 0, so the fingerprint 0 is stored as 1.
        let fingerprint = fingerprint.max(1);
        let segment = &mut self.segments[fingerprint as usize % SEGMENTS];
        if segment.n_used >= segment.buckets.len() * SLOTS * FULL / 64 {
            segment.grow();
        }
        let new = segment.insert(fingerprint);
        self.len += u64::from(new);
        new
    }

    /// The number of fingerprints.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The expected number of states that were taken for others: the number of pairs of fingerprints times
    /// the probability that two are equal.
    pub fn expected_omissions(&self) -> f64 {
        let n = self.len as f64;
        n * (n - 1.0).max(0.0) / 2.0 / 2_f64.powi(64)
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        let buckets: usize = self.segments.iter().map(|segment| segment.buckets.len()).sum();
        buckets * size_of::<Bucket>() + self.segments.capacity() * size_of::<Segment>()
    }
}

impl Default for Compact {
    fn default() -> Self {
        Self::new()
    }
}

/// A cache line, filled from the first slot on; 0 is a free slot.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([u64; SLOTS]);

struct Segment {
    buckets: Box<[Bucket]>,
    n_used: usize,
    /// The number of buckets before rounding.
    size: f64,
}

impl Segment {
    fn new(size: f64) -> Self {
        let buckets = vec![Bucket([0; SLOTS]); size as usize].into_boxed_slice();
        Self { buckets, n_used: 0, size }
    }

    fn insert(&mut self, fingerprint: u64) -> bool {
        let n_buckets = self.buckets.len();
        let mut at = (((fingerprint >> 32) * n_buckets as u64) >> 32) as usize;
        loop {
            for slot in &mut self.buckets[at].0 {
                if *slot == fingerprint {
                    return false;
                }
                if *slot == 0 {
                    *slot = fingerprint;
                    self.n_used += 1;
                    return true;
                }
            }
            at = if at + 1 == n_buckets { 0 } else { at + 1 };
        }
    }

    #[cold]
    fn grow(&mut self) {
        let mut size = self.size;
        while size as usize == self.buckets.len() {
            size *= GROWTH;
        }
        let mut larger = Self::new(size);
        for &fingerprint in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            if fingerprint != 0 {
                larger.insert(fingerprint);
            }
        }
        *self = larger;
    }
}
