//! The resy command line.
//!
//! Files, arguments, output and exit codes; what is computed is in the libraries.

#[macro_use]
mod print;

mod abstracted;
mod args;
mod assume;
mod check;
mod contract;
mod control;
mod editor;
mod fmt;
mod interrupt;
mod load;
mod lts;
mod manual;
mod outputs;
mod paint;
mod pieces;
mod progress;
mod random;
mod recheck;
mod simulate;
mod spin;
mod stroll;
mod tell;
mod texts;
mod together;
mod walk;

use clap::Parser;
use resy::quote_lines;
use resy_export::results::Remark;
use resy_export::run::Level;
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
    /// A host was lost: what a process tells the one that has started it, and nobody else.
    HostLost = 75,
}

impl Exit {
    /// The verdict, in a word.
    fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::BadInput => "error",
            Self::Unknown | Self::HostLost => "unknown",
        }
    }
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
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(error) => return misuse(&error),
    };
    let worker = std::thread::Builder::new().stack_size(resy::STACK).spawn(move || run(&args));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => ExitCode::from(end(exit) as u8),
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            eprintln!("resy: cannot start: {error}");
            ExitCode::from(Exit::Unknown as u8)
        }
    }
}

/// Says what is wrong with the call, or prints the help that it asks for.
fn misuse(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    match quote_lines(&text) == text {
        // With colours; if nobody reads it, there is nobody to tell.
        true => _ = error.print(),
        false => eprint!("{text}"),
    }
    let is_json = |arg: &std::ffi::OsString| arg == "--json";
    if error.use_stderr() && std::env::args_os().any(|arg| is_json(&arg)) {
        let command = std::env::args().nth(1).unwrap_or_default();
        tell::record(vec![Remark::new(Level::Error, text.trim_end())]);
        tell::no_answer(&command, None, Exit::BadInput);
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::BadInput as u8))
}

/// How the program ends. A result that cannot be printed, because the disk is full, is told instead.
fn end(exit: Exit) -> Exit {
    print::flush();
    if !print::is_lost() {
        return exit;
    }
    eprintln!("resy: the result: {}", exit.word());
    Exit::BadInput
}

fn run(args: &args::Args) -> Exit {
    let exit = decide(args);
    if let Some((command, file)) = args.command.answers_in_json() {
        tell::no_answer(command, Some(&file.to_string_lossy()), exit);
    }
    exit
}

fn decide(args: &args::Args) -> Exit {
    match &args.command {
        args::Command::Check(check) if !check.on.is_empty() => together::run(check),
        args::Command::Check(check) => check::run(check),
        args::Command::Host { listen } => together::serve(*listen),
        args::Command::Assume(assume) => assume::run(assume),
        args::Command::Abstract(call) => abstracted::run(call),
        args::Command::Spin(spin) => spin::run(spin),
        args::Command::Lts(lts) => lts::run(lts),
        args::Command::Recheck(recheck) => recheck::run(recheck),
        args::Command::Contract(contract) => contract::run(contract),
        args::Command::Simulate(simulate) => simulate::run(simulate),
        args::Command::Fmt(fmt) => fmt::run(fmt),
        args::Command::Lsp => editor::serve(),
        args::Command::Dap => editor::debug(),
        args::Command::Completions { shell } => manual::completions(*shell),
        args::Command::Man { command } => manual::page(command.as_deref()),
    }
}
