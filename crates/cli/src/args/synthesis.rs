//! `resy assume` and `resy spin`: the requirement of a module, and what becomes of it.

use super::amounts::parse_threshold;
use super::check::Fair;
use super::{Common, Properties, Resources, Semantics};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ValueEnum};
use resy::assume::Synthesis;
use resy::{AlphabetChoice, AlphabetStart};
use resy_export::spin::Threshold;
use std::path::PathBuf;

/// `resy assume`.
#[derive(Debug, ClapArgs)]
pub struct Assume {
    /// The model; `-` for standard input. A file `*.net` is a network of automata, `*.lts` or
    /// `*.fsp` is FSP.
    pub file: PathBuf,
    /// The module: a proctype, or `NAME[pid]` for one process of it; several with commas. A network
    /// file may name its own. In FSP a part (`red:CONVOY`, `phil.0:PHILOSOPHER`), or a process with all its copies.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub module: Vec<String>,
    /// A requirement of every process, one after the other.
    #[arg(long, conflicts_with_all = ["module", "output", "certificate", "trace_csv"])]
    pub all: bool,
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
    /// How to find the requirement; the default is `auto`, or `refine` if steps are counted or
    /// recorded.
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    pub method: Option<Synthesis>,
    /// The requirement of the definition: by all contexts if they are few, by two foldings, or among the
    /// states that can occur. By default states are merged while the property is proved.
    #[arg(long, conflicts_with_all = ["minimize", "steps"])]
    pub canonical: bool,
    /// With `learn` and `agar`: which actions of the interface the assumption is about; the default is `backward`.
    #[arg(long, value_name = "CHOICE", value_parser = alphabets())]
    pub alphabet: Option<AlphabetChoice>,
    /// With `learn` and `agar`: the alphabet with which the heuristics begin.
    #[arg(long, value_name = "START")]
    pub alphabet_start: Option<Start>,
    /// With `refine` and `exact`: merge further while the property is still proved.
    #[arg(long)]
    pub minimize: bool,
    /// With `refine`: stop after this many refinements; the result is sound, perhaps larger.
    #[arg(long, value_name = "N")]
    pub steps: Option<usize>,
    /// With `refine`: write one row for each refinement: step, classes, size of the requirement, seconds.
    #[arg(long, value_name = "FILE")]
    pub trace_csv: Option<PathBuf>,
    /// Write the requirement, by extension: `.pml .aut .fsp .dot .svg .html .json`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the certificate of a `holds`, which `resy recheck` checks.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Show the counterexample as it was found. By default the first shortest one is shown.
    #[arg(long)]
    pub as_found: bool,
    /// Give up when a component has more local states than this.
    #[arg(long, value_name = "STATES", default_value_t = resy::MAX_LOCAL_STATES)]
    pub budget: usize,
    /// Limits; a sound requirement is written all the same.
    #[command(flatten)]
    pub resources: Resources,
}

impl Assume {
    /// The method: the one that was named, or the one whose steps are counted or recorded.
    pub fn synthesis(&self) -> Synthesis {
        let by_steps = self.steps.is_some() || self.trace_csv.is_some();
        self.method.unwrap_or(if by_steps { Synthesis::Refine } else { Synthesis::Auto })
    }
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
    /// Which infinite runs count for properties of infinite runs, by what the scheduler does for each process.
    #[arg(long, value_name = "FAIRNESS", default_value = "none")]
    pub fair: Fair,
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
    /// Show the counterexample as it was found. By default the first shortest one is shown.
    #[arg(long)]
    pub as_found: bool,
    /// Give up when a component has more local states than this.
    #[arg(long, value_name = "STATES", default_value_t = resy::MAX_LOCAL_STATES, hide = true)]
    pub budget: usize,
    /// Limits; the verdict is `unknown` then.
    #[command(flatten)]
    pub resources: Resources,
    /// Flags for spin's verifier (`-w26`), for its compilation (`-DCOLLAPSE`, `-O3`) and for spin
    /// itself (`-o3`).
    #[arg(last = true, value_name = "FLAGS", allow_hyphen_values = true)]
    pub flags: Vec<String>,
}

/// The alphabet with which heuristics begin.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum Start {
    /// What the property watches of the interface.
    Property,
    /// Nothing.
    Empty,
}

impl From<Start> for AlphabetStart {
    fn from(start: Start) -> Self {
        match start {
            Start::Property => Self::Property,
            Start::Empty => Self::Empty,
        }
    }
}

/// The ways of the library to find the alphabet of an assumption, by name.
fn alphabets() -> impl TypedValueParser<Value = AlphabetChoice> {
    let values = AlphabetChoice::ALL.iter().map(|a| PossibleValue::new(a.name()).help(a.about()));
    PossibleValuesParser::new(values)
        .try_map(|name| AlphabetChoice::by_name(&name).ok_or_else(|| format!("no `{name}`")))
}

/// The ways of the library to find a requirement, by name.
fn methods() -> impl TypedValueParser<Value = Synthesis> {
    let values = Synthesis::ALL.iter().map(|m| PossibleValue::new(m.name()).help(m.about()));
    PossibleValuesParser::new(values)
        .try_map(|name| Synthesis::by_name(&name).ok_or_else(|| format!("no method `{name}`")))
}
