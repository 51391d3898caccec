//! Other hosts: who they are, how they meet, and that they search the same.
//!
//! Each process listens at its own address and calls those with a smaller number, twice:
//! one connection is timely's, the other tells whether the host is still there
//! ([`pulse`](super::pulse)). Both sides say first what they are going to search.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The processes of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    /// `host:port` of each process.
    pub addresses: Vec<String>,
    /// The number of this one, from 0.
    pub index: usize,
}

/// Why the hosts did not come together.
#[derive(Debug)]
pub enum Apart {
    /// Nothing can be heard at the address of this host.
    Deaf(String, io::Error),
    /// Another host does not answer.
    Absent(String),
    /// Another host searches something else.
    Different(String),
    /// Somebody interrupted the waiting.
    Interrupted,
}

impl std::fmt::Display for Apart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Deaf(address, error) => write!(f, "cannot listen at {address}: {error}"),
            Self::Absent(address) => write!(f, "the host {address} does not answer"),
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
    /// Reads a list of hosts: one `host:port` on a line; empty lines and those with `#`
    /// do not count.
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

/// The connections to the other hosts; `None` in the place of this one.
pub struct Links {
    /// For timely.
    pub data: Vec<Option<TcpStream>>,
    /// For the pulse.
    pub pulse: Vec<Option<TcpStream>>,
}

const MAGIC: u64 = u64::from_le_bytes(*b"resy-1\r\n");
const POLL: Duration = Duration::from_millis(20);

/// What a process says when it calls or is called.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Hello {
    /// What it is going to search.
    fingerprint: u64,
    index: u64,
    /// 0 for data, 1 for the pulse.
    purpose: u64,
}

impl Hello {
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

/// Waits until all hosts are connected, for `patience` at most.
pub fn connect(
    hosts: &Hosts,
    fingerprint: u64,
    patience: Duration,
    interrupt: Option<&AtomicBool>,
) -> Result<Links, Apart> {
    let meeting = Meeting { hosts, fingerprint, deadline: Instant::now() + patience, interrupt };
    let listener = meeting.listen()?;
    let n = hosts.addresses.len();
    let nobody = || (0..n).map(|_| None).collect::<Vec<Option<TcpStream>>>();
    let mut links = [nobody(), nobody()];
    for other in 0..hosts.index {
        for (purpose, links) in links.iter_mut().enumerate() {
            links[other] = Some(meeting.call(other, purpose as u64)?);
        }
    }
    while let Some(missing) = (hosts.index + 1..n).find(|&i| links.iter().any(|l| l[i].is_none())) {
        let (hello, stream) = meeting.answer(&listener, missing)?;
        links[hello.purpose as usize][hello.index as usize] = Some(stream);
    }
    let [data, pulse] = links;
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
}

impl Meeting<'_> {
    fn listen(&self) -> Result<TcpListener, Apart> {
        let address = &self.hosts.addresses[self.hosts.index];
        let deaf = |e| Apart::Deaf(address.clone(), e);
        let listener = TcpListener::bind(address).map_err(deaf)?;
        listener.set_nonblocking(true).map_err(deaf)?;
        Ok(listener)
    }

    /// Waits a moment, unless the time is over.
    fn pause(&self, other: usize) -> Result<(), Apart> {
        if self.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(Apart::Interrupted);
        }
        if Instant::now() >= self.deadline {
            return Err(Apart::Absent(self.hosts.addresses[other].clone()));
        }
        std::thread::sleep(POLL);
        Ok(())
    }

    fn hello(&self, purpose: u64) -> Hello {
        Hello { fingerprint: self.fingerprint, index: self.hosts.index as u64, purpose }
    }

    /// Calls a host until it answers.
    fn call(&self, other: usize, purpose: u64) -> Result<TcpStream, Apart> {
        let address = &self.hosts.addresses[other];
        loop {
            let answered = TcpStream::connect(address).and_then(|mut stream| {
                self.prepare(&stream)?;
                self.hello(purpose).say(&mut stream)?;
                Ok((Hello::hear(&mut stream)?, stream))
            });
            match answered {
                Ok((hello, _)) if hello.fingerprint != self.fingerprint => {
                    return Err(Apart::Different(address.clone()));
                }
                Ok((_, stream)) => return Ok(stream),
                Err(_) => self.pause(other)?,
            }
        }
    }

    /// Waits for a call of another host. Who says something else is not one of ours.
    fn answer(&self, listener: &TcpListener, missing: usize) -> Result<(Hello, TcpStream), Apart> {
        loop {
            let Ok((mut stream, _)) = listener.accept() else {
                self.pause(missing)?;
                continue;
            };
            let heard = self.prepare(&stream).and_then(|()| Hello::hear(&mut stream));
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
        let left = self.deadline.saturating_duration_since(Instant::now());
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(left.max(POLL)))
    }
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
