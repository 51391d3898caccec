//! The summary of a fuzzing run: what was tried, covered and found.

use super::trial::Trial;
use resy_testkit::compare::Comparison;
use resy_testkit::generate::census;
use resy_testkit::spin::{Kind, SpinOutcome};
use std::collections::BTreeMap;
use std::fmt;

/// Upper bounds of the classes of state counts.
const CLASSES: [u64; 9] = [3, 10, 30, 100, 300, 1_000, 3_000, 20_000, 60_000];

/// Counters over many trials.
#[derive(Default)]
pub struct FuzzSummary {
    trials: usize,
    with_counts: usize,
    constructs: BTreeMap<String, Occurrence>,
    outcomes: BTreeMap<String, usize>,
    agreement: BTreeMap<String, usize>,
    classes: BTreeMap<usize, usize>,
    samples: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Occurrence {
    generated: usize,
    reached: usize,
}

impl FuzzSummary {
    /// Counts a trial.
    pub fn add(&mut self, trial: &Trial) {
        self.trials += 1;
        let reached = trial.has_counts();
        self.with_counts += usize::from(reached);
        for construct in census(&trial.program) {
            let occurrence = self.constructs.entry(construct).or_default();
            occurrence.generated += 1;
            occurrence.reached += usize::from(reached);
        }
        for outcome in outcomes(trial) {
            self.samples.entry(outcome.clone()).or_insert(trial.seed);
            *self.outcomes.entry(outcome).or_default() += 1;
        }
        if let Some(comparison) = &trial.comparison {
            *self.agreement.entry(agreement(comparison)).or_default() += 1;
        }
        if let (true, SpinOutcome::Searched(report)) = (reached, &trial.spin) {
            let class = CLASSES.iter().position(|&end| report.states <= end);
            *self.classes.entry(class.unwrap_or(CLASSES.len())).or_default() += 1;
        }
    }

    /// The number of differences between the tools.
    pub fn n_differences(&self) -> usize {
        let differ = self.agreement.iter().filter(|(name, _)| name.starts_with("DIFFER"));
        differ.map(|(_, count)| count).sum()
    }
}

/// Spin's finding as a phrase.
fn outcomes(trial: &Trial) -> Vec<String> {
    if let Some(discard) = trial.discard() {
        let detail = match &trial.spin {
            SpinOutcome::Crashed(text) | SpinOutcome::NotCompiled(text) => format!(": {text}"),
            _ => String::new(),
        };
        return vec![format!("discarded: {discard}{detail}")];
    }
    match &trial.spin {
        SpinOutcome::Rejected(text) => vec![format!("rejected by spin: {text}")],
        SpinOutcome::Searched(report) if report.errors == 0 => vec!["holds".to_owned()],
        SpinOutcome::Searched(report) => {
            let name = |kind| match kind {
                Kind::Assertion => "assertion violated",
                Kind::EndState => "invalid end state",
                Kind::Trace => "trace violated",
                Kind::BlockedDStep => "d_step blocked (fatal)",
                Kind::Runtime => "other run-time error",
            };
            report.kinds().into_iter().map(|kind| name(kind).to_owned()).collect()
        }
        other => vec![format!("{other:?}")],
    }
}

fn agreement(comparison: &Comparison) -> String {
    match comparison {
        Comparison::Same => "same counts and errors".to_owned(),
        Comparison::SameVerdict => "same verdict (spin stops early)".to_owned(),
        Comparison::BothReject => "both reject".to_owned(),
        Comparison::Discarded(_) => "not compared".to_owned(),
        Comparison::Difference(difference) => format!("DIFFER: {difference}"),
    }
}

impl fmt::Display for FuzzSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nconstruct                     programs   with counts")?;
        for (name, occurrence) in &self.constructs {
            let Occurrence { generated, reached } = occurrence;
            writeln!(f, "  {name:<27} {generated:>8} {reached:>13}")?;
        }
        writeln!(f, "\nstates      programs (of {} with counts)", self.with_counts)?;
        for (&class, count) in &self.classes {
            let end = CLASSES.get(class).map_or("more".to_owned(), |e| format!("≤ {e}"));
            let bar = "█".repeat(count * 40 / self.with_counts.max(1));
            writeln!(f, "  {end:<9} {count:>8}  {bar}")?;
        }
        writeln!(f, "\nwhat spin found                  programs   first seed")?;
        for (name, count) in &self.outcomes {
            let seed = self.samples.get(name).copied().unwrap_or(0);
            writeln!(f, "  {count:>6}  {name}  (e.g. seed {seed})")?;
        }
        writeln!(f, "\nagreement ({} programs)", self.trials)?;
        for (name, count) in &self.agreement {
            writeln!(f, "  {count:>6}  {name}")?;
        }
        Ok(())
    }
}
