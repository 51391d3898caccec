//! Strangers that call a waiting host: they neither end its search, nor change its answer, nor make it
//! take memory.
//!
//! A case is a session. Host 0 waits, strangers without the key call it in many ways, and more of them
//! come while the other host appears. The answer must be that of a single process. A greeting that is
//! replayed was recorded in another session with the same key.

mod peer;
mod recording;

use super::case::{Campaign, CaseReport};
use crate::args::{TaskArgs, TaskFailure};
use crate::parallel::lock;
use crate::tidy::workspace_root;
use peer::{PeerKind, Visitors};
use resy_testkit::generate::rng::Rng;
use resy_testkit::process::{self, Ending, Output};
use resy_testkit::scratch::Scratch;
use serde_json::Value;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const KEY: &str = "0123456789abcdef0123456789abcdef";
const MODEL: &str = "models/mutex/bakery.pml";

/// How many strangers call before the other host appears.
const PEERS: usize = 200;

/// A session takes seconds; a host that hangs is killed then.
const SESSION_LIMIT: Duration = Duration::from_secs(60);

/// A host that waits needs some ten megabytes.
const MOST_MEMORY: u64 = 400 << 20;

/// More lines about strangers would fill a disk.
const MOST_LINES: usize = 40;

/// The campaign `strangers`.
pub struct Strangers {
    resy: PathBuf,
    n_peers: usize,
    known: Mutex<Option<Known>>,
}

/// What is found out before the first session.
#[derive(Clone)]
struct Known {
    /// What a single process says.
    answer: Vec<Value>,
    /// What a host says to another one in a greeting.
    greetings: Vec<Vec<u8>>,
}

impl Strangers {
    /// With the binary of the options; `--runs N` is the number of strangers in a session.
    pub fn new(args: &TaskArgs) -> Result<Strangers, TaskFailure> {
        let n_peers = args.number("runs", PEERS)?;
        Ok(Strangers { resy: args.resy().canonicalize()?, n_peers, known: Mutex::new(None) })
    }

    fn known(&self) -> Result<Known, TaskFailure> {
        let mut known = lock(&self.known);
        if let Some(known) = &*known {
            return Ok(known.clone());
        }
        let scratch = Scratch::new("strangers")?;
        let alone = process::run(&mut self.command(), scratch.path(), SESSION_LIMIT)?;
        let answer = answer(&alone).map_err(TaskFailure::new)?;
        let found = Known { answer, greetings: self.recorded()? };
        *known = Some(found.clone());
        Ok(found)
    }

    /// What the caller says in both connections of an undisturbed session.
    fn recorded(&self) -> Result<Vec<Vec<u8>>, TaskFailure> {
        let scratch = Scratch::new("strangers")?;
        let ports = [free_port()?, free_port()?];
        let tape = recording::Recording::of(ports[0])?;
        let hosts = list(scratch.path(), "hosts", ports)?;
        let others = list(scratch.path(), "others", [tape.port(), ports[1]])?;
        let first = std::thread::scope(|scope| {
            let first = scope.spawn(|| self.host(&hosts, 0));
            // How the hosts end does not matter: the one in the middle hangs up when it likes.
            let _ = self.host(&others, 1);
            first.join()
        });
        let first = first.map_err(|_| TaskFailure::new("a host was not started"))??;
        let said = tape.heard();
        match said.iter().any(|bytes| bytes.len() > 40) {
            true => Ok(said),
            false => Err(TaskFailure::new(format!("no greeting recorded: {}", first.all_text()))),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.resy);
        command.current_dir(workspace_root()).env("RESY_HOSTS_KEY", KEY);
        command.args(["check", "-q", "--json", "--plain", "--threads", "1", "--alone", "0"]);
        command.arg(MODEL);
        command
    }

    /// Runs one of two hosts to its end.
    fn host(&self, hosts: &Path, index: usize) -> std::io::Result<Output> {
        let scratch = Scratch::new("host")?;
        let mut command = self.command();
        command.args(["--host-index", &index.to_string(), "--hosts"]).arg(hosts);
        process::run(&mut command, scratch.path(), SESSION_LIMIT)
    }
}

impl Campaign for Strangers {
    fn unit(&self) -> &'static str {
        "sessions"
    }

    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure> {
        let Known { answer, greetings } = self.known()?;
        let mut report = CaseReport::default();
        let scratch = Scratch::new("strangers")?;
        let ports = [free_port()?, free_port()?];
        let hosts = list(scratch.path(), "hosts", ports)?;
        let mut visitors = Visitors::new(ports[0], Rng::new(seed), greetings);
        let over = AtomicBool::new(false);
        let (first, second) = std::thread::scope(|scope| {
            let first = scope.spawn(|| self.host(&hosts, 0));
            let started = Instant::now();
            while visitors.n_calls() < self.n_peers && started.elapsed() < SESSION_LIMIT {
                visitors.call();
            }
            // More of them come while the hosts meet.
            let more = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    visitors.call();
                    std::thread::sleep(Duration::from_millis(1));
                }
            });
            let second = self.host(&hosts, 1);
            let first = first.join();
            over.store(true, Ordering::Relaxed);
            let _ = more.join();
            (first, second)
        });
        let first = first.map_err(|_| TaskFailure::new("a host was not started"))??;
        for (kind, n) in visitors.calls() {
            report.count(format!("stranger: {kind}"), n);
        }
        if first.stderr.contains("cannot listen at") {
            report.one("session: the port was taken by another process");
            return Ok(report);
        }
        match judged(&first, &second?, &answer) {
            Ok(()) => report.one("session: the same answer"),
            Err(what) => report.differs(seed, what, "txt", first.all_text()),
        }
        Ok(report)
    }
}

/// Whether both hosts ended as they should.
fn judged(first: &Output, second: &Output, expected: &[Value]) -> Result<(), String> {
    let found = answer(first)?;
    if found != expected {
        return Err(format!("another answer: {found:?}, alone {expected:?}"));
    }
    if first.ending != second.ending {
        return Err(format!("the other host ends with {:?}: {}", second.ending, second.all_text()));
    }
    let taken = peak_bytes(first)?;
    if taken > MOST_MEMORY {
        return Err(format!("host 0 took {taken} bytes"));
    }
    match first.stderr.lines().count() {
        0..MOST_LINES => Ok(()),
        n => Err(format!("{n} lines of complaints")),
    }
}

/// Verdict and counts; they do not depend on the number of workers.
fn answer(output: &Output) -> Result<Vec<Value>, String> {
    if output.ending != Ending::Exit(0) {
        return Err(format!("ends with {:?}: {}", output.ending, output.all_text()));
    }
    let value: Value = serde_json::from_str(&output.stdout).map_err(|e| e.to_string())?;
    let stats = ["states", "transitions", "depth"].map(|name| value["stats"][name].clone());
    Ok([vec![value["verdict"].clone()], stats.to_vec()].concat())
}

/// What the process itself says: the kernel counts the memory of the process that started it.
fn peak_bytes(output: &Output) -> Result<u64, String> {
    let value: Value = serde_json::from_str(&output.stdout).map_err(|e| e.to_string())?;
    value["stats"]["peak_bytes"].as_u64().ok_or_else(|| "no `peak_bytes`".to_owned())
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn list(folder: &Path, name: &str, ports: [u16; 2]) -> std::io::Result<PathBuf> {
    let file = folder.join(name);
    std::fs::write(&file, ports.map(|port| format!("127.0.0.1:{port}\n")).concat())?;
    Ok(file)
}

/// The kinds of strangers, for the record.
impl std::fmt::Display for PeerKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PeerKind::Silent => "says nothing",
            PeerKind::Random => "random bytes",
            PeerKind::OldVersion => "greeting of an old version",
            PeerKind::Truncated => "truncated greeting",
            PeerKind::WrongProof => "greeting with a wrong proof",
            PeerKind::HugeSizes => "greeting and huge sizes",
            PeerKind::Replayed => "replayed greeting",
            PeerKind::ReplayedInPart => "replayed greeting, cut or changed",
            PeerKind::Slow => "one byte at a time",
            PeerKind::Flood => "megabytes",
        })
    }
}
