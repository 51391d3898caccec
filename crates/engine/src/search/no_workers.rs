//! What stands for searches of several processes in a build without the feature `hosts`: a refusal.
//!
//! The types are those of the other build, so that nobody who uses them has two versions. No key, no list of hosts
//! and no archive can be made.

use super::{Identity, Search, Task, Threads};
use resy_system::ViolationKind;
use std::fmt;
use std::io::{Error, ErrorKind, Result as IoResult};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Why nothing of this can be had.
const WITHOUT: &str = "this build of resy searches with one process";

/// A key that all hosts of a search share: there is none.
#[derive(Clone, Debug)]
pub enum HostsKey {}

impl HostsKey {
    /// Refuses.
    pub fn read(_: &[u8]) -> Result<HostsKey, String> {
        Err(WITHOUT.to_owned())
    }
}

/// The processes of a search: there are none.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// Where this process listens.
    pub listener: Option<Arc<TcpListener>>,
    /// What cannot be had.
    pub key: HostsKey,
}

impl Hosts {
    /// Refuses.
    pub fn read(_: &str, _: usize, _: Option<HostsKey>) -> Result<Hosts, HostListError> {
        Err(HostListError::Without)
    }
}

/// What is wrong with a list of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostListError {
    /// This build has no hosts.
    Without,
    /// A key is missing: never here.
    NoKey(String),
}

impl fmt::Display for HostListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WITHOUT)
    }
}

/// Why the hosts could not be connected: never here.
#[derive(Debug)]
pub enum Apart {}

impl fmt::Display for Apart {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
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

/// The workers of a search.
#[derive(Clone, Debug)]
pub struct Workers {
    /// The number of workers of this process, each with a store of its own.
    pub threads: usize,
    /// The threads inside each worker, which share its store.
    pub inside: Threads,
    /// All processes, if there are several.
    pub hosts: Option<Hosts>,
    /// One worker searches alone up to this number of states.
    pub alone: usize,
}

/// A folder to which several workers save their search: there is none.
pub struct Archive(HostsKey);

impl Archive {
    /// Refuses.
    pub fn create(_: &Path, _: Identity, _: Duration) -> IoResult<Archive> {
        Err(Error::new(ErrorKind::Unsupported, WITHOUT))
    }

    /// Refuses.
    pub fn open(_: &Path, _: Identity, _: Duration) -> IoResult<Archive> {
        Err(Error::new(ErrorKind::Unsupported, WITHOUT))
    }

    /// Whether a folder holds a search of several workers, which this build cannot tell.
    pub fn is_in(_: &Path) -> IoResult<bool> {
        Ok(false)
    }

    /// Why the final state of the search is not in the folder, if it is not.
    pub fn failure(&self) -> Option<String> {
        match self.0 {}
    }
}

/// Searches all states of a system with one process.
pub fn search(
    task: &Task<'_>,
    _: &Workers,
    _: Option<&Archive>,
    _: &dyn Fn(&str),
) -> Result<Search, WorkersFailure> {
    super::search(task).map_err(WorkersFailure::Initial)
}
