//! Search with several workers: threads of this process, and of processes on other hosts.
//!
//! A hash assigns every state to a worker, which stores and expands it; successors are sent to their owners
//! over a timely dataflow. A level of the breadth-first search is a round: when all workers have expanded
//! their part of the level, they agree whether to continue. The counts are therefore those of one worker,
//! and verdict and counterexample do not depend on timing. A counterexample is traced backwards after the
//! search.
//!
//! Every worker has its own compiled steps and its own store. Vectors mean the same to all workers, so that
//! a message consists of bytes only. The calling thread waits and checks the limits. If a host is lost, all
//! rounds end, and the verdict is unknown.

mod crew;
pub(super) mod exchange;
mod hosts;
mod key;
mod messages;
mod partition;
mod reduction;
mod results;
mod saving;
mod signals;
mod team;
mod worker;

pub use hosts::{Apart, HostListError, Hosts, HostsKey};
pub use saving::Archive;

use super::breadth::{Reached, search_until};
use super::coverage::Coverage;
use super::expander::Expander;
use super::findings::Findings;
use super::limits::Stopped;
use super::{Search, Task, Threads, Way};
use crate::tree::hash_of_vector;
use hosts::{Links, connect};
use key::Key;
use resy_system::{System, ViolationKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The workers of a search.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The number of workers of this process, each with a store of its own.
    pub threads: usize,
    /// The threads inside each worker, which share its store.
    pub inside: Threads,
    /// All processes, if there are several.
    pub hosts: Option<Hosts>,
    /// One worker searches alone up to this number of states: for a small model, starting the others would
    /// take longer.
    pub alone: usize,
}

/// Why a search could not start.
#[derive(Debug)]
pub enum WorkersFailure {
    /// The initial state does not exist.
    Initial(ViolationKind),
    /// The hosts could not be connected.
    Hosts(Apart),
    /// The checkpoint cannot be used.
    Checkpoint(String),
}

/// The other hosts must connect within this time.
const PATIENCE: Duration = Duration::from_secs(30);
/// After a search that was shorter nothing is said about its pace.
const JUDGED: Duration = Duration::from_secs(2);

/// Searches all states of a system breadth-first with several workers. With an archive, the search is saved
/// periodically, or a saved one is resumed. `note` receives what the user should know about connections.
pub fn search(
    task: &Task<'_>,
    workers: &Workers,
    archive: Option<&Archive>,
    note: &dyn Fn(&str),
) -> Result<Search, WorkersFailure> {
    let started = Instant::now();
    let mut expander = Expander::new(task).map_err(WorkersFailure::Initial)?;
    let meet = |hosts| connect_hosts(task, workers, hosts, archive, note);
    let links = match workers.hosts.as_ref().map(meet).transpose() {
        Ok(links) => links,
        Err(Apart::Absent(_)) => return Ok(not_started(task, started, Stopped::HostAbsent)),
        Err(Apart::Gone(_)) => return Ok(not_started(task, started, Stopped::HostLost)),
        Err(Apart::Interrupted) => return Ok(not_started(task, started, Stopped::Interrupt)),
        Err(apart) => return Err(WorkersFailure::Hosts(apart)),
    };
    if workers.alone == 0 || archive.is_some_and(|a| a.resumes) {
        return team::search(task, workers, None, Key::default(), archive, links, started);
    }
    let pilot = Instant::now();
    let start = match search_until(task, &mut expander, started, workers.alone, None) {
        // Every worker must save its part, so all of them search again; the model is small.
        Reached::End(_) if archive.is_some() => {
            return team::search(task, workers, None, Key::default(), archive, links, started);
        }
        Reached::End(search) => return Ok(*search),
        Reached::Level(start) => start,
    };
    let n_workers = workers.threads * workers.hosts.as_ref().map_or(1, |h| h.addresses.len());
    let alone = Pace { states: start.store.len() as u64, time: pilot.elapsed() };
    let key = Key::choose(&mut expander, &start, n_workers);
    let together = Instant::now();
    let search = team::search(task, workers, Some(Arc::new(*start)), key, archive, links, started)?;
    let time = together.elapsed();
    let all = Pace { states: search.states.saturating_sub(alone.states), time };
    // The first host tells what there is to tell.
    if workers.hosts.as_ref().is_some_and(|hosts| hosts.index == 0) {
        all.slower_than(&alone).iter().for_each(|words| note(words));
    }
    Ok(search)
}

/// So many states in so much time.
struct Pace {
    states: u64,
    time: Duration,
}

impl Pace {
    fn per_second(&self) -> f64 {
        self.states as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// What to say if all hosts together are slower than one thread was at the beginning.
    fn slower_than(&self, alone: &Pace) -> Option<String> {
        let (all, alone) = (self.per_second(), alone.per_second());
        (self.time >= JUDGED && all < alone).then(|| {
            format!("the hosts did not pay: all visited {all:.0} states a second, one thread alone {alone:.0}")
        })
    }
}

fn connect_hosts(
    task: &Task<'_>,
    workers: &Workers,
    hosts: &Hosts,
    archive: Option<&Archive>,
    note: &dyn Fn(&str),
) -> Result<Links, Apart> {
    let patience = task.limits.timeout.map_or(PATIENCE, |t| t.min(PATIENCE));
    let fingerprint = fingerprint(task, workers, hosts, archive);
    connect(hosts, fingerprint, patience, task.limits.interrupt, note)
}

/// A hash of everything that must be equal on all hosts.
fn fingerprint(
    task: &Task<'_>,
    workers: &Workers,
    hosts: &Hosts,
    archive: Option<&Archive>,
) -> u64 {
    // The model may have another file name on another host.
    let system = System { files: Vec::new(), ..task.system.clone() };
    let version = env!("CARGO_PKG_VERSION");
    let steps = (&task.in_steps, task.limits.first_violation);
    let reductions = (task.ample.is_some(), task.symmetry.is_some());
    let choices = (task.options, task.end_states, task.all_paths, steps, reductions);
    let saves = archive.map(|a| a.resumes);
    let team = (workers.threads, workers.alone, hosts.addresses.len(), saves);
    let all = format!("{version} {choices:?} {team:?} {:?} {system:?}", task.monitors);
    hash_of_vector(all.as_bytes())
}

/// The result of a search that could not begin.
fn not_started(task: &Task<'_>, started: Instant, stopped: Stopped) -> Search {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_when_hosts_do_not_pay() {
        let pace = |states, seconds| Pace { states, time: Duration::from_secs(seconds) };
        let words = pace(3000, 3).slower_than(&pace(2000, 1)).expect("half as fast");
        assert!(
            words.contains("all visited 1000 states a second, one thread alone 2000"),
            "{words}"
        );
        assert_eq!(pace(9000, 3).slower_than(&pace(2000, 1)), None);
        assert_eq!(pace(1000, 1).slower_than(&pace(2000, 1)), None, "too short to judge");
    }
}
