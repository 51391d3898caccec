//! The key that the hosts share, and what is derived from it.
//!
//! HMAC-SHA256 is the only primitive: as the extraction step of HKDF it turns the text of the key into 32
//! bytes, and as a pseudo-random function it yields, for each connection, the proofs of the two sides and the
//! two keys of the [channel](super::channel). Each value covers its use, both nonces, both hosts and the
//! purpose, so that none can be replayed on another connection or sent back to its sender.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Distinguishes protocol versions; the first bytes on every connection.
pub const MAGIC: [u8; 8] = *b"resy-2\r\n";
/// The length of a nonce, a proof and a key.
pub const BYTES: usize = 32;

/// A key that all hosts of a search share.
#[derive(Clone)]
pub struct HostsKey([u8; BYTES]);

/// Never shows the key.
impl std::fmt::Debug for HostsKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HostsKey")
    }
}

impl HostsKey {
    /// The least length of a key's text: 16 bytes, or 32 hexadecimal digits, have 128 bits if they are random.
    pub const LEAST: usize = 16;

    /// The key that a text stands for. White space around it, such as a final line end, does not count.
    pub fn read(text: &[u8]) -> Result<HostsKey, String> {
        let text = text.trim_ascii();
        if text.len() < Self::LEAST {
            return Err(format!("a key has at least {} bytes", Self::LEAST));
        }
        Ok(Self::extract(text))
    }

    /// The text of a new random key.
    pub fn draw() -> Result<String, String> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The key of hosts that have none. It excludes accidents, not attackers.
    pub(super) fn public() -> HostsKey {
        Self::extract(b"no key")
    }

    fn extract(text: &[u8]) -> HostsKey {
        HostsKey(mac(b"resy hosts", &[text]).finalize().into_bytes().into())
    }
}

/// What a derived value is used for.
#[derive(Copy, Clone)]
pub enum Use {
    /// The calling host proves that it has the key.
    CallerProof = 1,
    /// The called host proves that it has the key.
    CalleeProof = 2,
    /// The key of what the calling host sends.
    CallerSeal = 3,
    /// The key of what the called host sends.
    CalleeSeal = 4,
}

/// All that distinguishes one connection from the others.
#[derive(Copy, Clone)]
pub struct Transcript {
    /// The index of the calling host.
    pub caller: u32,
    /// The index of the called host.
    pub callee: u32,
    /// What the connection is for.
    pub purpose: u32,
    /// The fresh random bytes of the caller and of the callee.
    pub nonces: [[u8; BYTES]; 2],
}

impl Transcript {
    /// The value for a use.
    pub fn derive(&self, key: &HostsKey, what: Use) -> [u8; BYTES] {
        self.mac(key, what).finalize().into_bytes().into()
    }

    /// Whether `proof` is the value for a use, compared in constant time.
    pub fn is_proved(&self, key: &HostsKey, what: Use, proof: &[u8]) -> bool {
        self.mac(key, what).verify_slice(proof).is_ok()
    }

    fn mac(&self, key: &HostsKey, what: Use) -> Hmac<Sha256> {
        let numbers = [self.caller, self.callee, self.purpose].map(u32::to_le_bytes).concat();
        mac(&key.0, &[&MAGIC, &[what as u8], &numbers, &self.nonces[0], &self.nonces[1]])
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("a key of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac
}
