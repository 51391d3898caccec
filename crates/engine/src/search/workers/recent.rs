//! The vectors sent lately: what another worker has got already is not sent again.
//!
//! Exact: the bytes are compared. Each vector has one place, by its hash, and drives
//! out what was there.

/// A memory of vectors.
pub struct Recent(Vec<Vec<u8>>);

/// The number of places: a power of two.
const PLACES: usize = 1 << 13;

impl Recent {
    /// Remembers nothing yet.
    pub fn new() -> Self {
        Self(vec![Vec::new(); PLACES])
    }

    /// Remembers a vector; says whether it was not remembered before.
    pub fn note(&mut self, hash: u64, vector: &[u8]) -> bool {
        let place = &mut self.0[hash as usize & (PLACES - 1)];
        if place == vector {
            return false;
        }
        place.clear();
        place.extend_from_slice(vector);
        true
    }

    /// The memory taken.
    pub fn memory(&self) -> usize {
        self.0.iter().map(|v| v.capacity() + size_of::<Vec<u8>>()).sum()
    }
}
