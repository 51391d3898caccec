//! `resy host`: a process that `--on` has started. It listens, tells where, and searches what it is told.

use super::protocol::{Hello, Job};
use crate::args::{Args, Check, Command};
use crate::tell::bad_input;
use crate::{Exit, check, texts};
use clap::Parser;
use resy::HostsKey;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::sync::Arc;

/// The place of a process among those that search together.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The addresses of all, one on a line.
    pub hosts: String,
    /// The number of this one, from 0.
    pub index: usize,
    /// The key that they share.
    pub key: HostsKey,
    /// Where this one listens.
    pub listener: Arc<TcpListener>,
}

/// Runs the command.
pub fn run(listen: Option<IpAddr>) -> Exit {
    let connection = std::env::var("SSH_CONNECTION").unwrap_or_default();
    let (caller, own) = ends(&connection);
    let address = listen.or(own).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let bound = TcpListener::bind((address, 0)).and_then(|l| Ok((l.local_addr()?, l)));
    let (address, listener) = match bound {
        Ok(bound) => bound,
        Err(error) => return bad_input(format!("cannot listen at {address}: {error}")),
    };
    let hello = Hello { version: check::VERSION.to_owned(), address, caller };
    let mut input = BufReader::new(std::io::stdin());
    let job = hello.write(&mut std::io::stdout()).and_then(|()| Job::read(&mut input));
    let job = match job {
        Ok(job) => job,
        Err(error) => return bad_input(format!("nobody says what to search: {error}")),
    };
    end_with(input);
    match prepare(job, listener) {
        Ok(check) => check::run(&check),
        Err(why) => bad_input(why),
    }
}

/// The call as this process makes it.
fn prepare(job: Job, listener: TcpListener) -> Result<Check, String> {
    let args = Args::try_parse_from(&job.args).map_err(|error| error.to_string())?;
    let Command::Check(check) = args.command else {
        return Err("only `check` searches on several hosts".to_owned());
    };
    let key = HostsKey::read(job.key.as_bytes())?;
    texts::receive(job.texts);
    let Job { hosts, index, threads, .. } = job;
    let seat = Some(Seat { hosts, index, key, listener: Arc::new(listener) });
    let mut check = Check { on: Vec::new(), threads: Some(threads), seat, ..*check };
    if job.resumes && check.checkpoint.is_some() {
        check.resume = check.checkpoint.take();
    }
    if index > 0 {
        // The first one tells what there is to tell.
        (check.trail, check.chart, check.report, check.certificate) = (None, None, None, None);
        (check.json, check.common.quiet, check.common.no_progress) = (false, true, true);
    }
    Ok(check)
}

/// This process ends with the one that has started it.
fn end_with(mut input: impl BufRead + Send + 'static) {
    std::thread::spawn(move || {
        let mut rest = Vec::new();
        while input.read_until(b'\n', &mut rest).is_ok_and(|n| n > 0) {
            rest.clear();
        }
        std::process::exit(Exit::Unknown as i32);
    });
}

/// The addresses of the two ends of the connection by which this process was started: there and here.
fn ends(connection: &str) -> (Option<IpAddr>, Option<IpAddr>) {
    let words: Vec<&str> = connection.split_whitespace().collect();
    let address = |at: usize| words.get(at).and_then(|word| word.parse().ok());
    (address(0), address(2))
}

#[cfg(test)]
mod tests {
    use super::ends;

    #[test]
    fn a_host_knows_who_has_called() {
        let address = |text: &str| text.parse().ok();
        let both = (address("10.0.0.1"), address("10.0.0.2"));
        assert_eq!(ends("10.0.0.1 4000 10.0.0.2 22"), both);
        assert_eq!(ends("fe80::1 4000 ::1 22"), (address("fe80::1"), address("::1")));
        assert_eq!(ends(""), (None, None));
    }
}
