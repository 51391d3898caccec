//! A set of states that only knows bits: small, and now and then wrong.
//!
//! Each state sets three bits of a field of fixed size (a Bloom filter; for model
//! checking: G. Holzmann, "An analysis of bitstate hashing", 1998). A state whose bits
//! are all set already is taken for known. So a search with it may miss states, but
//! never finds one that is not there.

use super::cpu::prefetch;
use super::hash;

/// How many bits a state sets.
const N_BITS: u64 = 3;

/// A set that takes some new members for known ones.
pub struct BitState {
    words: Box<[u64]>,
    n_states: u64,
    n_set: u64,
    /// How many new states were probably taken for known ones so far.
    omitted: f64,
}

impl BitState {
    /// An empty set that takes this much memory, in bytes, now and later.
    pub fn new(memory: usize) -> Self {
        let words = vec![0; (memory / size_of::<u64>()).max(1)].into_boxed_slice();
        Self { words, n_states: 0, n_set: 0, omitted: 0.0 }
    }

    /// Adds a state; says whether it is new. A `true` is certain.
    pub fn insert(&mut self, state: &[u8]) -> bool {
        let wrong = self.omission_probability();
        let (start, step) = (hash::of_bytes(state), hash::of_bytes_again(state));
        let bits = [0, 1, 2].map(|i| self.position(start.wrapping_add(step.wrapping_mul(i))));
        bits.iter().for_each(|&bit| prefetch(&self.words[bit / 64]));
        let mut new = false;
        for bit in bits {
            let (word, mask) = (&mut self.words[bit / 64], 1 << (bit % 64));
            if *word & mask == 0 {
                *word |= mask;
                self.n_set += 1;
                new = true;
            }
        }
        if new {
            self.n_states += 1;
            // Of the new states that come, one in 1 / wrong is not recognised: before
            // one is, wrong / (1 - wrong) are lost.
            self.omitted += wrong / (1.0 - wrong);
        }
        new
    }

    /// The number of states that were new.
    pub fn len(&self) -> u64 {
        self.n_states
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// The share of the bits that are set.
    pub fn fill(&self) -> f64 {
        self.n_set as f64 / self.n_bits() as f64
    }

    /// How probable it is that the next new state will be taken for a known one.
    pub fn omission_probability(&self) -> f64 {
        self.fill().powi(N_BITS as i32)
    }

    /// An estimate of the share of the states offered so far that were recognised as
    /// new when they came first. States that only lost ones lead to are not in it.
    pub fn coverage(&self) -> f64 {
        self.n_states as f64 / (self.n_states as f64 + self.omitted).max(1.0)
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.words)
    }

    fn n_bits(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// The hash as a fraction, times the number of bits.
    fn position(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.n_bits())) >> 64) as usize
    }
}
