//! An encrypted and authenticated connection between two hosts.
//!
//! A frame is the length of its payload (four bytes, at most [`MOST`]), the encrypted payload, and a tag. The
//! cipher is ChaCha20-Poly1305 with one key for each direction, the nonce is the number of the frame, and
//! the length is authenticated too. A frame that was changed, dropped, repeated, reordered or sent back to its
//! sender is an error, as is a connection that ends inside a frame; the search then treats the host as lost.
//!
//! TLS was the alternative. It would have needed certificates, or pre-shared keys, which rustls does not
//! support, and a hundred times the code; both ends are always the same version of resy, so there is
//! nothing to negotiate. What TLS has and this has not is forward secrecy: whoever has recorded a search and
//! learns its key later can read the states.
//!
//! Timely accepts any stream, so that its threads read and write the channel directly.

use super::secret::BYTES;
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use timely::communication::allocator::zero_copy::stream::Stream;

/// The most bytes in the payload of a frame. Timely writes in portions of this size.
pub const MOST: usize = 1 << 16;
const LENGTH: usize = 4;
const TAG: usize = 16;

/// One end of a connection. Clones share the connection; one may read while another one writes.
pub struct SealedLink {
    stream: TcpStream,
    sealer: Arc<Mutex<Sealer>>,
    opener: Arc<Mutex<Opener>>,
}

/// Encrypts what is sent.
struct Sealer {
    cipher: ChaCha20Poly1305,
    n_frames: u64,
}

/// Decrypts what is received.
struct Opener {
    cipher: ChaCha20Poly1305,
    n_frames: u64,
    /// Received bytes; those before `start` are decrypted, those from `end` on are free.
    raw: Box<[u8]>,
    start: usize,
    end: usize,
    /// The payload of the last frame; the bytes before `read` were returned.
    plain: Vec<u8>,
    read: usize,
    /// After an error nothing is decrypted any more.
    is_broken: bool,
}

impl SealedLink {
    /// A channel over a connection, with the keys for both directions.
    pub fn new(stream: TcpStream, seals: &[u8; BYTES], opens: &[u8; BYTES]) -> SealedLink {
        let cipher = |key: &[u8; BYTES]| ChaCha20Poly1305::new(key.into());
        let sealer = Sealer { cipher: cipher(seals), n_frames: 0 };
        let opener = Opener {
            cipher: cipher(opens),
            n_frames: 0,
            raw: vec![0; LENGTH + MOST + TAG].into_boxed_slice(),
            start: 0,
            end: 0,
            plain: Vec::new(),
            read: 0,
            is_broken: false,
        };
        let (sealer, opener) = (Arc::new(Mutex::new(sealer)), Arc::new(Mutex::new(opener)));
        SealedLink { stream, sealer, opener }
    }

    /// The connection below.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }
}

impl Sealer {
    fn seal(&mut self, payload: &[u8]) -> io::Result<Vec<u8>> {
        let length = (payload.len() as u32).to_le_bytes();
        let nonce = nonce(self.n_frames);
        // Counted before the frame is sent: no nonce is used twice, even if sending fails.
        self.n_frames += 1;
        let mut frame = Vec::with_capacity(LENGTH + payload.len() + TAG);
        frame.extend_from_slice(&length);
        frame.extend_from_slice(payload);
        let body = (&mut frame[LENGTH..]).into();
        let tag = self.cipher.encrypt_inout_detached(&nonce.into(), &length, body);
        frame.extend_from_slice(&tag.map_err(|_| io::Error::from(ErrorKind::InvalidInput))?);
        Ok(frame)
    }
}

impl Opener {
    /// Decrypts the next frame, if all of it has been received.
    fn open(&mut self) -> io::Result<bool> {
        let raw = &self.raw[self.start..self.end];
        let Some((&length, rest)) = raw.split_first_chunk::<LENGTH>() else { return Ok(false) };
        let n = u32::from_le_bytes(length) as usize;
        if n == 0 || n > MOST {
            return Err(ErrorKind::InvalidData.into());
        }
        let Some((body, rest)) = rest.split_at_checked(n) else { return Ok(false) };
        let Some(tag) = rest.first_chunk::<TAG>() else { return Ok(false) };
        self.read = 0;
        self.plain.clear();
        self.plain.extend_from_slice(body);
        let body = self.plain.as_mut_slice().into();
        let nonce = nonce(self.n_frames);
        let opened = self.cipher.decrypt_inout_detached(&nonce.into(), &length, body, tag.into());
        if opened.is_err() {
            self.plain.clear();
            return Err(ErrorKind::InvalidData.into());
        }
        self.n_frames += 1;
        self.start += LENGTH + n + TAG;
        Ok(true)
    }

    /// Receives more bytes; returns whether there were any before the end of the connection.
    fn receive(&mut self, mut stream: &TcpStream) -> io::Result<bool> {
        self.raw.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        let n = stream.read(&mut self.raw[self.end..])?;
        self.end += n;
        match n {
            0 if self.end > 0 => Err(ErrorKind::UnexpectedEof.into()),
            n => Ok(n > 0),
        }
    }

    fn read(&mut self, stream: &TcpStream, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.plain.len() {
            if self.is_broken {
                return Err(ErrorKind::InvalidData.into());
            }
            let opened = self.open();
            self.is_broken = opened.is_err();
            if !opened? && !self.receive(stream)? {
                return Ok(0);
            }
        }
        let rest = &self.plain[self.read..];
        let n = rest.len().min(into.len());
        into[..n].copy_from_slice(&rest[..n]);
        self.read += n;
        Ok(n)
    }
}

/// The nonce of a frame.
fn nonce(n_frames: u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..8].copy_from_slice(&n_frames.to_le_bytes());
    nonce
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Read for SealedLink {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        lock(&self.opener).read(&self.stream, into)
    }
}

impl Write for SealedLink {
    fn write(&mut self, payload: &[u8]) -> io::Result<usize> {
        let payload = &payload[..payload.len().min(MOST)];
        if payload.is_empty() {
            return Ok(0);
        }
        let mut sealer = lock(&self.sealer);
        let frame = sealer.seal(payload)?;
        (&self.stream).write_all(&frame)?;
        Ok(payload.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.stream).flush()
    }
}

impl Stream for SealedLink {
    fn try_clone(&self) -> io::Result<Self> {
        let (sealer, opener) = (Arc::clone(&self.sealer), Arc::clone(&self.opener));
        Ok(SealedLink { stream: self.stream.try_clone()?, sealer, opener })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> [TcpStream; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let caller = TcpStream::connect(address).expect("a connection");
        [caller, listener.accept().expect("a connection").0]
    }

    /// The bytes that a channel sends for these payloads.
    fn sent(payloads: &[&[u8]]) -> Vec<u8> {
        let mut sealer = Sealer { cipher: ChaCha20Poly1305::new(&[1; 32].into()), n_frames: 0 };
        payloads.iter().flat_map(|p| sealer.seal(p).expect("it fits")).collect()
    }

    /// What a channel reads if these bytes arrive.
    fn received(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let [mut from, to] = pair();
        let bytes = bytes.to_vec();
        let writer = std::thread::spawn(move || {
            let _ = from.write_all(&bytes);
        });
        let mut all = Vec::new();
        let read = SealedLink::new(to, &[2; 32], &[1; 32]).read_to_end(&mut all);
        writer.join().expect("it ends");
        read.map(|_| all)
    }

    #[test]
    fn a_channel_carries_what_was_written() {
        let [a, b] = pair();
        let (mut a, mut b) =
            (SealedLink::new(a, &[1; 32], &[2; 32]), SealedLink::new(b, &[2; 32], &[1; 32]));
        let long: Vec<u8> = (0..3 * MOST + 5).map(|i| (i % 251) as u8).collect();
        let expected = long.clone();
        let writer = std::thread::spawn(move || {
            a.write_all(&long).expect("it is read");
            a.write_all(b"end").expect("it is read");
        });
        let mut all = Vec::new();
        b.read_to_end(&mut all).expect("all is authentic");
        writer.join().expect("it ends");
        assert!(all == [&expected[..], b"end"].concat());
    }

    #[test]
    fn every_flipped_byte_is_noticed() {
        let bytes = sent(&[b"first", b"second"]);
        assert_eq!(received(&bytes).expect("authentic"), b"firstsecond");
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << (at % 8);
            assert!(received(&wrong).is_err(), "byte {at}");
        }
    }

    #[test]
    fn frames_are_not_repeated_reordered_cut_or_reflected() {
        let (one, two) = (sent(&[b"same!"]), sent(&[b"same!", b"same!"]));
        let second = &two[one.len()..];
        for wrong in [[&one[..], &one].concat(), second.to_vec(), two[..two.len() - 1].to_vec()] {
            assert!(received(&wrong).is_err());
        }
        let [mut from, to] = pair();
        from.write_all(&one).expect("it fits");
        let reflected = SealedLink::new(to, &[1; 32], &[2; 32]).read(&mut [0; 8]);
        assert!(reflected.is_err(), "what a host has sent is not accepted from the other one");
    }

    #[test]
    fn a_length_is_bounded_before_anything_is_received() {
        for n in [0, MOST as u32 + 1, u32::MAX] {
            let error = received(&n.to_le_bytes()).expect_err("no such frame");
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{n}");
        }
    }
}
