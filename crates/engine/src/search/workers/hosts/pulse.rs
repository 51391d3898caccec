//! The heartbeat between hosts: a byte now and then on a connection of its own.
//!
//! A search with a dead host would wait for ever. A closed connection is noticed at once, a host that has
//! fallen silent (power or network failure) after [`SILENCE`].

use super::SealedLink;
use crate::search::workers::signals::Signals;
use std::io::{ErrorKind, Read, Write};
use std::net::Shutdown;
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(500);
const SILENCE: Duration = Duration::from_secs(10);
/// The bytes that are sent during the search, and at its end.
const ALIVE: u8 = 1;
const END: u8 = 2;

/// Watches another host until one of the two ends the search, or is lost.
pub fn watch(mut channel: SealedLink, signals: &Signals) {
    let (mut heard, mut beaten) = (Instant::now(), None::<Instant>);
    let _ = channel.stream().set_read_timeout(Some(BEAT));
    while !signals.is_done() && !signals.is_lost() {
        let mut bytes = [0; 64];
        let mut is_here = true;
        if beaten.is_none_or(|at| at.elapsed() >= BEAT) {
            is_here = channel.write_all(&[ALIVE]).is_ok();
            beaten = Some(Instant::now());
        }
        match channel.read(&mut bytes) {
            Ok(0) => is_here = false,
            Ok(n) if bytes[..n].contains(&END) => return,
            Ok(_) => heard = Instant::now(),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => is_here = false,
        }
        if (!is_here || heard.elapsed() > SILENCE) && !signals.is_done() {
            signals.lose();
        }
    }
}

/// Tells another host that this one has ended the search, and wakes the thread that watches it. After a loss
/// the connection is only closed, so that the other host notices a loss too.
pub fn end(channel: &mut SealedLink, signals: &Signals) {
    if !signals.is_lost() {
        let _ = channel.write_all(&[END]);
    }
    let _ = channel.stream().shutdown(Shutdown::Both);
}
