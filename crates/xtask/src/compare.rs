//! Compares both tools on model files: a table, a summary and, on request, CSV.

mod row;

use crate::args::{TaskArgs, TaskFailure};
use crate::models;
use crate::parallel::{self, LoopControl, lock};
use resy_testkit::compare::{Discard, discard_of_spin};
use resy_testkit::resy::Resy;
use resy_testkit::spin::{SpinOptions, SpinOutcome, run_file, spin_version};
use row::{ComparisonClass, ComparisonRow};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// The task `compare`; true if no model differs.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let files = models::find(args.positional())?;
    if files.is_empty() {
        return Err(TaskFailure::new("no models below the given paths"));
    }
    let limit = Duration::from_secs(args.number("timeout", 20)?);
    let resy = Resy::new(&args.resy(), limit)?;
    let spin = SpinOptions { time_limit: limit, ..SpinOptions::default() };
    println!("{}, {} models", spin_version()?, files.len());
    println!("{}", row::HEADING);
    let rows = Mutex::new(Vec::new());
    parallel::for_each(&files, args.number("jobs", 2)?, |file| {
        let row = compare_file(file, &spin, &resy)?;
        println!("{row}");
        lock(&rows).push(row);
        Ok::<LoopControl, TaskFailure>(LoopControl::Continue)
    })?;
    let mut rows = rows.into_inner().unwrap_or_else(|e| e.into_inner());
    rows.sort_by(|a, b| a.file.cmp(&b.file));
    print_summary(&rows);
    if let Some(csv) = args.path("csv") {
        write_csv(&csv, &rows)?;
    }
    Ok(rows.iter().all(|row| row.class() != ComparisonClass::Differs))
}

fn compare_file(
    file: &Path,
    spin: &SpinOptions,
    resy: &Resy,
) -> Result<ComparisonRow, TaskFailure> {
    let file: PathBuf = file.to_owned();
    if models::has_embedded_c(&file) {
        return Ok(ComparisonRow { file, outcomes: None });
    }
    let outcomes = (run_spin(&file, spin)?, resy.run_file(&file)?);
    Ok(ComparisonRow { file, outcomes: Some(outcomes) })
}

/// Most models are small: for them an unoptimised compilation and small hash tables take milliseconds
/// where the full run takes a second.
fn run_spin(file: &Path, full: &SpinOptions) -> Result<SpinOutcome, TaskFailure> {
    let quick = SpinOptions {
        time_limit: Duration::from_secs(2).min(full.time_limit),
        ..SpinOptions::for_small_programs()
    };
    let outcome = run_file(file, &quick)?;
    match discard_of_spin(&outcome) {
        Some(Discard::TooLarge(_) | Discard::NotCompiled | Discard::SpinCrashed) => {
            Ok(run_file(file, full)?)
        }
        _ => Ok(outcome),
    }
}

fn print_summary(rows: &[ComparisonRow]) {
    let mut classes: BTreeMap<ComparisonClass, usize> = BTreeMap::new();
    for row in rows {
        *classes.entry(row.class()).or_default() += 1;
    }
    println!("\n{} models", rows.len());
    for (class, count) in &classes {
        println!("  {count:>6}  {class}");
    }
    for row in rows.iter().filter(|row| row.class() == ComparisonClass::Differs) {
        println!("\ndiffers: {}\n{}", row.file.display(), row.details());
    }
}

fn write_csv(path: &Path, rows: &[ComparisonRow]) -> Result<(), TaskFailure> {
    let lines: Vec<String> = rows.iter().map(ComparisonRow::csv).collect();
    std::fs::write(path, format!("{}\n{}\n", row::CSV_HEADING, lines.join("\n")))?;
    Ok(())
}
