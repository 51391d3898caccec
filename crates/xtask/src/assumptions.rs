//! The laws of learned and abstracted assumptions on many generated networks, against the product.
//!
//! The laws are tests of the crate `compose`, which try a few hundred networks; here they try as many as
//! are asked for.

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use std::process::Command;

/// The laws, by the names of their tests.
const LAWS: [&str; 9] = [
    "learn::every_learner_decides_like_the_product",
    "alphabet::every_alphabet_decides_like_the_product",
    "alphabet::the_minimal_alphabet_is_smallest",
    "weakest::the_weakest_assumption_has_exactly_the_good_words",
    "agar::every_abstraction_decides_like_the_product",
    "agar::a_merged_image_is_certified_and_no_larger",
    "agar::the_needed_alphabet_is_enough",
    "compact::a_compact_assumption_decides_like_the_product",
    "levels::every_level_decides_like_the_product",
];

/// Runs the laws.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let count: u32 = args.number("count", 20_000)?;
    let mut all_hold = true;
    for law in LAWS {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .current_dir(workspace_root())
            .args(["test", "--quiet", "-p", "resy-compose", "--test", "it", "--", "--exact", law])
            .env("RESY_CASES", count.to_string())
            .status()?;
        println!("{law}: {count} networks, {}", if status.success() { "holds" } else { "fails" });
        all_hold &= status.success();
    }
    Ok(all_hold)
}
