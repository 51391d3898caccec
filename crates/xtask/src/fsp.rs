//! FSP: the laws on many generated files, and the comparison with LTSA.
//!
//! Generators and naive twins of the laws belong to the tests of the crate `fsp`, which try a few hundred files;
//! here they try as many as are asked for. LTSA and its models are not part of this repository: `--models` names
//! a folder with public models and a table of LTSA's answers, `--ltsa` one with `ltsa.jar` and `ltl2buchi.jar`.

mod answers;
mod ltsa;
mod rows;

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use resy_testkit::composites::fsp_file;
use rows::{Comparison, LtsaRow};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The laws, by the names of their tests.
const LAWS: [&str; 2] =
    ["random::components_are_the_composite", "read_back::what_is_written_is_read_back"];

/// The test that compares sizes where `minimal` is applied, which the command does not do.
const MINIMAL: &str = "ltsa::the_public_models_have_the_verdicts_and_sizes_that_ltsa_gives";

/// The table of LTSA's answers in the folder of public models.
const TABLE: &str = "verdicts-dev.tsv";

/// Runs the laws and the comparisons that are asked for.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let count: u32 = args.number("count", 5_000)?;
    let mut report = String::new();
    let mut is_agreement = true;
    for law in LAWS {
        let holds = test(law, &[("RESY_CASES", &count.to_string())])?;
        let _ = writeln!(report, "- `{law}`: {count} files, {}", outcome(holds));
        is_agreement &= holds;
    }
    let jars = args.path("ltsa");
    if let Some(folder) = args.path("models") {
        is_agreement &= public(args, &folder, jars.as_deref(), &mut report)?;
    }
    if let Some(jars) = &jars {
        is_agreement &= generated(args, jars, &mut report)?;
    }
    print!("{report}");
    if let Some(file) = args.path("out") {
        std::fs::write(file, report)?;
    }
    Ok(is_agreement)
}

fn outcome(is_equal: bool) -> &'static str {
    if is_equal { "equal" } else { "different" }
}

/// Whether a test of the crate `fsp` passes.
fn test(name: &str, environment: &[(&str, &str)]) -> Result<bool, TaskFailure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(workspace_root())
        .args(["test", "--quiet", "-p", "resy-fsp", "--test", "it", "--", "--exact", name])
        .envs(environment.iter().copied())
        .stdout(std::process::Stdio::null())
        .status()?;
    Ok(status.success())
}

/// The public models: each row of the table through the command, with progress properties if LTSA is at hand.
fn public(
    args: &TaskArgs,
    folder: &Path,
    jars: Option<&Path>,
    report: &mut String,
) -> Result<bool, TaskFailure> {
    let folder = folder.canonicalize()?;
    let table = std::fs::read_to_string(folder.join(TABLE))?;
    let mut rows: Vec<LtsaRow> = table.lines().filter_map(LtsaRow::parse).collect();
    if let Some(jars) = jars {
        let asked: Vec<LtsaRow> = rows.iter().filter(|row| row.sizes.is_some()).cloned().collect();
        let limit = args.number("limit", 20)?;
        let answered = ltsa::ask(jars, &folder, &asked, limit)?;
        rows.iter_mut().for_each(|row| row.take_progress(&answered));
    }
    let comparison = rows::compare(&args.resy(), &folder, &rows, args.number("jobs", 2)?)?;
    let _ = write!(report, "\n## Public models\n\n{}", comparison.report());
    let in_crate = test(MINIMAL, &[("RESY_FSP_MODELS", &folder.display().to_string())])?;
    let _ = writeln!(
        report,
        "- all rows inside the crate, with `minimal` applied as in LTSA, sizes of all `ok` rows: {}",
        outcome(in_crate)
    );
    Ok(comparison.is_agreement() && in_crate)
}

/// Generated files: the command against LTSA.
fn generated(args: &TaskArgs, jars: &Path, report: &mut String) -> Result<bool, TaskFailure> {
    let (from, count): (u64, u64) = (args.number("seed", 0)?, args.number("runs", 1_000)?);
    let folder = workspace_root().join("target/fsp");
    std::fs::create_dir_all(&folder)?;
    let mut asked = Vec::new();
    for seed in from..from + count {
        let file = format!("{seed}.lts");
        std::fs::write(folder.join(&file), fsp_file(seed))?;
        asked.push(LtsaRow::question(file, "TOP".to_owned()));
    }
    let answered = ltsa::ask(jars, &folder, &asked, args.number("limit", 20)?)?;
    let comparison: Comparison =
        rows::compare(&args.resy(), &folder, &answered, args.number("jobs", 2)?)?;
    let _ = write!(
        report,
        "\n## Generated files\n\nSeeds {from} to {}, composite `TOP`, LTSA's jar against the command.\n\n{}",
        from + count - 1,
        comparison.report()
    );
    Ok(comparison.is_agreement())
}
