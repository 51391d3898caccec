//! Exchanges: every host sends bytes to every other host, and goes on when it has those of all.
//!
//! The search of all states has a dataflow; the rounds in which hosts look for cycles are simpler, and all hosts do the
//! same steps. A message has a header with a word of each host for all, from which all draw the same conclusions. One
//! thread for each other host writes, so that nobody waits for a host that writes too. A host that a limit stops says so,
//! and one that is lost is noticed as in the search of all states: the exchange ends, and the verdict is unknown.

pub use super::messages::packet::{pack, unpack};

use super::super::limits::Stopped;
use super::super::task::Task;
use super::hosts::{Apart, SealedLink, connect, pulse};
use super::signals::{Signals, number, reason};
use super::{Hosts, PATIENCE, Workers, fingerprint};
use crate::tree::hash_of_vector;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// The time between two looks at the limits while nothing arrives.
const GLANCE: Duration = Duration::from_millis(20);
/// The length of a header: the number of bytes that follow, and a word for all.
const HEADER: usize = 16;
/// In the place of a number of bytes: this host stops, and the word says why.
const STOPS: u64 = u64::MAX;
/// No message is longer: whatever says so is damaged.
const LONGEST: u64 = 1 << 40;

/// The connections to the other hosts.
pub(in super::super) struct Exchange {
    me: usize,
    /// The other hosts, each at the place of its number.
    peers: Vec<Option<Peer>>,
    pulses: Vec<SealedLink>,
    watchers: Vec<JoinHandle<()>>,
    signals: Arc<Signals>,
}

/// Another host.
struct Peer {
    link: SealedLink,
    /// What is to be written.
    outbox: Sender<Vec<u8>>,
    writer: JoinHandle<()>,
}

/// What all hosts have sent to this one, by host; nothing at its own place.
pub(in super::super) struct Received {
    /// The word of each host, that of this one too.
    pub words: Vec<u64>,
    pub bytes: Vec<Vec<u8>>,
}

/// Asks whether a limit is reached.
pub(in super::super) type Ask<'a> = dyn FnMut() -> Result<(), Stopped> + 'a;

impl Exchange {
    /// Connects all hosts of a task that have the same `purpose`.
    pub fn meet(
        task: &Task<'_>,
        workers: &Workers,
        hosts: &Hosts,
        purpose: &str,
        note: &dyn Fn(&str),
    ) -> Result<Self, Apart> {
        let patience = task.limits.timeout.map_or(PATIENCE, |timeout| timeout.min(PATIENCE));
        let task_hash = fingerprint(task, workers, hosts, None);
        let hash = hash_of_vector(format!("{task_hash} {purpose}").as_bytes());
        let links = connect(hosts, hash, patience, task.limits.interrupt, note)?;
        let gone = || Apart::Gone(hosts.addresses[hosts.index].clone());
        let signals = Arc::new(Signals::new(1));
        let pulses: Vec<SealedLink> = links.pulse.into_iter().flatten().collect();
        let mut watchers = Vec::new();
        for link in &pulses {
            let (link, signals) = (link.try_clone().map_err(|_| gone())?, Arc::clone(&signals));
            watchers.push(thread::spawn(move || pulse::watch(link, &signals)));
        }
        let peers = links.data.into_iter().map(|link| link.map(Peer::new).transpose());
        let peers = peers.collect::<std::io::Result<Vec<_>>>().map_err(|_| gone())?;
        Ok(Self { me: hosts.index, peers, pulses, watchers, signals })
    }

    /// The number of this host.
    pub fn me(&self) -> usize {
        self.me
    }

    /// The number of hosts.
    pub fn n(&self) -> usize {
        self.peers.len()
    }

    /// Sends a word to all and bytes to each host, which are taken, and waits for those of the others.
    pub fn exchange(
        &mut self,
        word: u64,
        out: &mut [Vec<u8>],
        ask: &mut Ask<'_>,
    ) -> Result<Received, Stopped> {
        let exchanged = self.exchange_all(word, out, ask);
        if let Err(stopped) = &exchanged {
            let header = [STOPS, number(Some(*stopped)).into()];
            for peer in self.peers.iter().flatten() {
                let _ = peer.outbox.send(header.map(u64::to_le_bytes).concat());
            }
        }
        exchanged
    }

    fn exchange_all(
        &mut self,
        word: u64,
        out: &mut [Vec<u8>],
        ask: &mut Ask<'_>,
    ) -> Result<Received, Stopped> {
        for (peer, bytes) in self.peers.iter().zip(out) {
            let bytes = std::mem::take(bytes);
            let Some(peer) = peer else { continue };
            let header = [bytes.len() as u64, word].map(u64::to_le_bytes).concat();
            for part in [header, bytes] {
                peer.outbox.send(part).map_err(|_| Stopped::HostLost)?;
            }
        }
        let mut received = Received { words: Vec::new(), bytes: Vec::new() };
        for peer in &mut self.peers {
            let (mut theirs, mut bytes) = (word, Vec::new());
            if let Some(peer) = peer {
                let mut header = [0; HEADER];
                peer.read(&mut header, &self.signals, ask)?;
                let (length, rest) = header.split_first_chunk().expect("two words");
                theirs = u64::from_le_bytes(*rest.first_chunk().expect("two words"));
                match u64::from_le_bytes(*length) {
                    STOPS => return Err(reason(theirs as u8).unwrap_or(Stopped::HostLost)),
                    length if length > LONGEST => return Err(Stopped::HostLost),
                    length => {
                        // What was announced may never come: memory is taken as it arrives.
                        peer.read_long(&mut bytes, length as usize, &self.signals, ask)?;
                    }
                }
            }
            received.words.push(theirs);
            received.bytes.push(bytes);
        }
        Ok(received)
    }

    /// Closes the connections; `in_order` when everything is written.
    pub fn end(self, in_order: bool) {
        let Self { peers, mut pulses, watchers, signals, .. } = self;
        for Peer { link, outbox, writer } in peers.into_iter().flatten() {
            drop(outbox);
            if in_order && !signals.is_lost() {
                let _ = writer.join();
            }
            drop(link);
        }
        signals.finish();
        pulses.iter_mut().for_each(|link| pulse::end(link, &signals));
        watchers.into_iter().for_each(|watcher| _ = watcher.join());
    }
}

impl Peer {
    fn new(link: SealedLink) -> std::io::Result<Self> {
        link.stream().set_read_timeout(Some(GLANCE))?;
        let (outbox, inbox) = channel::<Vec<u8>>();
        let mut to = link.try_clone()?;
        let writer = thread::spawn(move || {
            for bytes in inbox {
                if to.write_all(&bytes).is_err() {
                    return;
                }
            }
        });
        Ok(Self { link, outbox, writer })
    }

    /// Reads so many bytes.
    fn read_long(
        &mut self,
        into: &mut Vec<u8>,
        length: usize,
        signals: &Signals,
        ask: &mut Ask<'_>,
    ) -> Result<(), Stopped> {
        const PORTION: usize = 1 << 20;
        while into.len() < length {
            let start = into.len();
            into.resize(length.min(start + PORTION), 0);
            self.read(&mut into[start..], signals, ask)?;
        }
        Ok(())
    }

    /// Fills a buffer.
    fn read(
        &mut self,
        mut into: &mut [u8],
        signals: &Signals,
        ask: &mut Ask<'_>,
    ) -> Result<(), Stopped> {
        while !into.is_empty() {
            match self.link.read(into) {
                Ok(0) => return Err(Stopped::HostLost),
                Ok(n) => into = &mut into[n..],
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => ask()?,
                    _ => return Err(Stopped::HostLost),
                },
            }
            if signals.is_lost() {
                return Err(Stopped::HostLost);
            }
        }
        Ok(())
    }
}
