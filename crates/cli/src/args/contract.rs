//! `resy contract`.

use super::{Common, Resources, Semantics};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `resy contract`.
#[derive(Debug, Args)]
pub struct Contract {
    /// What to do.
    #[command(subcommand)]
    pub command: ContractCommand,
}

/// What is done with a contract.
#[derive(Debug, Subcommand)]
pub enum ContractCommand {
    /// Find a requirement for each process, which together prove the property, and keep them beside the model.
    #[command(after_help = "Example:
  resy contract init docs/examples/lock.pml -o /tmp/lock.contract
writes what Client and Rival have to keep to, so that the assertion holds.")]
    Init(ContractInit),
    /// Check the processes of a changed model against the contract, each alone.
    #[command(after_help = "Example:
  resy contract verify docs/examples/hasty.pml --contract docs/examples/lock.contract
names the process that breaks its contract, the action, and a run of that process alone.

Exit status: 0 all contracts are kept, 1 one is broken or something else has changed, 2 the call
or the contract is wrong, 3 unknown.")]
    Verify(ContractVerify),
}

/// `resy contract init`.
#[derive(Debug, Args)]
pub struct ContractInit {
    /// The model; `-` for standard input. A file `*.net` is a network of automata, `*.lts` or
    /// `*.fsp` is FSP.
    pub file: PathBuf,
    /// Write the contract here (`-`: print it); beside the model, as `model.contract`, if it is not given.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a contract that is there already.
    #[arg(long)]
    pub force: bool,
    /// One property only: `assertions`, `runtime`, `trace`, `never`, or the name of an `ltl` block.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,
    /// Shared options; `-D` is noted in the contract.
    #[command(flatten)]
    pub common: Common,
    /// Choices about the semantics.
    #[command(flatten)]
    pub semantics: Semantics,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// Limits; no contract is written if there is no proof within them.
    #[command(flatten)]
    pub resources: Resources,
}

/// `resy contract verify`.
#[derive(Debug, Args)]
pub struct ContractVerify {
    /// The changed model; `-` for standard input. A file `*.net` is a network of automata, `*.lts` or
    /// `*.fsp` is FSP.
    pub file: PathBuf,
    /// The contract; beside the model, as `model.contract`, if it is not given.
    #[arg(long, value_name = "FILE")]
    pub contract: Option<PathBuf>,
    /// Accepted and without effect: every process is checked each time.
    #[arg(long)]
    pub all: bool,
    /// Shared options; `-D` beside those of the contract, or instead of one with the same name.
    #[command(flatten)]
    pub common: Common,
    /// One JSON object on standard output, nothing else.
    #[arg(long)]
    pub json: bool,
    /// Limits.
    #[command(flatten)]
    pub resources: Resources,
}
