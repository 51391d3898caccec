//! The definition of the command line; `--help` comes from here.

mod abstracted;
mod amounts;
mod check;
mod contract;
mod names;
mod synthesis;
#[cfg(test)]
mod tests;

pub use abstracted::Abstract;
use amounts::parse_size;
pub use check::{Check, Format};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
pub use contract::{Contract, ContractCommand, ContractInit, ContractVerify};
pub use names::whole_names;
use std::path::{Path, PathBuf};
pub use synthesis::{Assume, Spin};

/// The version, with the commit, the target and the profile of the build.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("RESY_COMMIT"),
    ", ",
    env!("RESY_TARGET"),
    ", ",
    env!("RESY_PROFILE"),
    "; features: compiled steps, hosts)"
);

/// A model checker for Promela.
#[derive(Debug, Parser)]
#[command(
    name = "resy",
    version = VERSION,
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
  resy simulate --trail crossing.pml.trail examples/crossing.pml
  resy simulate -i --composite TABLE docs/examples/table.lts")]
    Simulate(Simulate),
    /// Print a model in canonical layout.
    #[command(after_help = "Examples:
  resy fmt examples/lock.pml
  resy fmt --write examples/lock.pml")]
    Fmt(Fmt),
    /// Verdict on a program with unbounded data, by predicate abstraction.
    #[command(after_help = "Examples:
  resy abstract docs/examples/bakery.pml --without end-states
  resy abstract docs/examples/bakery.pml --property mutex --json
The variables that annotations or --unbounded name are integers without bounds, which is not what spin runs.

Exit status: 0 all properties hold, 1 one is violated, 2 the input or the call is wrong, 3 unknown.")]
    Abstract(Box<Abstract>),
    /// The language server, for editors: it talks to them on standard input and output.
    #[command(after_help = "Example:
  resy lsp
Editors start it; docs/editors.md says how to set them up.")]
    Lsp,
    /// The debug adapter, for editors: they walk along a counterexample, forwards and back.
    #[command(after_help = "Example:
  resy dap
Editors start it; docs/editors.md says how to set them up.")]
    Dap,
    /// A process of `check --on`, which starts it on another machine.
    #[command(
        hide = true,
        after_help = "Example:
  resy host
`resy check --on` starts it, by ssh; it is told by standard input what to search."
    )]
    Host {
        /// The address to listen at.
        #[arg(long, value_name = "ADDRESS")]
        listen: Option<std::net::IpAddr>,
    },
    /// Print a completion script for a shell.
    #[command(after_help = "Example:
  resy completions bash")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the tool, or of a command.
    #[command(after_help = "Examples:
  resy man
  resy man check")]
    Man {
        /// The command; every command if it is not given.
        command: Option<String>,
    },
}

impl Command {
    /// The name and the file of a command that is to print one JSON object.
    pub fn answers_in_json(&self) -> Option<(&'static str, &Path)> {
        let (json, command, file) = match self {
            Self::Check(check) => (check.format() == Format::Json, "check", &check.file),
            Self::Assume(assume) => (assume.json, "assume", &assume.file),
            Self::Abstract(call) => (call.json, "abstract", &call.file),
            Self::Spin(spin) => (spin.json, "spin", &spin.file),
            Self::Lts(lts) => (lts.json, "lts", &lts.file),
            Self::Recheck(recheck) => (recheck.json, "recheck", &recheck.certificate),
            Self::Contract(contract) => match &contract.command {
                ContractCommand::Init(init) => (init.json, "contract init", &init.file),
                ContractCommand::Verify(call) => (call.json, "contract verify", &call.file),
            },
            Self::Simulate(_)
            | Self::Fmt(_)
            | Self::Lsp
            | Self::Dap
            | Self::Host { .. }
            | Self::Completions { .. }
            | Self::Man { .. } => return None,
        };
        json.then_some((command, file))
    }
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
    /// Refuse to include files that are not below this folder, links resolved.
    #[arg(long, value_name = "DIR")]
    pub include_root: Option<PathBuf>,
    /// The composite, or the process, of a model in FSP; the last composite if it is not given.
    #[arg(long, value_name = "NAME")]
    pub composite: Option<String>,
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
    /// On a terminal, unless `NO_COLOR` is set.
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

impl Semantics {
    /// The choices, as the library knows them.
    pub fn options(self) -> resy::Options {
        resy::Options { loss: self.loss, empty_channels: self.empty_channels }
    }
}

/// What is to hold; all properties of the model, if nothing is said.
#[derive(Clone, Debug, ClapArgs)]
pub struct Properties {
    /// One property only: `assertions`, `end-states`, `runtime`, `trace`, `never`, `acceptance`,
    /// `progress`, or the name of an `ltl` block; in FSP `deadlock`, `errors`, or the name of a `property`,
    /// `progress` or `assert`. It is decided whatever becomes of the others.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Leave out a property; may be repeated. A property of the model that is not decided makes the total
    /// `unknown`, unless it is left out.
    #[arg(long, value_name = "NAME", conflicts_with = "property")]
    pub without: Vec<String>,
    /// For FSP: each `progress` and each `assert` too. By default a check is about `deadlock`, `errors` and each
    /// `property`, as in LTSA.
    #[arg(long, conflicts_with = "property")]
    pub all_properties: bool,
    /// A formula beside the properties of the model.
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Option<String>,
    /// A file with the automaton of a negated property beside them, in the HOA format. Its propositions are conditions
    /// of Promela, or names of macros of the model.
    #[arg(long, value_name = "FILE")]
    pub automaton: Option<PathBuf>,
    /// A file with a never or trace claim beside them.
    #[arg(long, value_name = "FILE")]
    pub claim: Option<PathBuf>,
    /// In place of the properties of the model: an automaton (`.aut`) of what is allowed, over the labels that `resy lts`
    /// prints. A label of its alphabet that it does not expect is a violation.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["property", "without", "all_properties", "ltl", "automaton", "claim"]
    )]
    pub spec: Option<PathBuf>,
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

/// `resy lts`.
#[derive(Debug, ClapArgs)]
pub struct Lts {
    /// The model; `-` for standard input. A file `*.net` is a network of automata, `*.lts` or `*.fsp` is FSP.
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
    /// Write the automata into this folder, a file each; all into one file if the name ends in `.svg`, `.dot` or `.fsp`.
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
    /// Pictures.
    Svg,
}

/// `resy recheck`.
#[derive(Debug, ClapArgs)]
pub struct Recheck {
    /// The certificate; `-` for standard input.
    pub certificate: PathBuf,
    /// The model with a changed module: may it take the place of the module in the certificate?
    pub changed: Option<PathBuf>,
    /// Of a certificate of `resy abstract`, ask this solver about the obligations instead of checking derivations: a
    /// command that reads SMT-LIB 2, such as `z3`.
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Shared options.
    #[command(flatten)]
    pub common: Common,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// Limits.
    #[command(flatten)]
    pub resources: Resources,
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
    /// Follow a spin trail: step by step on a terminal, otherwise as a list. For FSP and networks, a list of
    /// actions.
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    pub trail: Option<PathBuf>,
    /// Limits of a random run.
    #[command(flatten)]
    pub resources: Resources,
}

/// `resy fmt`.
#[derive(Debug, ClapArgs)]
pub struct Fmt {
    /// The model; `-` for standard input.
    pub file: PathBuf,
    /// Write the result back to the file.
    #[arg(short, long)]
    pub write: bool,
    /// Refuse to include files that are not below this folder, links resolved.
    #[arg(long, value_name = "DIR")]
    pub include_root: Option<PathBuf>,
    /// Exit with 1 if the file is not in canonical layout, print nothing.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Limits.
    #[command(flatten)]
    pub resources: Resources,
}
