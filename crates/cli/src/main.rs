//! The resy command line.
//!
//! Files, arguments, output and exit codes; what is computed is in the libraries.

#[macro_use]
mod print;

mod args;
mod assume;
mod certified;
mod check;
mod compositional;
mod confirm;
mod contract;
mod decide;
mod fmt;
mod follow;
mod forbidden;
mod interrupt;
mod limits;
mod load;
mod long;
mod lts;
mod manual;
mod memory;
mod model;
mod network_file;
mod network_page;
mod output;
mod page;
mod problem;
mod program;
mod progress;
mod properties;
mod pursue;
mod race;
mod random;
mod recheck;
mod requirement;
mod shorten;
mod show;
mod simulate;
mod spin;
mod spin_report;
mod split;
mod stroll;
mod team;
mod trace;
mod turns;
mod unreached;

use clap::Parser;
use std::process::ExitCode;

/// The front end descends into the program's nesting, which is limited; this is
/// room for the deepest.
const STACK: usize = 256 << 20;

/// How a command ends; the numbers are the exit codes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything holds, or the command did its work.
    Holds = 0,
    /// A property is violated.
    Fails = 1,
    /// The input or the call is wrong.
    BadInput = 2,
    /// A limit, an interrupt, or a feature out of reach.
    Unknown = 3,
}

impl From<properties::Verdict> for Exit {
    fn from(verdict: properties::Verdict) -> Self {
        match verdict {
            properties::Verdict::Holds => Self::Holds,
            properties::Verdict::Fails => Self::Fails,
            properties::Verdict::Unknown => Self::Unknown,
        }
    }
}

fn main() -> ExitCode {
    let args = args::Args::parse();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&args));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => {
            print::flush();
            ExitCode::from(exit as u8)
        }
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("resy: cannot start: {error}");
            ExitCode::from(Exit::Unknown as u8)
        }
    }
}

fn run(args: &args::Args) -> Exit {
    match &args.command {
        args::Command::Check(check) if network_file::is_one(&check.file) => {
            network_file::check(check)
        }
        args::Command::Check(check) => check::run(check),
        args::Command::Assume(assume) => assume::run(assume),
        args::Command::Spin(spin) => spin::run(spin),
        args::Command::Lts(lts) => lts::run(lts),
        args::Command::Recheck(recheck) => recheck::run(recheck),
        args::Command::Contract(contract) => contract::run(contract),
        args::Command::Simulate(simulate) => simulate::run(simulate),
        args::Command::Fmt(fmt) => fmt::run(fmt),
        args::Command::Completions { shell } => manual::completions(*shell),
        args::Command::Man => manual::page(),
    }
}
