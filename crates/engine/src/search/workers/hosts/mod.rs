//! The other hosts: their addresses, and connecting to them.
//!
//! Each process listens at its own address and connects to those with a smaller number twice: one
//! connection is for timely, the other one shows whether the host is alive ([`pulse`]). Both sides first
//! exchange a fingerprint of what they are going to search.

pub mod pulse;

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The processes of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// `host:port` of each process.
    pub addresses: Vec<String>,
    /// The number of this process, from 0.
    pub index: usize,
}

/// Why the hosts could not be connected.
#[derive(Debug)]
pub enum Apart {
    /// This host cannot listen at its address.
    Deaf(String, io::Error),
    /// Another host does not answer.
    Absent(String),
    /// The connection to another host was closed.
    Gone(String),
    /// Another host searches something else.
    Different(String),
    /// The interrupt flag was set.
    Interrupted,
}

impl std::fmt::Display for Apart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deaf(address, error) => write!(f, "cannot listen at {address}: {error}"),
            Self::Absent(address) => write!(f, "the host {address} does not answer"),
            Self::Gone(address) => write!(f, "the host {address} was there and is gone"),
            Self::Different(address) => write!(
                f,
                "the host {address} has another model, other options, another number of \
                 threads or another version of resy"
            ),
            Self::Interrupted => write!(f, "interrupted while waiting for the other hosts"),
        }
    }
}

impl Hosts {
    /// Reads a list of hosts: one `host:port` per line; empty lines and lines with `#` are skipped.
    pub fn read(text: &str, index: usize) -> Result<Hosts, String> {
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let addresses: Vec<String> = lines.map(str::to_string).collect();
        let port = |a: &String| a.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        if let Some(bad) = addresses.iter().find(|a| port(a).is_none()) {
            return Err(format!("`{bad}` is not of the form host:port"));
        }
        if index >= addresses.len() {
            let n = addresses.len();
            return Err(format!("there is no host number {index}: the list has {n}, from 0 on"));
        }
        Ok(Hosts { addresses, index })
    }
}

/// The connections to the other hosts; `None` at the position of this one.
pub struct Links {
    /// For timely.
    pub data: Vec<Option<TcpStream>>,
    /// For the heartbeat.
    pub pulse: Vec<Option<TcpStream>>,
}

const MAGIC: u64 = u64::from_le_bytes(*b"resy-1\r\n");
const POLL: Duration = Duration::from_millis(20);
/// A host whose connection broke may come back within this time: the broken one may have been a process
/// that was about to end.
const COMEBACK: Duration = Duration::from_secs(3);

/// The first message on a connection.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Hello {
    /// The fingerprint of what the process is going to search.
    fingerprint: u64,
    index: u64,
    /// 0 for data, 1 for the heartbeat.
    purpose: u64,
}

impl Hello {
    /// The length of the message in bytes.
    const BYTES: usize = 32;

    fn say(self, stream: &mut TcpStream) -> io::Result<()> {
        let words = [MAGIC, self.fingerprint, self.index, self.purpose];
        stream.write_all(&words.map(u64::to_le_bytes).concat())
    }

    fn hear(stream: &mut TcpStream) -> io::Result<Hello> {
        let mut words = [0; 4];
        for word in &mut words {
            let mut bytes = [0; 8];
            stream.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        let [magic, fingerprint, index, purpose] = words;
        let known = magic == MAGIC && purpose < 2;
        known
            .then_some(Hello { fingerprint, index, purpose })
            .ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// Connects all hosts, within `patience`.
pub fn connect(
    hosts: &Hosts,
    fingerprint: u64,
    patience: Duration,
    interrupt: Option<&AtomicBool>,
) -> Result<Links, Apart> {
    let n = hosts.addresses.len();
    let nobody = || (0..n).map(|_| None).collect::<Vec<Option<TcpStream>>>();
    let deadline = Instant::now() + patience;
    let links = [nobody(), nobody()];
    let mut meeting = Meeting { hosts, fingerprint, deadline, interrupt, links, broken: None };
    let listener = meeting.listen()?;
    for other in 0..hosts.index {
        for purpose in 0..2 {
            let stream = meeting.call(other, purpose as u64)?;
            meeting.links[purpose][other] = Some(stream);
        }
    }
    let is_missing = |m: &Meeting<'_>, i: usize| m.links.iter().any(|l| l[i].is_none());
    while let Some(missing) = (hosts.index + 1..n).find(|&i| is_missing(&meeting, i)) {
        let (hello, stream) = meeting.answer(&listener, missing)?;
        meeting.links[hello.purpose as usize][hello.index as usize] = Some(stream);
    }
    let [data, pulse] = meeting.links;
    for stream in data.iter().flatten() {
        let patient = stream.set_read_timeout(None);
        patient.map_err(|e| Apart::Deaf(hosts.addresses[hosts.index].clone(), e))?;
    }
    Ok(Links { data, pulse })
}

struct Meeting<'a> {
    hosts: &'a Hosts,
    fingerprint: u64,
    deadline: Instant,
    interrupt: Option<&'a AtomicBool>,
    /// The connections so far, by purpose and host.
    links: [Vec<Option<TcpStream>>; 2],
    /// The host whose connection broke before it had answered, and when.
    broken: Option<(usize, Instant)>,
}

impl Meeting<'_> {
    fn listen(&self) -> Result<TcpListener, Apart> {
        let address = &self.hosts.addresses[self.hosts.index];
        let deaf = |e| Apart::Deaf(address.clone(), e);
        let listener = TcpListener::bind(address).map_err(deaf)?;
        listener.set_nonblocking(true).map_err(deaf)?;
        Ok(listener)
    }

    /// Waits a moment for another host; an error if the time is over or a connection was closed.
    fn pause(&self, other: usize) -> Result<(), Apart> {
        let address = |host: usize| self.hosts.addresses[host].clone();
        if self.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(Apart::Interrupted);
        }
        if Instant::now() >= self.deadline {
            return Err(Apart::Absent(address(other)));
        }
        let hosts = self.links.iter().flat_map(|links| links.iter().enumerate());
        for (host, link) in hosts {
            if link.as_ref().is_some_and(is_closed) {
                return Err(Apart::Gone(address(host)));
            }
        }
        if let Some((host, since)) = self.broken.filter(|(host, _)| *host == other)
            && since.elapsed() > COMEBACK
        {
            return Err(Apart::Gone(address(host)));
        }
        std::thread::sleep(POLL);
        Ok(())
    }

    fn hello(&self, purpose: u64) -> Hello {
        Hello { fingerprint: self.fingerprint, index: self.hosts.index as u64, purpose }
    }

    /// Connects to a host, repeatedly until it answers.
    fn call(&mut self, other: usize, purpose: u64) -> Result<TcpStream, Apart> {
        let address = self.hosts.addresses[other].clone();
        loop {
            let called = TcpStream::connect(&address).and_then(|mut stream| {
                self.prepare(&stream)?;
                self.hello(purpose).say(&mut stream)?;
                Ok(stream)
            });
            let Ok(mut stream) = called else {
                self.pause(other)?;
                continue;
            };
            match self.listen_to(&mut stream, other)? {
                Some(hello) if hello.fingerprint != self.fingerprint => {
                    return Err(Apart::Different(address));
                }
                Some(_) => {
                    self.broken = None;
                    return Ok(stream);
                }
                None => {
                    self.broken = self.broken.or(Some((other, Instant::now())));
                    self.pause(other)?;
                }
            }
        }
    }

    /// Waits for the message of another host; `None` if it is not valid.
    fn listen_to(&self, stream: &mut TcpStream, other: usize) -> Result<Option<Hello>, Apart> {
        let mut bytes = [0; Hello::BYTES];
        loop {
            match stream.peek(&mut bytes) {
                Ok(Hello::BYTES) => return Ok(Hello::hear(stream).ok()),
                Ok(0) => return Ok(None),
                Ok(_) => self.pause(other)?,
                Err(e) if is_patience(&e) => self.pause(other)?,
                Err(_) => return Ok(None),
            }
        }
    }

    /// Waits for a connection from another host. A connection with another message is dropped.
    fn answer(&self, listener: &TcpListener, missing: usize) -> Result<(Hello, TcpStream), Apart> {
        loop {
            let Ok((mut stream, _)) = listener.accept() else {
                self.pause(missing)?;
                continue;
            };
            // The side that connects sends first, and at once.
            let heard = stream.set_nonblocking(false).and_then(|()| {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(COMEBACK))?;
                Hello::hear(&mut stream)
            });
            let Ok(hello) = heard else { continue };
            let expected = self.hosts.index as u64 + 1..self.hosts.addresses.len() as u64;
            if self.hello(hello.purpose).say(&mut stream).is_err() {
                continue;
            }
            if hello.fingerprint != self.fingerprint || !expected.contains(&hello.index) {
                let who = self.hosts.addresses.get(hello.index as usize);
                let who = who.unwrap_or(&self.hosts.addresses[missing]).clone();
                return Err(Apart::Different(who));
            }
            return Ok((hello, stream));
        }
    }

    fn prepare(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(POLL))
    }
}

/// Whether the other end of a connection is closed.
fn is_closed(stream: &TcpStream) -> bool {
    let looked = stream.set_nonblocking(true).and_then(|()| stream.peek(&mut [0]));
    let _ = stream.set_nonblocking(false);
    match looked {
        Ok(n) => n == 0,
        Err(e) => !is_patience(&e),
    }
}

/// Whether an error only means that no data has arrived yet.
fn is_patience(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut | Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_hosts_has_one_on_a_line() {
        let hosts = Hosts::read("# ours\na:1\n\n b:2 \n", 1).expect("a list");
        assert_eq!(hosts.addresses, ["a:1", "b:2"]);
        assert!(Hosts::read("a:1\n", 1).is_err(), "there is no second host");
        assert!(Hosts::read("a\n", 0).is_err(), "there is no port");
        assert!(Hosts::read("a:b\n", 0).is_err(), "the port is a number");
    }
}
