//! Search with several workers: threads of this process, and of others on other hosts.
//!
//! A state belongs to the worker that a hash names, which stores and expands it;
//! successors are sent to their owners over a timely dataflow. A level of the
//! breadth-first search is a round: when all have expanded their part of it, they agree
//! whether to go on. So the counts are those of one worker, and verdict and
//! counterexample do not depend on who was faster. Afterwards a counterexample is
//! followed backwards.
//!
//! Every worker has its own compiled steps and its own store; vectors mean the same to
//! all, so that a message is nothing but bytes. The thread that called waits and looks at
//! the limits. If another host is lost, all rounds end: the verdict is unknown.

mod hosts;
mod key;
mod messages;
mod partition;
mod results;
mod saving;
mod signals;
mod team;
mod worker;

pub use hosts::{Apart, Hosts};
pub use saving::Archive;

use super::breadth::{Reached, search_until};
use super::coverage::Coverage;
use super::expander::Expander;
use super::findings::Findings;
use super::limits::Stopped;
use super::{Search, Task, Way};
use crate::tree::hash_of_vector;
use hosts::{Links, connect};
use key::Key;
use resy_system::{System, ViolationKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Who searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Threads of this process.
    pub threads: usize,
    /// The processes, if there are others.
    pub hosts: Option<Hosts>,
    /// One worker searches alone until there are so many states: for a small model it
    /// would take longer to start the others.
    pub alone: usize,
}

/// Why a search could not start.
#[derive(Debug)]
pub enum Trouble {
    /// There is no first state.
    Initial(ViolationKind),
    /// The hosts did not come together.
    Hosts(Apart),
    /// The checkpoint cannot be used.
    Checkpoint(String),
}

/// Other hosts must appear within this time.
const PATIENCE: Duration = Duration::from_secs(30);

/// Searches all states of a system with several workers, breadth-first; saved now and then, or
/// going on where a saved search was, if there is an archive.
pub fn search(
    task: &Task<'_>,
    workers: &Workers,
    archive: Option<&Archive>,
) -> Result<Search, Trouble> {
    let started = Instant::now();
    let mut expander = Expander::new(task).map_err(Trouble::Initial)?;
    let meet = |hosts| meet(task, workers, hosts, archive);
    let links = match workers.hosts.as_ref().map(meet).transpose() {
        Ok(links) => links,
        Err(Apart::Absent(_)) => return Ok(nothing(task, started, Stopped::HostAbsent)),
        Err(Apart::Gone(_)) => return Ok(nothing(task, started, Stopped::HostLost)),
        Err(Apart::Interrupted) => return Ok(nothing(task, started, Stopped::Interrupt)),
        Err(apart) => return Err(Trouble::Hosts(apart)),
    };
    if workers.alone == 0 || archive.is_some_and(|a| a.resumes) {
        return team::search(task, workers, None, Key::default(), archive, links, started);
    }
    let start = match search_until(task, &mut expander, started, workers.alone, None) {
        // All have to save it, so all search it; it is small.
        Reached::End(_) if archive.is_some() => {
            return team::search(task, workers, None, Key::default(), archive, links, started);
        }
        Reached::End(search) => return Ok(*search),
        Reached::Level(start) => start,
    };
    let n_workers = workers.threads * workers.hosts.as_ref().map_or(1, |h| h.addresses.len());
    let key = Key::choose(&mut expander, &start, n_workers);
    team::search(task, workers, Some(Arc::new(*start)), key, archive, links, started)
}

fn meet(
    task: &Task<'_>,
    workers: &Workers,
    hosts: &Hosts,
    archive: Option<&Archive>,
) -> Result<Links, Apart> {
    let patience = task.limits.timeout.map_or(PATIENCE, |t| t.min(PATIENCE));
    let fingerprint = fingerprint(task, workers, hosts, archive);
    connect(hosts, fingerprint, patience, task.limits.interrupt)
}

/// A number that differs if hosts would not search the same in the same way.
fn fingerprint(
    task: &Task<'_>,
    workers: &Workers,
    hosts: &Hosts,
    archive: Option<&Archive>,
) -> u64 {
    // The model may have another name on another host.
    let system = System { files: Vec::new(), ..task.system.clone() };
    let version = env!("CARGO_PKG_VERSION");
    let choices = (task.options, task.end_states, task.all_paths, task.limits.first_violation);
    let saves = archive.map(|a| a.resumes);
    let team = (workers.threads, workers.alone, hosts.addresses.len(), saves);
    let all = format!("{version} {choices:?} {team:?} {:?} {system:?}", task.monitors);
    hash_of_vector(all.as_bytes())
}

/// A search that has not begun.
fn nothing(task: &Task<'_>, started: Instant, stopped: Stopped) -> Search {
    Search {
        states: 0,
        stores: Vec::new(),
        transitions: 0,
        depth: 0,
        findings: Findings::default(),
        stopped: Some(stopped),
        was_over: false,
        elapsed: started.elapsed(),
        shapes: None,
        covered: None,
        n_levels: None,
        coverage: Coverage::new(task.system),
        way: Way::Vectors(Vec::new()),
    }
}
