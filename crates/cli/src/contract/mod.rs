//! `resy contract`: requirements of all processes, proved together, kept beside the model.

mod init;
mod subject;
mod verify;

use crate::Exit;
use crate::args::{Contract, ContractCommand};
use crate::limits::Limits;
use std::path::{Path, PathBuf};

/// The requirements together may have so many states.
const MAX_JOINT: usize = 20_000_000;

/// Runs the command.
pub fn run(contract: &Contract) -> Exit {
    let exit = match &contract.command {
        ContractCommand::Init(init) => init::answer(init),
        ContractCommand::Verify(verify) => verify::answer(verify),
    };
    match exit {
        Ok(exit) | Err(exit) => exit,
    }
}

/// Where the contract of a model is, if nothing else is said.
fn path(model: &Path, given: Option<&Path>, option: &str) -> Result<PathBuf, Exit> {
    match given {
        Some(path) => Ok(path.to_owned()),
        None if model == Path::new("-") => {
            Err(bad_input(format!("a model from standard input needs {option} FILE")))
        }
        None => Ok(model.with_extension("contract")),
    }
}

/// Whether a proof that has so many states may go on.
fn is_in_time(n_states: usize, limits: &Limits) -> bool {
    limits.meter().inspect(|meter| meter.product(n_states));
    limits.exceeded().is_none()
}

fn bad_input(message: String) -> Exit {
    eprintln!("resy: {message}");
    Exit::BadInput
}
