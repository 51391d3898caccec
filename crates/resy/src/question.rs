//! What is asked of a subject: which properties, by which engine, and what is wanted beside the
//! verdicts.

use crate::engine::{AUTO, Engine};
use crate::subject::Subject;
use resy_engine::search::Order;
use resy_engine::search::workers::HostsKey;
use resy_system::{Fairness, Options};
use std::fmt;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// With more local states of a component a cut is given up.
pub const MAX_LOCAL_STATES: usize = 2_000_000;

/// What is asked of a subject. The default asks for every property and leaves the rest to resy.
#[derive(Clone)]
pub struct Question {
    /// One property only, by its name.
    pub property: Option<String>,
    /// Leaves out the properties with these names.
    pub without: Vec<String>,
    /// For FSP: progress properties and assertions too, which are left out by default.
    pub all_properties: bool,
    /// Leaves out never claims and formulas.
    pub no_claims: bool,
    /// Choices about the semantics.
    pub semantics: Options,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// The engine.
    pub engine: &'static dyn Engine,
    /// The method of the engine, if it has several; all at once otherwise.
    pub method: Option<&'static str>,
    /// The module: names of proctypes, of processes or of components. Empty: the engine chooses.
    pub module: Vec<String>,
    /// Decides every property, also after a violation.
    pub exhaustive: bool,
    /// Asks for a certificate of what holds.
    pub certificate: bool,
    /// Asks for the requirement of the module if the properties hold.
    pub requirement: bool,
    /// Leaves counterexamples as they were found; else they are made shorter.
    pub as_found: bool,
    /// The number of threads; as many as there are cores if it is not given.
    pub threads: Option<usize>,
    /// How long the search of `auto` runs alone before rivals start.
    pub head_start: Duration,
    /// How all states are searched.
    pub search: SearchOptions,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            property: None,
            without: Vec::new(),
            all_properties: false,
            no_claims: false,
            semantics: Options::default(),
            fairness: Fairness::None,
            engine: AUTO,
            method: None,
            module: Vec::new(),
            exhaustive: false,
            certificate: false,
            requirement: false,
            as_found: false,
            threads: None,
            head_start: Duration::from_millis(50),
            search: SearchOptions::default(),
        }
    }
}

/// How all states are searched.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Along paths instead of by distance.
    pub dfs: bool,
    /// What seems near to a violation first.
    pub directed: bool,
    /// By the reference interpreter instead of compiled code.
    pub interpret: bool,
    /// Without any reduction: exactly the states and transitions of the reference semantics.
    pub plain: bool,
    /// Without merging of statements.
    pub no_merge: bool,
    /// Without resetting dead variables.
    pub no_reset: bool,
    /// Without partial order reduction.
    pub no_por: bool,
    /// Without exchanging processes that are alike.
    pub no_symmetry: bool,
    /// For a violation of least depth.
    pub shortest: bool,
    /// Together with other hosts.
    pub hosts: Option<HostList>,
    /// Up to this many states, one thread searches alone.
    pub alone: Option<usize>,
    /// Saved, or continued, in a folder.
    pub checkpoint: Option<Checkpoint>,
    /// With a set of states that may miss some.
    pub lossy: Option<LossySet>,
    /// By many small searches in random orders, with this seed.
    pub swarm: Option<u64>,
}

/// The hosts that search together.
#[derive(Clone, Debug)]
pub struct HostList {
    /// The name of the list, for messages.
    pub name: String,
    /// One `host:port` on a line.
    pub text: String,
    /// The line of this host, from 0.
    pub index: usize,
    /// The key that all hosts share; without one, all addresses must be loopback addresses.
    pub key: Option<HostsKey>,
    /// Where this host listens already, if it does.
    pub listener: Option<Arc<TcpListener>>,
}

/// Where a search is saved.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The folder.
    pub folder: PathBuf,
    /// Whether to continue the search that is saved there.
    pub resume: bool,
    /// The time between two saves.
    pub every: Duration,
}

/// A set of states that may miss some.
#[derive(Copy, Clone, Debug)]
pub enum LossySet {
    /// Three bits a state, in a field of this many bytes.
    BitState(Option<usize>),
    /// Eight bytes a state.
    HashCompact,
}

impl SearchOptions {
    /// In which order states are visited.
    pub fn order(&self) -> Order {
        match (self.dfs, self.directed) {
            (true, _) => Order::DepthFirst,
            (false, true) => Order::Directed,
            (false, false) => Order::BreadthFirst,
        }
    }
}

impl Question {
    /// The number of threads.
    pub fn n_threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }

    /// The names of the properties of a subject that are left out.
    pub fn left_out(&self, subject: &Subject) -> Vec<String> {
        let claims = subject.system().filter(|_| self.no_claims).map(|system| &system.claims);
        let claims = claims.into_iter().flatten().map(|claim| claim.name.clone());
        self.without.iter().cloned().chain(claims).collect()
    }

    /// The name of an option that is only about the search of all states.
    pub fn search_only(&self) -> Option<&'static str> {
        let search = &self.search;
        let checkpoint = search.checkpoint.as_ref();
        let options = [
            ("hosts", search.hosts.is_some()),
            ("dfs", search.dfs),
            ("directed", search.directed),
            ("interpret", search.interpret),
            ("plain", search.plain),
            ("shortest", search.shortest),
            ("checkpoint", checkpoint.is_some_and(|checkpoint| !checkpoint.resume)),
            ("resume", checkpoint.is_some_and(|checkpoint| checkpoint.resume)),
            ("swarm", search.swarm.is_some()),
            ("bitstate", matches!(search.lossy, Some(LossySet::BitState(_)))),
            ("hash-compact", matches!(search.lossy, Some(LossySet::HashCompact))),
            ("empty-channels", self.semantics.empty_channels),
        ];
        options.iter().find(|(_, given)| *given).map(|(name, _)| *name)
    }
}

/// What is wrong with a call: the question does not fit the subject or the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The option with this name is only about the search of all states.
    SearchOnly(&'static str),
    /// The engine has no module.
    NoModule(&'static str),
    /// The engine has no such method.
    NoMethod(&'static str),
    /// The engine gives no certificates.
    NoCertificate,
    /// The network has no monitor, so there is nothing to check.
    NoMonitor,
    /// Only a breadth-first search with an exact set of states can be saved.
    NoCheckpoint,
    /// Hosts on other machines need a shared key; the sentence says which.
    NoHostsKey(String),
    /// Anything else, in a sentence.
    Other(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SearchOnly(option) => write!(f, "`{option}` is about the search of all states"),
            Self::NoModule(engine) => write!(f, "the engine `{engine}` has no module"),
            Self::NoMethod(engine) => write!(f, "the engine `{engine}` has no such method"),
            Self::NoCertificate => f.write_str("a search of all states has no certificate"),
            Self::NoMonitor => f.write_str("the network has no monitor, so nothing to check"),
            Self::NoCheckpoint => {
                f.write_str("a checkpoint can be made of an exact breadth-first search only")
            }
            Self::NoHostsKey(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for CallError {}

impl From<String> for CallError {
    fn from(message: String) -> Self {
        Self::Other(message)
    }
}
