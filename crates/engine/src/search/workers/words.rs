//! Numbers and byte strings one after the other: how reports are written and read.

use super::parcel::{pack, unpack};

/// Writes words.
#[derive(Default)]
pub struct Words(pub Vec<u8>);

impl Words {
    /// Adds a number.
    pub fn number(mut self, n: u64) -> Self {
        self.0.extend_from_slice(&n.to_le_bytes());
        self
    }

    /// Adds a string of bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        pack(&mut self.0, bytes);
        self
    }
}

/// Takes a number off the front. A report comes from the same program, so that what is
/// missing is a mistake of ours; it reads as 0.
pub fn number(bytes: &mut &[u8]) -> u64 {
    let Some((word, rest)) = bytes.split_first_chunk::<8>() else { return 0 };
    *bytes = rest;
    u64::from_le_bytes(*word)
}

/// Takes a string of bytes off the front.
pub fn string(bytes: &mut &[u8]) -> Vec<u8> {
    unpack(bytes).unwrap_or_default().to_vec()
}
