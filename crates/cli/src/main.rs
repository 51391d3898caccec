//! The resy command line.
//!
//! Files, arguments, output and exit codes; what is computed is in the libraries.

#[macro_use]
mod print;

mod args;
mod assume;
mod check;
mod contract;
mod control;
mod fmt;
mod interrupt;
mod load;
mod lts;
mod manual;
mod outputs;
mod progress;
mod random;
mod recheck;
mod simulate;
mod spin;
mod stroll;

use clap::Parser;
use std::process::ExitCode;

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

impl From<resy::Truth> for Exit {
    fn from(truth: resy::Truth) -> Self {
        match truth {
            resy::Truth::Holds => Self::Holds,
            resy::Truth::Fails => Self::Fails,
            resy::Truth::Unknown => Self::Unknown,
        }
    }
}

fn main() -> ExitCode {
    let args = args::Args::parse();
    let worker = std::thread::Builder::new().stack_size(resy::STACK).spawn(move || run(&args));
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
