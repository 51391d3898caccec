//! The numbers that a campaign has reached.

use super::case::{CaseDifference, CaseReport};
use super::plan::CampaignPlan;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a campaign showed, and what it took.
#[derive(Debug)]
pub struct CampaignRecord {
    /// What was asked for.
    pub plan: CampaignPlan,
    /// What a case is, in the plural.
    pub unit: &'static str,
    /// The first seed that was not tried.
    pub next: u64,
    /// The answers and the differences.
    pub report: CaseReport,
    /// The time that passed.
    pub wall: Duration,
    /// The processor time, with that of all children.
    pub processor: Duration,
}

impl CampaignRecord {
    /// The number of cases.
    pub fn n_cases(&self) -> u64 {
        self.next - self.plan.from
    }

    /// A line for the terminal while the campaign runs.
    pub fn progress(&self) -> String {
        let (n, unit) = (self.n_cases(), self.unit);
        let name = &self.plan.name;
        format!(
            "{name}: {n} {unit}, {} answers, {} differences, {:.0} s, processor {:.0} s; next seed {}",
            self.report.answers.values().sum::<u64>(),
            self.report.differences.len(),
            self.wall.as_secs_f64(),
            self.processor.as_secs_f64(),
            self.next
        )
    }
}

/// The record as a section of Markdown.
impl fmt::Display for CampaignRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CampaignRecord { plan, unit, next, report, .. } = self;
        writeln!(f, "## {}\n\n`{}`\n", plan.name, plan.command())?;
        writeln!(
            f,
            "{} {unit} (seeds {}..{next}), **{} differences**; {:.0} s, processor {:.0} s. \
             It continues with `--from {next}`.\n",
            self.n_cases(),
            plan.from,
            report.differences.len(),
            self.wall.as_secs_f64(),
            self.processor.as_secs_f64(),
        )?;
        writeln!(f, "| answers | number |\n|---|---:|")?;
        for (kind, n) in &report.answers {
            writeln!(f, "| {} | {n} |", kind.replace('|', "\\|"))?;
        }
        for CaseDifference { seed, what, .. } in &report.differences {
            writeln!(f, "\nseed {seed}: {what}")?;
        }
        Ok(())
    }
}

/// Writes a difference to a file of its own; returns the file.
pub fn keep(folder: &Path, name: &str, difference: &CaseDifference) -> io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let CaseDifference { seed, what, extension, text } = difference;
    let file = (0..)
        .map(|n| folder.join(format!("{name}-{seed}-{n}.{extension}")))
        .find(|file| !file.exists())
        .ok_or_else(|| io::Error::other("no name is free"))?;
    std::fs::write(&file, text)?;
    std::fs::write(file.with_extension(format!("{extension}.txt")), format!("{what}\n"))?;
    Ok(file)
}
