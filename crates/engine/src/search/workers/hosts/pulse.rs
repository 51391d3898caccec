//! The pulse of the other hosts: a byte now and then over a connection of its own.
//!
//! A search with a host that is gone would wait for ever. A closed connection is noticed
//! at once; a host that has fallen silent (its power or its network is gone), after
//! [`SILENCE`].

use crate::search::workers::signals::Signals;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

const BEAT: Duration = Duration::from_millis(500);
const SILENCE: Duration = Duration::from_secs(10);
/// What is sent while the search goes on, and at its end.
const ALIVE: u8 = 1;
const END: u8 = 2;

/// Watches another host until one of the two is at the end, or lost.
pub fn watch(mut stream: TcpStream, signals: &Signals) {
    let (mut heard, mut beaten) = (Instant::now(), None::<Instant>);
    let _ = stream.set_read_timeout(Some(BEAT));
    while !signals.is_done() && !signals.is_lost() {
        let mut bytes = [0; 64];
        let mut is_here = true;
        if beaten.is_none_or(|at| at.elapsed() >= BEAT) {
            is_here = stream.write_all(&[ALIVE]).is_ok();
            beaten = Some(Instant::now());
        }
        match stream.read(&mut bytes) {
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

/// Tells another host that this one is at the end, and wakes up who watches it.
pub fn end(stream: &TcpStream) {
    let mut to = stream;
    let _ = to.write_all(&[END]);
    let _ = stream.shutdown(Shutdown::Both);
}
