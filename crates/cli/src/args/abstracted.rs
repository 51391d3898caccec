//! `resy abstract`: programs with unbounded data.

use super::check::Fair;
use super::{Common, Properties, Resources, Semantics};
use clap::{Args as ClapArgs, ValueEnum};
use resy::SuccessorMethod;
use std::path::PathBuf;

/// `resy abstract`.
#[derive(Clone, Debug, ClapArgs)]
pub struct Abstract {
    /// The model, with annotations such as `/*@ unbounded x */`; `-` for standard input.
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
    /// Limits; the verdict is `unknown` then.
    #[command(flatten)]
    pub resources: Resources,
    /// What is to hold.
    #[command(flatten)]
    pub properties: Properties,
    /// Variables that are unbounded, beside those that annotations name; `a[]` is an array whose index is
    /// unbounded, too.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub unbounded: Vec<String>,
    /// A condition on global variables that are parameters: any initial values that satisfy it. May be repeated.
    #[arg(long, value_name = "CONDITION")]
    pub parameter: Vec<String>,
    /// A file with predicates to begin with, one on a line.
    #[arg(long, value_name = "FILE")]
    pub predicates: Option<PathBuf>,
    /// Use the given predicates only, and find no others.
    #[arg(long)]
    pub fixed_basis: bool,
    /// The decision procedure: `embedded`, or a command that reads SMT-LIB 2, such as `z3`.
    #[arg(long, value_name = "NAME", default_value = "embedded")]
    pub solver: String,
    /// How abstract successors are computed.
    #[arg(long, value_name = "METHOD", default_value = "demand")]
    pub method: AbstractMethod,
    /// Write the abstraction: as Promela (`.pml`), as a network (`.net`), as a graph with predicates in its states
    /// (`.svg`, `.html`, `.dot`, `.aut`); or the program as Horn clauses for other solvers (`.smt2`).
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the certificate of each `holds`, which `resy recheck` checks.
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write a report: one HTML page with the verdicts, the predicates, and the runs.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Which infinite runs count for properties of infinite runs, by what the scheduler does for each process.
    #[arg(long, value_name = "FAIRNESS", default_value = "none")]
    pub fair: Fair,
}

/// How abstract successors are computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbstractMethod {
    /// Exactly, when they are needed.
    Demand,
    /// By test points, as Colon and Uribe did in 1998; coarser, for comparison.
    Points,
}

impl From<AbstractMethod> for SuccessorMethod {
    fn from(method: AbstractMethod) -> Self {
        match method {
            AbstractMethod::Demand => Self::Demand,
            AbstractMethod::Points => Self::Points,
        }
    }
}
