//! The papers' tables on learned and abstracted assumptions, with our numbers beside the published ones.
//!
//! The models are ours (`models/case_studies`, from `truth.tsv`), written from the published descriptions:
//! sizes of assumptions can be compared in kind, not in number, and times are of machines twenty years
//! apart. What can be compared exactly is one engine with another on the same model.

mod balanced;
mod case;
mod child;
mod claims;
mod clock;
mod engine;
mod growth;
mod memory;
mod papers;
mod public;
mod published;
mod report;

use crate::args::{TaskArgs, TaskFailure};
use crate::tidy::workspace_root;
use case::rows;
use child::Children;
use report::PeerReport;
use std::path::PathBuf;
use std::time::Duration;

/// The task `peers`; true if every engine that answered said what is true.
pub fn run(args: &TaskArgs) -> Result<bool, TaskFailure> {
    if let Some((task, words)) = args.positional().split_first()
        && task == "one"
    {
        return child::one(words);
    }
    let limit = Duration::from_secs(args.number("limit", 10)?);
    let out = args.path("out").unwrap_or_else(|| PathBuf::from("target/peers.md"));
    let only = args.list("only");
    let folder = workspace_root().join("models/case_studies");
    let mut children = Children::new(limit, args);
    let mut report = PeerReport { limit, ..PeerReport::default() };
    for row in rows(&folder)? {
        if !only.is_empty() && !only.iter().any(|name| row.name().contains(name.as_str())) {
            continue;
        }
        let results = children.all(&row)?;
        println!("{} {} {}: {}", row.name(), row.size, row.property, report::line(&results));
        if !args.flag("quick")
            && let Some((row, e, m)) = balanced::balanced(&row, &row.load()?)
        {
            let results = children.all(&row)?;
            report.balanced.push((row, (e, m), results));
        }
        report.rows.push((row, results));
    }
    if !args.flag("quick") {
        report.growth = growth::measure_growth(&folder, &mut children)?;
    }
    if let Some(models) = args.path("models") {
        report.public = public::measure_public(&models, &mut children)?;
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
