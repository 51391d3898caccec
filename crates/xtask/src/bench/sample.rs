//! One measurement: a row of `raw.csv`, from which summaries are computed.

use crate::stats::median;

/// The result of one run of a program. Numbers that the program does not report are `None`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// The name of the model.
    pub model: String,
    /// The question: `verdict`, `plain`, `memory` or `reduced`.
    pub question: &'static str,
    /// The program and its configuration.
    pub tool: &'static str,
    /// The number of the run, from 1.
    pub run: usize,
    /// `holds`, `fails`, `unknown`, `done` (a step without a verdict), or an error.
    pub outcome: String,
    /// Wall time of the process.
    pub seconds: f64,
    /// Processor time of the process, which is more reliable than wall time on a busy machine.
    pub cpu_seconds: f64,
    /// The search time that the program reports.
    pub own_seconds: Option<f64>,
    /// States stored.
    pub states: Option<u64>,
    /// States stored plus states matched.
    pub transitions: Option<u64>,
    /// Largest resident set in bytes.
    pub max_rss: u64,
    /// The number of bytes that the program reports for its states.
    pub own_bytes: Option<f64>,
}

/// The first line of `raw.csv`.
pub const CSV_HEADING: &str = "model,question,tool,run,outcome,seconds,cpu_seconds,own_seconds,states,\
                               transitions,max_rss,own_bytes";

impl Sample {
    /// A line of `raw.csv`.
    pub fn csv(&self) -> String {
        fn cell<T: ToString>(value: Option<T>) -> String {
            value.map_or(String::new(), |v| v.to_string())
        }
        [
            quoted(&self.model),
            self.question.to_owned(),
            self.tool.to_owned(),
            self.run.to_string(),
            quoted(&self.outcome),
            format!("{:.6}", self.seconds),
            format!("{:.6}", self.cpu_seconds),
            cell(self.own_seconds),
            cell(self.states),
            cell(self.transitions),
            self.max_rss.to_string(),
            cell(self.own_bytes),
        ]
        .join(",")
    }

    /// Whether the run has a verdict.
    pub fn decided(&self) -> bool {
        self.outcome == "holds" || self.outcome == "fails"
    }
}

fn quoted(text: &str) -> String {
    if !text.contains([',', '"', '\n']) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('"', "\"\"").replace('\n', " "))
}

/// The runs of one tool on one model for one question.
#[derive(Debug, Clone, Default)]
pub struct SampleRuns<'a>(Vec<&'a Sample>);

impl<'a> SampleRuns<'a> {
    /// Selects the runs from all samples.
    pub fn of(samples: &'a [Sample], model: &str, question: &str, tool: &str) -> SampleRuns<'a> {
        let fits = |s: &&Sample| s.model == model && s.question == question && s.tool == tool;
        SampleRuns(samples.iter().filter(fits).collect())
    }

    /// The common outcome of all runs, or the first one that differs.
    pub fn outcome(&self) -> &'a str {
        let Some(first) = self.0.first() else { return "" };
        let other = self.0.iter().find(|s| s.outcome != first.outcome);
        &other.unwrap_or(first).outcome
    }

    /// Whether there are runs and each has a verdict.
    pub fn decided(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|s| s.decided())
    }

    /// The first run, which has the counts.
    pub fn first(&self) -> Option<&'a Sample> {
        self.0.first().copied()
    }

    /// The median of a value; `None` unless each run has it.
    pub fn median(&self, value: impl Fn(&Sample) -> Option<f64>) -> Option<f64> {
        let values: Option<Vec<f64>> = self.0.iter().map(|s| value(s)).collect();
        median(values?)
    }

    /// The median of the wall times.
    pub fn seconds(&self) -> Option<f64> {
        self.median(|s| Some(s.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(outcome: &str, seconds: f64) -> Sample {
        Sample { outcome: outcome.to_owned(), seconds, ..Sample::default() }
    }

    #[test]
    fn a_row_has_a_cell_for_each_heading() {
        let row = sample("timed out, \"killed\"", 0.5);
        assert_eq!(row.csv(), ",,,0,\"timed out, \"\"killed\"\"\",0.500000,0.000000,,,,0,");
        assert_eq!(
            sample("holds", 0.5).csv().matches(',').count(),
            CSV_HEADING.matches(',').count()
        );
    }

    #[test]
    fn one_bad_run_spoils_the_verdict() {
        let all = [sample("holds", 3.0), sample("timed out", 5.0), sample("holds", 1.0)];
        let runs = SampleRuns::of(&all, "", "", "");
        assert_eq!((runs.outcome(), runs.decided()), ("timed out", false));
        assert_eq!(runs.seconds(), Some(3.0));
        assert_eq!(runs.median(|s| s.own_seconds), None);
        assert!(!SampleRuns::default().decided());
    }
}
