//! How two hosts recognise each other before anything else is read.
//!
//! The caller and the callee exchange nonces, then proofs: message authentication codes under the shared key,
//! over the role, both nonces, both indices and the purpose. The caller proves first, so that a stranger who
//! calls learns a nonce and nothing else. Then each side sends the fingerprint of its search, encrypted.
//! All messages have a fixed length. A greeting never blocks: [`Greeting::turn`] goes as far as the received
//! bytes allow.
//!
//! | message | content |
//! |---|---|
//! | caller → callee | magic, nonce |
//! | callee → caller | magic, nonce |
//! | caller → callee | index, purpose, proof |
//! | callee → caller | proof, a frame with the fingerprint |
//! | caller → callee | a frame with the fingerprint |

use super::channel::SealedLink;
use super::is_patience;
use super::secret::{BYTES, HostsKey, MAGIC, Transcript, Use};
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A greeting takes at most this long.
const LIMIT: Duration = Duration::from_secs(3);
const HELLO: usize = MAGIC.len() + BYTES;
/// The length of the two numbers before the proof of a caller.
const NUMBERS: usize = 8;

/// What this host brings into every greeting.
pub struct Own {
    /// The key of the hosts.
    pub key: HostsKey,
    /// The index of this host.
    pub index: u32,
    /// The fingerprint of its search.
    pub fingerprint: u64,
}

/// A greeting under way.
pub struct Greeting {
    stream: TcpStream,
    since: Instant,
    nonce: [u8; BYTES],
    /// The index of the called host and the purpose, if this host calls.
    calls: Option<(u32, u32)>,
    stage: Stage,
    /// The part of the next message that has arrived.
    heard: Vec<u8>,
}

enum Stage {
    /// Waits for the nonce of the other side.
    Hello,
    /// Waits for the proof of the other side, given both nonces.
    Proof([[u8; BYTES]; 2]),
    /// Waits for the fingerprint of the other side.
    Fingerprint(Transcript, SealedLink),
}

/// A host that has proved that it has the key.
pub struct Met {
    /// The index of the other host.
    pub index: u32,
    /// What the connection is for.
    pub purpose: u32,
    /// The fingerprint of the other host's search.
    pub fingerprint: u64,
    /// The connection.
    pub channel: SealedLink,
}

/// Why a greeting failed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stranger {
    /// The connection was closed.
    Closed,
    /// The answer did not come in time.
    Late,
    /// The first bytes are not those of a host.
    Garbage,
    /// The proof is wrong, or the other side refuses ours.
    OtherKey,
}

impl std::fmt::Display for Stranger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Closed => "it closed the connection",
            Self::Late => "it did not answer in time",
            Self::Garbage => "it does not speak this version's protocol",
            Self::OtherKey => "it has another key",
        })
    }
}

impl Greeting {
    /// Begins to greet a host that is called for a purpose.
    pub fn call(stream: TcpStream, callee: u32, purpose: u32) -> io::Result<Greeting> {
        let mut greeting = Self::new(stream, Some((callee, purpose)))?;
        greeting.say_hello()?;
        Ok(greeting)
    }

    /// Begins to greet a caller.
    pub fn answer(stream: TcpStream) -> io::Result<Greeting> {
        Self::new(stream, None)
    }

    fn new(stream: TcpStream, calls: Option<(u32, u32)>) -> io::Result<Greeting> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let mut nonce = [0; BYTES];
        getrandom::fill(&mut nonce).map_err(io::Error::other)?;
        let (stage, heard) = (Stage::Hello, Vec::with_capacity(HELLO));
        Ok(Greeting { stream, since: Instant::now(), nonce, calls, stage, heard })
    }

    /// Goes on as far as possible; `None` if more has to arrive.
    pub fn turn(&mut self, own: &Own) -> Result<Option<Met>, Stranger> {
        loop {
            match self.advance(own) {
                Ok(Some(met)) => return Ok(Some(met)),
                Ok(None) => {}
                Err(Pause::Stranger(stranger)) => return Err(stranger),
                Err(Pause::Io(e)) if is_patience(&e) && self.since.elapsed() > LIMIT => {
                    return Err(Stranger::Late);
                }
                Err(Pause::Io(e)) if is_patience(&e) => return Ok(None),
                Err(Pause::Io(_)) => return Err(self.closed()),
            }
        }
    }

    /// A callee that closes the connection instead of proving itself refuses the proof of the caller.
    fn closed(&self) -> Stranger {
        match self.stage {
            Stage::Hello => Stranger::Closed,
            Stage::Proof(_) if self.calls.is_none() => Stranger::Closed,
            Stage::Proof(_) | Stage::Fingerprint(..) => Stranger::OtherKey,
        }
    }

    /// Takes the next message.
    fn advance(&mut self, own: &Own) -> Result<Option<Met>, Pause> {
        match &mut self.stage {
            Stage::Hello => self.hear_hello(own)?,
            &mut Stage::Proof(nonces) => self.hear_proof(own, nonces)?,
            Stage::Fingerprint(transcript, channel) => {
                let mut bytes = [0; 8];
                let n = channel.read(&mut bytes)?;
                if n < bytes.len() {
                    return Err(Pause::Stranger(Stranger::OtherKey));
                }
                let index =
                    if self.calls.is_some() { transcript.callee } else { transcript.caller };
                let purpose = transcript.purpose;
                let fingerprint = u64::from_le_bytes(bytes);
                let Stage::Fingerprint(_, channel) =
                    std::mem::replace(&mut self.stage, Stage::Hello)
                else {
                    unreachable!("the stage was just matched")
                };
                return Ok(Some(Met { index, purpose, fingerprint, channel }));
            }
        }
        Ok(None)
    }

    fn hear_hello(&mut self, own: &Own) -> Result<(), Pause> {
        let hello = self.hear(HELLO)?;
        let (magic, nonce) = hello.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(Pause::Stranger(Stranger::Garbage));
        }
        let theirs: [u8; BYTES] = nonce.try_into().expect("the length of a nonce");
        let Some((callee, purpose)) = self.calls else {
            self.stage = Stage::Proof([theirs, self.nonce]);
            return Ok(self.say_hello()?);
        };
        let nonces = [self.nonce, theirs];
        self.stage = Stage::Proof(nonces);
        let transcript = Transcript { caller: own.index, callee, purpose, nonces };
        let numbers = [own.index, purpose].map(u32::to_le_bytes).concat();
        let proof = transcript.derive(&own.key, Use::CallerProof);
        self.stream.write_all(&[&numbers[..], &proof].concat())?;
        Ok(())
    }

    fn hear_proof(&mut self, own: &Own, nonces: [[u8; BYTES]; 2]) -> Result<(), Pause> {
        let numbers = if self.calls.is_some() { 0 } else { NUMBERS };
        let message = self.hear(numbers + BYTES)?;
        let (numbers, proof) = message.split_at(numbers);
        let number = |at| u32::from_le_bytes(*numbers[at..].first_chunk().expect("two numbers"));
        let (transcript, expected, [seals, opens]) = match self.calls {
            Some((callee, purpose)) => (
                Transcript { caller: own.index, callee, purpose, nonces },
                Use::CalleeProof,
                [Use::CallerSeal, Use::CalleeSeal],
            ),
            None => (
                Transcript { caller: number(0), callee: own.index, purpose: number(4), nonces },
                Use::CallerProof,
                [Use::CalleeSeal, Use::CallerSeal],
            ),
        };
        if !transcript.is_proved(&own.key, expected, proof) {
            return Err(Pause::Stranger(Stranger::OtherKey));
        }
        if self.calls.is_none() {
            self.stream.write_all(&transcript.derive(&own.key, Use::CalleeProof))?;
        }
        let key = |what| transcript.derive(&own.key, what);
        let mut channel = SealedLink::new(self.stream.try_clone()?, &key(seals), &key(opens));
        channel.write_all(&own.fingerprint.to_le_bytes())?;
        self.stage = Stage::Fingerprint(transcript, channel);
        Ok(())
    }

    fn say_hello(&mut self) -> io::Result<()> {
        self.stream.write_all(&[&MAGIC[..], &self.nonce].concat())
    }

    /// A whole message of this length, and not one byte more.
    fn hear(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = [0; HELLO];
        while self.heard.len() < length {
            let n = self.stream.read(&mut bytes[..length - self.heard.len()])?;
            if n == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.heard.extend_from_slice(&bytes[..n]);
        }
        Ok(std::mem::take(&mut self.heard))
    }
}

/// Why a greeting does not go on now.
enum Pause {
    Io(io::Error),
    Stranger(Stranger),
}

impl From<io::Error> for Pause {
    fn from(error: io::Error) -> Pause {
        Pause::Io(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn own(key: &[u8], index: u32) -> Own {
        Own { key: HostsKey::read(key).expect("a key"), index, fingerprint: u64::from(index) + 7 }
    }

    const KEY: &[u8] = b"a key that both hosts share";

    fn pair() -> [TcpStream; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let caller = TcpStream::connect(address).expect("a connection");
        [caller, listener.accept().expect("a connection").0]
    }

    type End = Result<Met, Stranger>;

    /// Both sides of a greeting until both have ended; a side that fails closes the connection.
    fn greet(caller: Own, callee: Own) -> [End; 2] {
        let [one, two] = pair();
        let greetings = [
            (Greeting::call(one, callee.index, 1).expect("it begins"), caller),
            (Greeting::answer(two).expect("it begins"), callee),
        ];
        let threads = greetings.map(|(g, own)| std::thread::spawn(move || finish(g, &own)));
        threads.map(|t| t.join().expect("it ends"))
    }

    fn finish(mut greeting: Greeting, own: &Own) -> End {
        loop {
            match greeting.turn(own) {
                Ok(Some(met)) => return Ok(met),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(stranger) => return Err(stranger),
            }
        }
    }

    fn why(end: End) -> Option<Stranger> {
        end.err()
    }

    #[test]
    fn hosts_with_the_same_key_meet() {
        let [one, two] = greet(own(KEY, 4), own(KEY, 2)).map(|end| end.expect("the same key"));
        assert_eq!((one.index, one.purpose, one.fingerprint), (2, 1, 9));
        assert_eq!((two.index, two.purpose, two.fingerprint), (4, 1, 11));
        let (mut one, mut two) = (one.channel, two.channel);
        two.stream().set_nonblocking(false).expect("it blocks");
        one.write_all(b"state").expect("it is read");
        let mut bytes = [0; 5];
        two.read_exact(&mut bytes).expect("it is sent");
        assert_eq!(&bytes, b"state");
    }

    #[test]
    fn hosts_with_different_keys_are_strangers_to_each_other() {
        let ends = greet(own(KEY, 1), own(b"another key, just as long", 0));
        assert_eq!(ends.map(why), [Some(Stranger::OtherKey); 2]);
    }

    /// What a host answers to these messages, with the reason for which it closes the connection.
    fn answered(messages: &[u8]) -> (Vec<u8>, Option<Stranger>) {
        let [mut stranger, host] = pair();
        stranger.write_all(messages).expect("it fits");
        stranger.shutdown(std::net::Shutdown::Write).expect("it is open");
        let end = finish(Greeting::answer(host).expect("it begins"), &own(KEY, 0));
        let why = why(end);
        let mut bytes = Vec::new();
        let _ = stranger.read_to_end(&mut bytes);
        (bytes, why)
    }

    #[test]
    fn a_stranger_learns_a_nonce_and_nothing_else() {
        let hello = [&MAGIC[..], &[0; BYTES]].concat();
        let guess = [&hello[..], &[0; NUMBERS + BYTES]].concat();
        assert_eq!(answered(b"").1, Some(Stranger::Closed));
        assert_eq!(answered(&hello[..20]).1, Some(Stranger::Closed));
        assert_eq!(answered(&[b'x'; HELLO]), (Vec::new(), Some(Stranger::Garbage)));
        let (first, why) = answered(&guess);
        assert_eq!((first.len(), why), (HELLO, Some(Stranger::OtherKey)));
        let (second, _) = answered(&guess);
        assert_ne!(first, second, "each nonce is fresh");
    }

    /// A stranger passes messages on between two hosts and keeps them.
    fn recorded() -> Vec<u8> {
        let ([one, mut near], [mut far, two]) = (pair(), pair());
        let call = Greeting::call(one, 0, 0).expect("it begins");
        let caller = std::thread::spawn(|| why(finish(call, &own(KEY, 1))));
        let answer = Greeting::answer(two).expect("it begins");
        let callee = std::thread::spawn(|| why(finish(answer, &own(KEY, 0))));
        let mut said = Vec::new();
        let pass = |from: &mut TcpStream, to: &mut TcpStream, n: usize| {
            let mut bytes = vec![0; n];
            from.read_exact(&mut bytes).expect("it is sent");
            to.write_all(&bytes).expect("it is read");
            bytes
        };
        said.extend(pass(&mut near, &mut far, HELLO));
        pass(&mut far, &mut near, HELLO);
        said.extend(pass(&mut near, &mut far, NUMBERS + BYTES));
        pass(&mut far, &mut near, BYTES + 28);
        said.extend(pass(&mut near, &mut far, 28));
        assert_eq!(caller.join().expect("it ends"), None);
        assert_eq!(callee.join().expect("it ends"), None);
        said
    }

    #[test]
    fn what_a_host_has_said_cannot_be_replayed() {
        let said = recorded();
        assert_eq!(answered(&said).1, Some(Stranger::OtherKey));
    }

    /// The stranger has no key and sends back to the caller what the caller says.
    #[test]
    fn what_a_host_says_cannot_be_sent_back() {
        let [one, mut mirror] = pair();
        let call = Greeting::call(one, 1, 0).expect("it begins");
        let caller = std::thread::spawn(|| why(finish(call, &own(KEY, 1))));
        let mut bytes = [0; HELLO];
        mirror.read_exact(&mut bytes).expect("the hello");
        mirror.write_all(&bytes).expect("it is read");
        mirror.read_exact(&mut bytes).expect("the proof");
        mirror.write_all(&bytes[NUMBERS..]).expect("it is read");
        let _ = mirror.read(&mut bytes);
        assert_eq!(caller.join().expect("it ends"), Some(Stranger::OtherKey));
    }

    #[test]
    fn a_caller_that_says_nothing_is_given_up() {
        let [_silent, host] = pair();
        let began = Instant::now();
        let end = finish(Greeting::answer(host).expect("it begins"), &own(KEY, 0));
        assert_eq!(why(end), Some(Stranger::Late));
        assert!(began.elapsed() < 2 * LIMIT);
    }
}
