//! `resy check`: what to search for, how, and what to write.

use super::amounts::{parse_size, parse_threads};
use super::{Common, Properties, Resources, Semantics};
use crate::together::{Place, Seat, parse_place};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};
use resy::Fairness;
use resy::engine::{ENGINES, Engine, MethodHelp, by_name};
use std::path::{Path, PathBuf};

/// `resy check`.
#[derive(Clone, Debug, ClapArgs)]
pub struct Check {
    /// The model; `-` for standard input. A file `*.net` is a network of automata, `*.lts` or
    /// `*.fsp` is FSP.
    pub file: PathBuf,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// How to print the result; `--json` is short for `json`.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Limits; the verdict is `unknown` then.
    #[command(flatten)]
    pub resources: Resources,
    /// Number of threads; all cores if it is not given. A small model is searched by one.
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Search together with other hosts: a file with one `host:port` on a line. Start the
    /// same command on each, with its own `--host-index`; the first one prints the result.
    #[arg(long, value_name = "FILE", requires = "host_index", conflicts_with = "dfs")]
    pub hosts: Option<PathBuf>,
    /// Which line of the list of hosts is this one, from 0.
    #[arg(long, value_name = "I", requires = "hosts")]
    pub host_index: Option<usize>,
    /// The key that all hosts share: a file with at least 16 bytes, the same on each host.
    /// Instead of it, the variable RESY_HOSTS_KEY may have the key itself. Without a key,
    /// only hosts with loopback addresses search together.
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub hosts_key: Option<PathBuf>,
    /// Search on several machines: their names, with commas; `NAME:N` for N threads there. One command starts all by
    /// ssh and sends the model; this machine takes part with one thread, or more as `localhost:N`.
    #[arg(long, value_name = "HOSTS", value_delimiter = ',', value_parser = parse_place,
        conflicts_with_all = ["hosts", "threads", "dfs", "directed", "swarm", "bitstate", "hash_compact"])]
    pub on: Vec<Place>,
    /// The command by which `--on` starts a program on another machine.
    #[arg(
        long,
        value_name = "COMMAND",
        env = "RESY_RSH",
        default_value = "ssh -o BatchMode=yes",
        hide_env_values = true
    )]
    pub rsh: String,
    /// The name of resy on the other machines of `--on`.
    #[arg(
        long,
        value_name = "PROGRAM",
        env = "RESY_REMOTE",
        default_value = "resy",
        hide_env_values = true
    )]
    pub remote: String,
    /// The place of this process among those that search together, if `--on` has started it.
    #[arg(skip)]
    pub seat: Option<Seat>,
    /// One thread searches alone up to this many states, before the others join in.
    #[arg(long, value_name = "N", default_value_t = 50_000, hide = true)]
    pub alone: usize,
    /// What is to hold.
    #[command(flatten)]
    pub properties: Properties,
    /// Which infinite runs count for properties of infinite runs, by what the scheduler does for each process.
    #[arg(long, value_name = "FAIRNESS", default_value = "none")]
    pub fair: Fair,
    /// Leave out never claims and `ltl` formulas (spin's -noclaim).
    #[arg(long, conflicts_with_all = ["property", "ltl", "claim"])]
    pub no_claims: bool,
    /// How to search.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engines())]
    pub engine: &'static dyn Engine,
    /// The split for `requirement`: a proctype, or `NAME[pid]` for one process of it; several with
    /// commas. The process with the smallest interface if it is not given.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub module: Vec<String>,
    /// The search of `auto` is alone for so many milliseconds.
    #[arg(long, value_name = "MS", env = "RESY_HEAD_START", default_value_t = 50, hide = true)]
    pub head_start: u64,
    /// What `network` does, and whether `requirement` refines only: by default all at once, until one has decided.
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    pub method: Option<&'static str>,
    /// Search along paths instead of by distance. Needs less memory for wide models; the
    /// counterexample is not the shortest.
    #[arg(long, conflicts_with = "shortest")]
    pub dfs: bool,
    /// Search where a violation seems near first: finds it after few states, by a short run. If there is none, all states are
    /// visited.
    #[arg(long, conflicts_with_all = ["dfs", "shortest", "hosts", "bitstate", "hash_compact"])]
    pub directed: bool,
    /// Make steps with the reference interpreter instead of compiled code.
    #[arg(long)]
    pub interpret: bool,
    /// Do not stop at the first violation.
    #[arg(long)]
    pub exhaustive: bool,
    /// No reduction of any kind: count exactly the states and transitions of
    /// the reference semantics.
    #[arg(long)]
    pub plain: bool,
    /// Store a state after every statement, also where no other process can notice.
    #[arg(long)]
    pub no_merge: bool,
    /// Keep the values of local variables that nobody reads any more.
    #[arg(long)]
    pub no_reset: bool,
    /// Expand all processes in every state (no partial order reduction).
    #[arg(long)]
    pub no_por: bool,
    /// Visit symmetric states one by one: exchange no processes that are alike.
    #[arg(long)]
    pub no_symmetry: bool,
    /// The violation of least depth: no reductions that change depth.
    #[arg(long)]
    pub shortest: bool,
    /// Show the counterexample as the engine has found it. By default the first shortest one is shown, whichever
    /// engine has found the violation.
    #[arg(long)]
    pub as_found: bool,
    /// Write the counterexample as a spin trail; for FSP, as a list of actions.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Show the counterexample as a message sequence chart; with a name, write it to a file, by extension:
    /// `.svg .mmd .txt`. What is repeated is told once; `-v` shows every round.
    #[arg(long, value_name = "FILE", require_equals = true)]
    pub chart: Option<Option<PathBuf>>,
    /// Write a report: one HTML page with the verdicts, what was covered, the requirement as a graph
    /// (`--engine requirement`) and the counterexample to walk along.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Write the certificate of a `holds`, which `resy recheck` checks.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Save the search to this folder now and then, so that `--resume` can go on with it. With
    /// `--hosts`, all may use one folder, or each its own.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub checkpoint: Option<PathBuf>,
    /// Go on with the search that was saved in this folder, and save it there again. What
    /// hosts have saved may go on with any number of threads and hosts.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Save every so many seconds; also when the search stops.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub checkpoint_every: f64,
    /// Note three bits for a state, in a field of this size. It may miss states: without
    /// a violation the verdict is `unknown`, with an estimate of what was covered.
    #[arg(long, value_name = "SIZE", require_equals = true, value_parser = parse_size)]
    pub bitstate: Option<Option<usize>>,
    /// Many small searches in random orders instead of one of all states, until `--timeout`; 64 without one. A violation is
    /// replayed as always; without one the verdict is `unknown`.
    #[arg(long, conflicts_with_all = ["dfs", "directed", "shortest", "hosts", "bitstate", "hash_compact", "checkpoint", "resume", "exhaustive", "plain"])]
    pub swarm: bool,
    /// The seed of `--swarm`: the same seed makes the same searches.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "swarm")]
    pub seed: u64,
    /// Note eight bytes for a state; as `--bitstate`, but hardly ever misses one.
    #[arg(long, conflicts_with = "bitstate")]
    pub hash_compact: bool,
}

impl Check {
    /// The folder to which the search is saved.
    pub fn saves_to(&self) -> Option<&Path> {
        self.checkpoint.as_deref().or(self.resume.as_deref())
    }

    /// The number of this process among those that search together.
    pub fn index(&self) -> Option<usize> {
        self.seat.as_ref().map(|seat| seat.index).or(self.host_index)
    }

    /// How to print the result.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// Which infinite runs count.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fair {
    /// All.
    None,
    /// Those in which every process that stays enabled moves (spin's -f).
    Weak,
    /// Those in which every process that is enabled again and again moves.
    Strong,
}

impl Fair {
    /// The assumption about the scheduler.
    pub fn fairness(self) -> Fairness {
        match self {
            Self::None => Fairness::None,
            Self::Weak => Fairness::Weak,
            Self::Strong => Fairness::Strong,
        }
    }
}

/// How to print a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// What is wrong, for code scanning (SARIF 2.1.0).
    Sarif,
    /// The counterexample in Apalache's trace format.
    Itf,
    /// The counterexample as a sequence diagram of Mermaid.
    Mermaid,
}

/// The engines of the library, by name.
fn engines() -> impl TypedValueParser<Value = &'static dyn Engine> {
    let values = ENGINES.iter().map(|e| PossibleValue::new(e.name()).help(e.about()));
    PossibleValuesParser::new(values)
        .try_map(|name| by_name(&name).ok_or_else(|| format!("there is no engine `{name}`")))
}

/// The methods of all engines, by name.
fn methods() -> impl TypedValueParser<Value = &'static str> {
    let mut known: Vec<MethodHelp> = Vec::new();
    for method in ENGINES.iter().flat_map(|engine| engine.methods()) {
        if known.iter().all(|other| other.name != method.name) {
            known.push(*method);
        }
    }
    let values = known.iter().map(|m| PossibleValue::new(m.name).help(m.about));
    PossibleValuesParser::new(values).try_map(move |name| {
        let found = known.iter().find(|method| method.name == name).map(|method| method.name);
        found.ok_or_else(|| format!("there is no method `{name}`"))
    })
}
