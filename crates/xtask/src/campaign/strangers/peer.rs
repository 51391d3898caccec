//! What strangers say to a host.

use resy_testkit::generate::rng::Rng;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A way to call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PeerKind {
    /// Nothing is said.
    Silent,
    /// Bytes without meaning.
    Random,
    /// The greeting of an older version.
    OldVersion,
    /// Some bytes of a greeting.
    Truncated,
    /// A greeting whose proof is wrong.
    WrongProof,
    /// A greeting, and then the largest sizes that a frame can announce.
    HugeSizes,
    /// What a host said in another session.
    Replayed,
    /// The same, cut off, or with a changed byte.
    ReplayedInPart,
    /// A greeting, slowly.
    Slow,
    /// A greeting, and then more than a host reads.
    Flood,
}

const KINDS: [PeerKind; 10] = [
    PeerKind::Silent,
    PeerKind::Random,
    PeerKind::OldVersion,
    PeerKind::Truncated,
    PeerKind::WrongProof,
    PeerKind::HugeSizes,
    PeerKind::Replayed,
    PeerKind::ReplayedInPart,
    PeerKind::Slow,
    PeerKind::Flood,
];

/// Connections that are kept open at most.
const OPEN: usize = 200;

/// Callers of one host.
pub struct Visitors {
    port: u16,
    rng: Rng,
    greetings: Vec<Vec<u8>>,
    open: Vec<TcpStream>,
    calls: BTreeMap<PeerKind, u64>,
}

impl Visitors {
    /// Nobody has called yet.
    pub fn new(port: u16, rng: Rng, greetings: Vec<Vec<u8>>) -> Visitors {
        Visitors { port, rng, greetings, open: Vec::new(), calls: BTreeMap::new() }
    }

    /// The number of calls that were taken.
    pub fn n_calls(&self) -> usize {
        self.calls.values().sum::<u64>() as usize
    }

    /// How often each kind has called.
    pub fn calls(&self) -> impl Iterator<Item = (PeerKind, u64)> {
        self.calls.iter().map(|(&kind, &n)| (kind, n))
    }

    /// Calls once; waits a little if nobody listens.
    pub fn call(&mut self) {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            std::thread::sleep(Duration::from_millis(5));
            return;
        };
        let patience = Some(Duration::from_millis(50));
        let _ = stream.set_read_timeout(patience).and(stream.set_write_timeout(patience));
        let kind = self.rng.one_of(KINDS);
        *self.calls.entry(kind).or_default() += 1;
        let words = self.words(kind);
        // The host may hang up at any time: that is no concern of a stranger.
        let _ = match kind {
            PeerKind::Slow => slowly(&mut stream, &words),
            PeerKind::Flood => flood(&mut stream, &words),
            _ => stream.write_all(&words),
        };
        match self.rng.below(3) {
            0 => self.open.push(stream),
            1 => drop(stream.read(&mut [0; 100])),
            _ => {}
        }
        let n_old = self.open.len().saturating_sub(OPEN);
        self.open.drain(..n_old);
    }

    fn words(&mut self, kind: PeerKind) -> Vec<u8> {
        let rng = &mut self.rng;
        let mut random = |n: usize| -> Vec<u8> { (0..n).map(|_| rng.below(256) as u8).collect() };
        let hello = [&b"resy-2\r\n"[..], &random(32)].concat();
        match kind {
            PeerKind::Silent => Vec::new(),
            PeerKind::Random => {
                let n = 1 + usize::from(random(1)[0]);
                random(n)
            }
            PeerKind::OldVersion => [&b"resy-1\r\n"[..], &random(24)].concat(),
            PeerKind::Truncated => hello[..1 + usize::from(random(1)[0]) % 39].to_vec(),
            PeerKind::WrongProof => [hello, vec![1, 0, 0, 0, 0, 0, 0, 0], random(32)].concat(),
            PeerKind::HugeSizes => [hello, vec![1, 0, 0, 0, 1, 0, 0, 0], vec![0xff; 200]].concat(),
            PeerKind::Slow | PeerKind::Flood => hello,
            PeerKind::Replayed => self.greeting(),
            PeerKind::ReplayedInPart => {
                let mut bytes = self.greeting();
                let at = self.rng.below(bytes.len());
                match self.rng.below(2) {
                    0 => bytes.truncate(at),
                    _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x10),
                }
                bytes
            }
        }
    }

    fn greeting(&mut self) -> Vec<u8> {
        let which = self.rng.below(self.greetings.len());
        self.greetings.get(which).cloned().unwrap_or_default()
    }
}

fn slowly(stream: &mut TcpStream, words: &[u8]) -> std::io::Result<()> {
    for byte in words.iter().take(12) {
        stream.write_all(&[*byte])?;
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn flood(stream: &mut TcpStream, words: &[u8]) -> std::io::Result<()> {
    stream.write_all(words)?;
    (0..64).try_for_each(|_| stream.write_all(&[0x5a; 1 << 15]))
}
