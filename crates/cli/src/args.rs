//! The definition of the command line; `--help` comes from here.

mod amounts;
mod contract;
#[cfg(test)]
mod tests;

pub use amounts::Threshold;
use amounts::{parse_size, parse_threads, parse_threshold};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
pub use contract::{Contract, ContractCommand, ContractInit, ContractVerify};
use std::path::PathBuf;

/// A model checker for Promela.
#[derive(Debug, Parser)]
#[command(
    name = "resy",
    version,
    about,
    propagate_version = true,
    after_help = "Example:
  resy check examples/lock.pml

`resy help COMMAND` says more about a command, with examples."
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verdict on every property of a Promela model.
    #[command(after_help = "Examples:
  resy check examples/peterson.pml
  resy check --property assertions --trail crossing.pml.trail examples/crossing.pml
writes the run that violates the assertion as a trail, which `spin -t` replays.

Exit status: 0 all properties hold, 1 one is violated, 2 the input or the call is wrong, 3 unknown.")]
    Check(Box<Check>),
    /// Synthesise the requirement of a module: what it must guarantee so that the rest is safe.
    #[command(after_help = "Examples:
  resy assume examples/lock.pml --module Server
  resy assume examples/lock.pml --module Server -o lock.svg
says, and draws, what the server has to keep to so that the clients are safe.

Exit status: 0 a requirement was found, 1 the property fails, 2 the input or the call is wrong, 3 interrupted
(a sound requirement was written all the same).")]
    Assume(Box<Assume>),
    /// Put the requirement in the module's place and hand the smaller model to spin.
    #[command(after_help = "Examples:
  resy spin examples/lock.pml --module Server
  resy spin examples/lock.pml --module Server --always -- -DCOLLAPSE
Everything behind `--` is for spin.")]
    Spin(Box<Spin>),
    /// The component automata of a model.
    #[command(after_help = "Examples:
  resy lts examples/peterson.pml
  resy lts examples/peterson.pml -o automata --format dot")]
    Lts(Lts),
    /// Check a certificate, or a changed module against the requirement in it.
    #[command(after_help = "Examples:
  resy recheck docs/examples/lock.cert
  resy recheck docs/examples/lock.cert docs/examples/hasty.pml
The second asks whether the changed client may take the place of the old one.")]
    Recheck(Recheck),
    /// Requirements of all processes, proved together, kept beside the model.
    #[command(after_help = "Examples:
  resy contract init examples/lock.pml
  resy contract verify examples/lock.pml")]
    Contract(Contract),
    /// Run a model: random, guided by a trail, or interactive.
    #[command(after_help = "Examples:
  resy simulate --seed 7 --steps 20 examples/alternating_bit.pml
  resy simulate --trail crossing.pml.trail examples/crossing.pml")]
    Simulate(Simulate),
    /// Print a model in canonical layout.
    #[command(after_help = "Examples:
  resy fmt examples/lock.pml
  resy fmt --write examples/lock.pml")]
    Fmt(Fmt),
    /// Print a completion script for a shell.
    #[command(after_help = "Example:
  resy completions bash")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "Example:
  resy man")]
    Man,
}

/// What all commands that read a model share.
#[derive(Clone, Debug, ClapArgs)]
pub struct Common {
    /// Define a macro, as in C.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Look for included files here too.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// When to use colours.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print no warnings.
    #[arg(short, long)]
    pub quiet: bool,
    /// Print more.
    #[arg(short, long)]
    pub verbose: bool,
    /// Show no progress (it is shown on a terminal only).
    #[arg(long)]
    pub no_progress: bool,
    /// How to show progress: `auto` is a line on a terminal and nothing elsewhere, `json` a JSON
    /// object on a line of its own, on standard error.
    #[arg(long, value_name = "FORMAT", default_value = "auto", conflicts_with = "no_progress")]
    pub progress: ProgressFormat,
}

/// How to show progress.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressFormat {
    /// On a terminal.
    Auto,
    /// For programs.
    Json,
}

/// When to use colours.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Choices about the semantics.
#[derive(Copy, Clone, Debug, ClapArgs)]
pub struct Semantics {
    /// A message sent to a full channel is lost (spin's -m).
    #[arg(long)]
    pub loss: bool,
    /// Channels must be empty in end states (spin's -q).
    #[arg(long)]
    pub empty_channels: bool,
}

/// What is to hold; all properties of the model, if nothing is said.
#[derive(Clone, Debug, ClapArgs)]
pub struct Properties {
    /// One property only: `assertions`, `end-states`, `runtime`, `trace`, `never`, or the name
    /// of an `ltl` block.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// A formula beside the properties of the model.
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,
    /// A file with a never or trace claim beside them.
    #[arg(long, value_name = "FILE")]
    pub claim: Option<PathBuf>,
}

/// Limits.
#[derive(Clone, Debug, ClapArgs)]
pub struct Resources {
    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// Stop when the process takes this much memory (`500M`, `2G`).
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<usize>,
}

/// `resy check`.
#[derive(Clone, Debug, ClapArgs)]
pub struct Check {
    /// The model; `-` for standard input.
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
    /// One thread searches alone up to this many states, before the others join in.
    #[arg(long, value_name = "N", default_value_t = 50_000, hide = true)]
    pub alone: usize,
    /// What is to hold.
    #[command(flatten)]
    pub properties: Properties,
    /// Leave out never claims and `ltl` formulas (spin's -noclaim).
    #[arg(long, conflicts_with_all = ["property", "ltl", "claim"])]
    pub no_claims: bool,
    /// How to search.
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub engine: Engine,
    /// The split for `requirement`: a proctype, or `NAME[pid]` for one process of it; several with
    /// commas. The process with the smallest interface if it is not given.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub module: Vec<String>,
    /// The search of `auto` is alone for so many milliseconds.
    #[arg(long, value_name = "MS", env = "RESY_HEAD_START", default_value_t = 50, hide = true)]
    pub head_start: u64,
    /// What `network` does, and whether `requirement` refines only: by default all at once, until one has decided.
    #[arg(long, value_name = "METHOD")]
    pub method: Option<NetworkMethod>,
    /// Search along paths instead of by distance. Needs less memory for wide models; the
    /// counterexample is not the shortest.
    #[arg(long, conflicts_with = "shortest")]
    pub dfs: bool,
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
    /// The violation of least depth: no reductions that change depth.
    #[arg(long)]
    pub shortest: bool,
    /// Show the counterexample as the engine has found it. By default it is made shorter, in about the time that
    /// it took to find it, and at most a second.
    #[arg(long)]
    pub as_found: bool,
    /// Write the counterexample as a spin trail.
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
    /// several workers have saved may go on with any number of threads and hosts.
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
    /// Save every so many seconds; also when the search stops.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub checkpoint_every: f64,
    /// Note three bits for a state, in a field of this size. It may miss states: without
    /// a violation the verdict is `unknown`, with an estimate of what was covered.
    #[arg(long, value_name = "SIZE", require_equals = true, value_parser = parse_size)]
    pub bitstate: Option<Option<usize>>,
    /// Note eight bytes for a state; as `--bitstate`, but hardly ever misses one.
    #[arg(long, conflicts_with = "bitstate")]
    pub hash_compact: bool,
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

/// How to search.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// What applies.
    Auto,
    /// All states of the whole system.
    Monolithic,
    /// An abstraction of the module's environment, refined until the property is decided.
    Requirement,
    /// An abstraction of every component, refined until the property is decided.
    Network,
}

/// What is done to a network of components.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum NetworkMethod {
    /// Abstract every component, and refine where a path to an error is not possible.
    Refinement,
    /// Compose components two by two, hide what nobody else sees, and reduce.
    Folding,
    /// Explore the product of all components, which are known by then. Nothing is abstracted.
    Product,
}

/// `resy assume`.
#[derive(Debug, ClapArgs)]
pub struct Assume {
    /// The model; `-` for standard input. A file `*.net` is a network of automata.
    pub file: PathBuf,
    /// The module: a proctype, or `NAME[pid]` for one process of it; several with commas. A network
    /// file may name its own.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub module: Vec<String>,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// What is to hold.
    #[command(flatten)]
    pub properties: Properties,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// How to find the requirement.
    #[arg(long, value_name = "METHOD", default_value = "refine")]
    pub method: Method,
    /// Merge further while the property is still proved.
    #[arg(long)]
    pub minimize: bool,
    /// Stop after this many refinements; the result is sound, perhaps larger.
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,
    /// Write one row for each refinement: step, classes, size of the requirement, seconds.
    #[arg(long, value_name = "FILE")]
    pub trace_csv: Option<PathBuf>,
    /// Write the requirement, by extension: `.pml .aut .fsp .dot .svg .html .json`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the certificate of a `holds`, which `resy recheck` checks.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Show the counterexample as it was found. By default it is made shorter, in about the time that it took to
    /// find it, and at most a second.
    #[arg(long)]
    pub as_found: bool,
    /// Give up when a component has more local states than this.
    #[arg(long, value_name = "STATES", default_value_t = crate::model::BUDGET)]
    pub budget: usize,
    /// Limits; a sound requirement is written all the same.
    #[command(flatten)]
    pub resources: Resources,
}

/// `resy spin`.
#[derive(Debug, ClapArgs)]
pub struct Spin {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// The module: a proctype, or `NAME[pid]` for one process of it; several with commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub module: Vec<String>,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// What is to hold.
    #[command(flatten)]
    pub properties: Properties,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// Hand over as soon as the requirement has at most so many states: a number, or a share of the
    /// module's.
    #[arg(long, value_name = "SIZE", default_value = "10%", value_parser = parse_threshold)]
    pub threshold: Threshold,
    /// Hand over also if the property was decided on the way.
    #[arg(long)]
    pub always: bool,
    /// Leave the generated model, and say where it is.
    #[arg(long)]
    pub keep: bool,
    /// Write the counterexample as a spin trail of the model as it is.
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Show the counterexample as it was found. By default it is made shorter, in about the time that it took to
    /// find it, and at most a second.
    #[arg(long)]
    pub as_found: bool,
    /// Give up when a component has more local states than this.
    #[arg(long, value_name = "STATES", default_value_t = crate::model::BUDGET, hide = true)]
    pub budget: usize,
    /// Limits; the verdict is `unknown` then.
    #[command(flatten)]
    pub resources: Resources,
    /// Flags for spin's verifier (`-w26`), for its compilation (`-DCOLLAPSE`, `-O3`) and for spin
    /// itself (`-o3`).
    #[arg(last = true, value_name = "FLAGS", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// How a requirement is found.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// An abstraction of the environment, refined step by step.
    Refine,
    /// Two traversals of all contexts.
    Exact,
}

/// `resy lts`.
#[derive(Debug, ClapArgs)]
pub struct Lts {
    /// The model; `-` for standard input. A file `*.net` is a network of automata.
    pub file: PathBuf,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// One JSON object on standard output, nothing else.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write the automata into this folder, a file each.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// How to write the automata.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Automata>,
    /// The name of the internal action in `.aut` files; `i` if it is not given.
    #[arg(long, value_name = "NAME")]
    pub tau: Option<String>,
    /// What the monitor watches.
    #[command(flatten)]
    pub properties: Properties,
    /// Reduce every component up to an equivalence.
    #[arg(long, value_name = "EQUIVALENCE")]
    pub reduce: Option<Equivalence>,
    /// Processes die also where nobody can tell, so that the product is the state graph of
    /// the model exactly.
    #[arg(long)]
    pub strict: bool,
    /// Give up when a component has more local states than this.
    #[arg(long, value_name = "STATES", default_value_t = 100_000)]
    pub budget: usize,
    /// Limits.
    #[command(flatten)]
    pub resources: Resources,
}

/// Up to what components are reduced.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Equivalence {
    /// Strong bisimulation.
    Strong,
    /// Branching bisimulation: internal steps that change nothing are left out.
    Branching,
}

/// The formats of automata.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Automata {
    /// Aldebaran, as CADP and mCRL2 read it.
    Aut,
    /// Pictures for graphviz.
    Dot,
    /// Finite state processes, as LTSA reads them.
    Fsp,
}

/// `resy recheck`.
#[derive(Debug, ClapArgs)]
pub struct Recheck {
    /// The certificate; `-` for standard input.
    pub certificate: PathBuf,
    /// The model with a changed module: may it take the place of the module in the certificate?
    pub changed: Option<PathBuf>,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
}

/// `resy simulate`.
#[derive(Debug, ClapArgs)]
pub struct Simulate {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// Seed of the random choices; printed if it is not given.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Stop after this many steps.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub steps: u64,
    /// Choose every step yourself; with `--trail`, walk along it forwards and back.
    #[arg(short, long, conflicts_with = "seed")]
    pub interactive: bool,
    /// Follow a spin trail: step by step on a terminal, otherwise as a list.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub trail: Option<PathBuf>,
}

/// `resy fmt`.
#[derive(Debug, ClapArgs)]
pub struct Fmt {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// Write the result back to the file.
    #[arg(short, long)]
    pub write: bool,
    /// Exit with 1 if the file is not in canonical layout, print nothing.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
}
