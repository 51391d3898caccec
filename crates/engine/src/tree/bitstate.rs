//! Bitstate hashing: a set of states of fixed size, which may take a new state for a known one.
//!
//! Each state sets three bits of a bit field (a Bloom filter; for model checking: G. Holzmann, "An analysis
//! of bitstate hashing", 1998). A state whose bits are all set is taken for known. A search may therefore
//! miss states, but never finds one that does not exist.

use super::cpu::prefetch;
use super::hash;
use std::collections::TryReserveError;

/// The number of bits that a state sets.
const N_BITS: u64 = 3;

/// A set that takes some new members for known ones.
pub struct BitState {
    words: Box<[u64]>,
    n_states: u64,
    n_set: u64,
    /// The expected number of new states that were taken for known ones.
    omitted: f64,
    /// Makes the bits of a state others than in another set.
    salt: u64,
}

impl BitState {
    /// An empty set of this many bytes, which never grows; an error if the system does not have them.
    pub fn new(memory: usize) -> Result<Self, TryReserveError> {
        Self::salted(memory, 0)
    }

    /// Like [`new`](Self::new); with another salt other states are taken for known ones.
    pub fn salted(memory: usize, salt: u64) -> Result<Self, TryReserveError> {
        let n = (memory / size_of::<u64>()).max(1);
        // Asked for twice: `vec!` would abort the process, and only `vec!` leaves untouched pages to the system.
        Vec::<u64>::new().try_reserve_exact(n)?;
        let words = vec![0; n].into_boxed_slice();
        Ok(Self { words, n_states: 0, n_set: 0, omitted: 0.0, salt })
    }

    /// Adds a state; returns whether it is new. `true` is certain.
    pub fn insert(&mut self, state: &[u8]) -> bool {
        let wrong = self.omission_probability();
        let (start, step) = (self.salt_of(hash::of_bytes(state)), hash::of_bytes_again(state));
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
            // Before a new state is recognised, wrong / (1 - wrong) others are expected to be lost.
            self.omitted += wrong / (1.0 - wrong);
        }
        new
    }

    /// The number of states that were recognised as new.
    pub fn len(&self) -> u64 {
        self.n_states
    }

    /// Whether there is no state yet.
    pub fn is_empty(&self) -> bool {
        self.n_states == 0
    }

    /// The fraction of the bits that are set.
    pub fn fill(&self) -> f64 {
        self.n_set as f64 / self.n_bits() as f64
    }

    /// The probability that the next new state is taken for a known one.
    pub fn omission_probability(&self) -> f64 {
        self.fill().powi(N_BITS as i32)
    }

    /// An estimate of the fraction of the states offered so far that were recognised as new. States that
    /// are reachable only through lost ones are not included.
    pub fn coverage(&self) -> f64 {
        self.n_states as f64 / (self.n_states as f64 + self.omitted).max(1.0)
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.words)
    }

    fn salt_of(&self, hash: u64) -> u64 {
        match self.salt {
            0 => hash,
            salt => (hash ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29),
        }
    }

    fn n_bits(&self) -> u64 {
        self.words.len() as u64 * 64
    }

    /// The hash as a fraction, times the number of bits.
    fn position(&self, hash: u64) -> usize {
        ((u128::from(hash) * u128::from(self.n_bits())) >> 64) as usize
    }
}
