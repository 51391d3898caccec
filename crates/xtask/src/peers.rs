//! The papers' tables on learned and abstracted assumptions, with our numbers beside the published ones.
//!
//! The models are ours (`models/case_studies`, from `truth.tsv`), written from the published descriptions:
//! sizes of assumptions can be compared in kind, not in number, and times are of machines twenty years
//! apart. What can be compared exactly is one engine with another on the same model.

mod balanced;
mod case;
mod claims;
mod engine;
mod growth;
mod memory;
mod public;
mod published;
mod report;

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use case::{PeerCase, rows};
use engine::{ENGINES, measure};
use report::PeerReport;
use std::path::PathBuf;
use std::time::Duration;

/// The task `peers`; true if every engine that answered said what is true.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    let limit = Duration::from_secs(args.number("limit", 10)?);
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/peers.md"));
    let only = args.list("only");
    let folder = workspace_root().join("models/case_studies");
    let mut report = PeerReport { limit, ..PeerReport::default() };
    for row in rows(&folder)? {
        if !only.is_empty() && !only.iter().any(|name| row.file.contains(name.as_str())) {
            continue;
        }
        let case = PeerCase::load(&folder, &row)?;
        let results: Vec<_> = ENGINES.iter().map(|&engine| measure(engine, &case, limit)).collect();
        println!("{} {} {}: {}", row.file, row.size, row.property, report::line(&results));
        if !args.flag("quick")
            && let Some((case, e, m)) = balanced::balanced(&case)
        {
            let results = ENGINES.iter().map(|&engine| measure(engine, &case, limit)).collect();
            report.balanced.push((row.clone(), (e, m), results));
        }
        report.rows.push((row, results));
    }
    if !args.flag("quick") {
        report.growth = growth::measure_growth(&folder, limit)?;
    }
    if let Some(models) = args.path("models") {
        report.public = public::measure_public(&models, limit)?;
    }
    let is_right = report.is_right();
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&out, report.markdown())?;
    if !report.growth.is_empty() {
        std::fs::write(out.with_extension("svg"), growth::plot(&report.growth))?;
    }
    println!("written: {}", out.display());
    Ok(is_right)
}
