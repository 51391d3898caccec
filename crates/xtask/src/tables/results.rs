//! All measurements, and the queries of the tables.

use super::mode::Mode;
use super::run::{self, CaseAnswer, CaseRun};
use super::trace::{self, Traces};
use crate::stats::median;
use resy_testkit::case_studies::CaseStudy;
use resy_testkit::families::Variant;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// All measurements.
#[derive(Debug, Default)]
pub struct Results {
    /// The rows, in the order of the table of case studies.
    pub rows: Vec<CaseStudy>,
    /// All runs.
    pub runs: Vec<CaseRun>,
    /// The traces of requirements, with the papers' splits.
    pub traces: Traces,
}

impl Results {
    /// The runs of a mode on a row in its original variant.
    pub fn of(&self, row: &CaseStudy, mode: Mode, split: usize) -> CaseRuns<'_> {
        self.of_variant(row, Variant::Plain, mode, split)
    }

    /// The runs of a mode on a variant of a row.
    pub fn of_variant(
        &self,
        row: &CaseStudy,
        variant: Variant,
        mode: Mode,
        split: usize,
    ) -> CaseRuns<'_> {
        let fits = |run: &&CaseRun| {
            run.row == row.name && run.variant == variant && run.mode == mode && run.split == split
        };
        CaseRuns(self.runs.iter().filter(fits).map(|run| &run.answer).collect())
    }

    /// The families with a parameter, each with its rows by size.
    pub fn families(&self) -> BTreeMap<String, Vec<&CaseStudy>> {
        let mut families = BTreeMap::<String, Vec<&CaseStudy>>::new();
        for row in self.rows.iter().filter(|row| row.algorithm.is_none()) {
            families.entry(row.family()).or_default().push(row);
        }
        families
    }
}

/// Reads results from a folder.
pub fn read(folder: &Path, mut rows: Vec<CaseStudy>) -> io::Result<Results> {
    let raw = fs::read_to_string(folder.join("raw.csv"))?;
    let modules = |name: &str| rows.iter().find(|row| row.name == name).map(|row| &row.modules);
    let runs: Vec<CaseRun> = raw.lines().filter_map(|line| run::read_csv(line, modules)).collect();
    let traces = trace::from_csv(&fs::read_to_string(folder.join("traces.csv"))?);
    rows.retain(|row| runs.iter().any(|run| run.row == row.name));
    Ok(Results { rows, runs, traces })
}

/// The runs of one mode on one row.
#[derive(Debug, Clone, Default)]
pub struct CaseRuns<'a>(Vec<&'a CaseAnswer>);

impl<'a> CaseRuns<'a> {
    /// The first run, which has the counts.
    pub fn first(&self) -> Option<&'a CaseAnswer> {
        self.0.first().copied()
    }

    /// The common outcome of all runs, or the first one that differs.
    pub fn outcome(&self) -> &'a str {
        let Some(first) = self.0.first() else { return "" };
        let other = self.0.iter().find(|answer| answer.outcome != first.outcome);
        &other.unwrap_or(first).outcome
    }

    /// The median time; `None` unless each run has a verdict.
    pub fn seconds(&self) -> Option<f64> {
        self.median(|answer| Some(answer.seconds))
    }

    /// The median of the peak memory.
    pub fn bytes(&self) -> Option<f64> {
        self.median(|answer| Some(answer.bytes as f64))
    }

    /// The median time of a step of spin: 0 is `spin -a`, 1 the compiler, 2 `pan`.
    pub fn step(&self, step: usize) -> Option<f64> {
        self.median(|answer| answer.spin.map(|steps| steps[step]))
    }

    /// The median of the search times that the verifier reports.
    pub fn own_search(&self) -> Option<f64> {
        self.median(|answer| answer.own_search)
    }

    /// The number of states of the requirement.
    pub fn requirement(&self) -> Option<u64> {
        self.first().filter(|answer| answer.decided())?.requirement
    }

    /// The number of states of the requirement, relative to the module's.
    pub fn share(&self) -> Option<f64> {
        let module = self.first()?.module?;
        Some(self.requirement()? as f64 / module as f64)
    }

    fn median(&self, value: impl Fn(&CaseAnswer) -> Option<f64>) -> Option<f64> {
        let decided = |answer: &&CaseAnswer| if answer.decided() { value(answer) } else { None };
        let values: Option<Vec<f64>> = self.0.iter().map(decided).collect();
        median(values?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use resy_testkit::case_studies::case_studies;
    use resy_testkit::scratch::Scratch;

    /// Results with these rows and no runs.
    pub fn results(names: &[&str]) -> Results {
        let mut rows = case_studies().expect("the table can be read");
        rows.retain(|row| names.contains(&row.name.as_str()));
        assert_eq!(rows.len(), names.len(), "all rows are in the table");
        Results { rows, ..Results::default() }
    }

    /// An answer in which every number is set.
    pub fn answer(outcome: &str, seconds: f64) -> CaseAnswer {
        CaseAnswer {
            outcome: outcome.to_owned(),
            seconds,
            bytes: 5_000_000,
            states: Some(1000),
            module: Some(100),
            environment: "50".to_owned(),
            requirement: Some(4),
            refinements: Some(30),
            ..CaseAnswer::default()
        }
    }

    impl Results {
        /// Adds a run on a row in its original variant.
        pub fn add(&mut self, row: &str, mode: Mode, split: usize, answer: CaseAnswer) {
            let (row, variant, run) = (row.to_owned(), Variant::Plain, 1);
            self.runs.push(CaseRun { row, variant, mode, split, run, answer });
        }
    }

    #[test]
    fn one_bad_run_spoils_the_median() {
        let mut results = results(&["Elevator 2"]);
        for seconds in [3.0, 1.0, 2.0] {
            results.add("Elevator 2", Mode::Assume, 1, answer("holds", seconds));
        }
        let row = results.rows[0].clone();
        let runs = results.of(&row, Mode::Assume, 1);
        assert_eq!(
            (runs.seconds(), runs.outcome(), runs.share()),
            (Some(2.0), "holds", Some(0.04))
        );
        assert_eq!(results.of(&row, Mode::Assume, 0).seconds(), None);
        results.add("Elevator 2", Mode::Assume, 1, answer("hung", 25.0));
        let runs = results.of(&row, Mode::Assume, 1);
        assert_eq!((runs.seconds(), runs.outcome()), (None, "hung"));
    }

    #[test]
    fn what_was_written_can_be_read() -> io::Result<()> {
        let mut written = results(&["Elevator 2"]);
        written.add("Elevator 2", Mode::Assume, 1, answer("holds", 0.5));
        let point = trace::TracePoint { step: 3.0, classes: 4.0, requirement: 9.0 };
        written.traces.insert(("Elevator 2".to_owned(), trace::Way::Alternating), vec![point]);
        let folder = Scratch::new("tables")?;
        let line = written.runs[0].csv(&written.rows[0].modules);
        fs::write(folder.path().join("raw.csv"), format!("{}\n{line}\n", run::CSV_HEADING))?;
        fs::write(folder.path().join("traces.csv"), trace::to_csv(&written.traces))?;
        let read = read(folder.path(), case_studies()?)?;
        assert_eq!((&read.rows, &read.runs), (&written.rows, &written.runs));
        assert_eq!(read.traces, written.traces);
        Ok(())
    }

    #[test]
    fn families_have_their_rows_in_order() {
        let results =
            results(&["SW 2/1/A", "SW 3/1/A", "SW 2/1/B", "SW algorithm/A", "Elevator 2"]);
        let families = results.families();
        assert_eq!(families.keys().collect::<Vec<_>>(), ["Elevator", "SW A", "SW B"]);
        let sizes: Vec<&str> = families["SW A"].iter().map(|row| row.size()).collect();
        assert_eq!(sizes, ["2/1", "3/1"]);
    }
}
