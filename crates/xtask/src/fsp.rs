//! The laws of FSP on many generated files: the components of a composite are the composite, and what
//! is written is read back.
//!
//! Generators and naive twins belong to the tests of the crate `fsp`, which try a few hundred files; here
//! they try as many as are asked for.

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use std::process::Command;

/// The laws, by the names of their tests.
const LAWS: [&str; 2] =
    ["random::components_are_the_composite", "read_back::what_is_written_is_read_back"];

/// Runs the laws.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let count: u32 = args.number("count", 5_000)?;
    let mut all_hold = true;
    for law in LAWS {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .current_dir(workspace_root())
            .args(["test", "--quiet", "-p", "resy-fsp", "--test", "it", "--", "--exact", law])
            .env("RESY_CASES", count.to_string())
            .status()?;
        println!("{law}: {count} files, {}", if status.success() { "equal" } else { "different" });
        all_hold &= status.success();
    }
    Ok(all_hold)
}
