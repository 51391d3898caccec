//! The other hosts: their addresses, and connecting to them.
//!
//! Each process listens at its own address and connects to those with a smaller number twice: one
//! connection is for timely, the other one shows whether the host is alive ([`pulse`]). Both sides first
//! prove that they have the same [key](secret) ([`greeting`]); everything after that is encrypted
//! ([`channel`]), beginning with a fingerprint of what they are going to search.
//!
//! A connection whose greeting fails is closed and reported, and the process goes on waiting. Greetings of
//! several callers proceed side by side, at most [`CALLERS`] at a time, so that a caller who says nothing
//! delays nobody. Without a key, only loopback addresses are accepted: then the greeting still excludes
//! accidents, but not other users of the machine.

mod channel;
mod greeting;
pub mod pulse;
mod secret;

pub use channel::SealedLink;
pub use secret::HostsKey;

use greeting::{Greeting, Met, Own, Stranger};
use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The processes of a search.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// `host:port` of each process.
    pub addresses: Vec<String>,
    /// The number of this process, from 0.
    pub index: usize,
    /// The key that they share; without one, all addresses are of this machine.
    pub key: Option<HostsKey>,
    /// Where this process listens already, if it does.
    pub listener: Option<Arc<TcpListener>>,
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

/// What is wrong with a list of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostListError {
    /// A line is not of the form `host:port`.
    Line(String),
    /// There is no host with this number in a list of so many.
    Index(usize, usize),
    /// A host is on another machine, and there is no key.
    NoKey(String),
}

impl std::fmt::Display for HostListError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(line) => write!(f, "`{line}` is not of the form host:port"),
            Self::Index(index, n) => {
                write!(f, "there is no host number {index}: the list has {n}, from 0 on")
            }
            Self::NoKey(far) => write!(
                f,
                "`{far}` is not a loopback address: hosts on other machines need a shared key"
            ),
        }
    }
}

impl Hosts {
    /// Reads a list of hosts: one `host:port` per line; empty lines and lines with `#` are skipped.
    pub fn read(text: &str, index: usize, key: Option<HostsKey>) -> Result<Hosts, HostListError> {
        let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
        let addresses: Vec<String> = lines.map(str::to_string).collect();
        let port = |a: &String| a.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        if let Some(bad) = addresses.iter().find(|a| port(a).is_none()) {
            return Err(HostListError::Line(bad.clone()));
        }
        if index >= addresses.len() {
            return Err(HostListError::Index(index, addresses.len()));
        }
        if let Some(far) = addresses.iter().find(|a| key.is_none() && !is_loopback(a)) {
            return Err(HostListError::NoKey(far.clone()));
        }
        Ok(Hosts { addresses, index, key, listener: None })
    }

    /// The socket addresses of a host. Without a key, those of other machines are left out, whatever a name
    /// may stand for.
    fn resolve(&self, host: usize) -> io::Result<Vec<SocketAddr>> {
        let all = self.addresses[host].to_socket_addrs()?;
        Ok(all.filter(|a| self.key.is_some() || a.ip().is_loopback()).collect())
    }
}

/// Whether an address is written as one of this machine.
fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// The connections to the other hosts; `None` at the position of this one.
pub struct Links {
    /// For timely.
    pub data: Vec<Option<SealedLink>>,
    /// For the heartbeat.
    pub pulse: Vec<Option<SealedLink>>,
}

const POLL: Duration = Duration::from_millis(5);
/// How long a connection may take.
const DIAL: Duration = Duration::from_secs(1);
/// The pause after a greeting has failed.
const AGAIN: Duration = Duration::from_millis(100);
/// The most greetings of callers at a time; the oldest one is given up for a new one.
const CALLERS: usize = 256;
/// The most strangers that are reported one by one.
const REPORTS: usize = 10;
/// The number of purposes of a connection: data, and the heartbeat.
const PURPOSES: usize = 2;

/// Connects all hosts, within `patience`. `note` is told about strangers.
pub fn connect(
    hosts: &Hosts,
    fingerprint: u64,
    patience: Duration,
    interrupt: Option<&AtomicBool>,
    note: &dyn Fn(&str),
) -> Result<Links, Apart> {
    let n = hosts.addresses.len();
    let nobody = || (0..n).map(|_| None).collect::<Vec<Option<SealedLink>>>();
    let key = hosts.key.clone().unwrap_or_else(HostsKey::public);
    let mut meeting = Meeting {
        hosts,
        own: Own { key, index: hosts.index as u32, fingerprint },
        deadline: Instant::now() + patience,
        interrupt,
        listener: listen(hosts)?,
        links: [nobody(), nobody()],
        callers: Vec::new(),
        strangers: Strangers { note, reported: BTreeSet::new(), n: 0 },
    };
    let met = meeting.meet();
    meeting.strangers.sum_up();
    met?;
    let [data, pulse] = meeting.links;
    for channel in data.iter().chain(&pulse).flatten() {
        let blocks = channel.stream().set_nonblocking(false);
        blocks.map_err(|e| Apart::Deaf(hosts.addresses[hosts.index].clone(), e))?;
    }
    Ok(Links { data, pulse })
}

fn listen(hosts: &Hosts) -> Result<TcpListener, Apart> {
    let listen = || {
        let listener = match &hosts.listener {
            Some(listener) => listener.try_clone()?,
            None => TcpListener::bind(&hosts.resolve(hosts.index)?[..])?,
        };
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    listen().map_err(|e| Apart::Deaf(hosts.addresses[hosts.index].clone(), e))
}

struct Meeting<'a> {
    hosts: &'a Hosts,
    own: Own,
    deadline: Instant,
    interrupt: Option<&'a AtomicBool>,
    listener: TcpListener,
    /// The connections so far, by purpose and host.
    links: [Vec<Option<SealedLink>>; PURPOSES],
    /// Greetings of callers, oldest first.
    callers: Vec<(SocketAddr, Greeting)>,
    strangers: Strangers<'a>,
}

impl Meeting<'_> {
    fn meet(&mut self) -> Result<(), Apart> {
        let (own, n) = (self.hosts.index, self.hosts.addresses.len());
        for other in 0..own {
            for purpose in 0..PURPOSES {
                let channel = self.call(other, purpose as u32)?;
                self.links[purpose][other] = Some(channel);
            }
        }
        let is_missing =
            |links: &[Vec<Option<SealedLink>>], i: usize| links.iter().any(|l| l[i].is_none());
        while let Some(missing) = (own + 1..n).find(|&i| is_missing(&self.links, i)) {
            self.pause(missing)?;
        }
        Ok(())
    }

    /// Waits a moment for another host, and answers callers meanwhile; an error if the time is over or a
    /// connection was closed.
    fn pause(&mut self, other: usize) -> Result<(), Apart> {
        let address = |host: usize| self.hosts.addresses[host].clone();
        if self.interrupt.is_some_and(|i| i.load(Ordering::Relaxed)) {
            return Err(Apart::Interrupted);
        }
        if Instant::now() >= self.deadline {
            return Err(Apart::Absent(address(other)));
        }
        let hosts = self.links.iter().flat_map(|links| links.iter().enumerate());
        for (host, link) in hosts {
            if link.as_ref().is_some_and(|channel| is_closed(channel.stream())) {
                return Err(Apart::Gone(address(host)));
            }
        }
        if !self.answer()? {
            std::thread::sleep(POLL);
        }
        Ok(())
    }

    /// Connects to a host, repeatedly until it answers.
    fn call(&mut self, other: usize, purpose: u32) -> Result<SealedLink, Apart> {
        loop {
            let Some((address, mut greeting)) = self.dial(other, purpose) else {
                self.pause(other)?;
                continue;
            };
            let stranger = loop {
                match greeting.turn(&self.own) {
                    Ok(Some(met)) if met.fingerprint == self.own.fingerprint => {
                        return Ok(met.channel);
                    }
                    Ok(Some(_)) => {
                        return Err(Apart::Different(self.hosts.addresses[other].clone()));
                    }
                    Ok(None) => self.pause(other)?,
                    Err(stranger) => break stranger,
                }
            };
            self.strangers.ignore(address, stranger);
            let until = Instant::now() + AGAIN;
            while Instant::now() < until {
                self.pause(other)?;
            }
        }
    }

    fn dial(&self, other: usize, purpose: u32) -> Option<(SocketAddr, Greeting)> {
        let dial = |address: SocketAddr| {
            let stream = TcpStream::connect_timeout(&address, DIAL).ok()?;
            Some((address, Greeting::call(stream, other as u32, purpose).ok()?))
        };
        self.hosts.resolve(other).ok()?.into_iter().find_map(dial)
    }

    /// Accepts a caller, if there is one, and goes on with all greetings. Returns whether there was one.
    fn answer(&mut self) -> Result<bool, Apart> {
        let accepted = self.listener.accept().ok();
        let is_new = accepted.is_some();
        if let Some((stream, address)) = accepted
            && let Ok(greeting) = Greeting::answer(stream)
        {
            if self.callers.len() == CALLERS {
                let (address, _) = self.callers.remove(0);
                self.strangers.ignore(address, Stranger::Late);
            }
            self.callers.push((address, greeting));
        }
        for (address, mut greeting) in std::mem::take(&mut self.callers) {
            match greeting.turn(&self.own) {
                Ok(Some(met)) => self.welcome(met)?,
                Ok(None) => self.callers.push((address, greeting)),
                Err(stranger) => self.strangers.ignore(address, stranger),
            }
        }
        Ok(is_new)
    }

    /// Takes the connection of a caller that has the key.
    fn welcome(&mut self, met: Met) -> Result<(), Apart> {
        let (index, purpose) = (met.index as usize, met.purpose as usize);
        let expected = self.hosts.index + 1..self.hosts.addresses.len();
        let is_expected = expected.contains(&index) && purpose < PURPOSES;
        if met.fingerprint != self.own.fingerprint || !is_expected {
            let addresses = &self.hosts.addresses;
            let who = addresses.get(index).unwrap_or(&addresses[self.hosts.index]);
            return Err(Apart::Different(who.clone()));
        }
        self.links[purpose][index] = Some(met.channel);
        Ok(())
    }
}

/// Reports the connections that were closed because their greeting failed. There may be many.
struct Strangers<'a> {
    note: &'a dyn Fn(&str),
    /// Each address is reported once for each reason.
    reported: BTreeSet<(IpAddr, Stranger)>,
    n: usize,
}

impl Strangers<'_> {
    fn ignore(&mut self, address: SocketAddr, why: Stranger) {
        self.n += 1;
        if self.reported.len() < REPORTS && self.reported.insert((address.ip(), why)) {
            (self.note)(&format!("ignored a stranger at {address}: {why}"));
        }
    }

    fn sum_up(&self) {
        if self.n > self.reported.len() {
            (self.note)(&format!("ignored {} connections of strangers", self.n));
        }
    }
}

/// Whether the other end of a connection, which does not block, is closed.
fn is_closed(stream: &TcpStream) -> bool {
    match stream.peek(&mut [0]) {
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
        let key = || HostsKey::read(b"sixteen or more bytes").ok();
        let hosts = Hosts::read("# ours\na:1\n\n b:2 \n", 1, key()).expect("a list");
        assert_eq!(hosts.addresses, ["a:1", "b:2"]);
        assert!(Hosts::read("a:1\n", 1, key()).is_err(), "there is no second host");
        assert!(Hosts::read("a\n", 0, key()).is_err(), "there is no port");
        assert!(Hosts::read("a:b\n", 0, key()).is_err(), "the port is a number");
    }

    #[test]
    fn without_a_key_all_hosts_are_on_this_machine() {
        for near in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1"] {
            assert!(Hosts::read(near, 0, None).is_ok(), "{near}");
        }
        let far =
            ["10.0.0.1:1", "0.0.0.0:1", "[::]:1", "a:1", "localhost.evil:1", "127.0.0.1.evil:1"];
        for far in far {
            let error = Hosts::read(&format!("127.0.0.1:1\n{far}"), 0, None).expect_err(far);
            assert_eq!(error, HostListError::NoKey(far.to_owned()));
        }
    }

    #[test]
    fn a_short_key_is_refused_and_no_key_is_shown() {
        assert!(HostsKey::read(b"  fifteen bytes! \n").is_err());
        let key = HostsKey::read(b"sixteen or more bytes").expect("a key");
        assert_eq!(format!("{key:?}"), "HostsKey");
    }
}
