//! One run of one tool on one size: a row of the CSV file.

use resy_testkit::families::Variant;
use std::fmt;

/// The result of a run. Numbers that the tool does not report are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The family.
    pub family: String,
    /// The variant of the family.
    pub variant: Variant,
    /// The name of the tool.
    pub tool: &'static str,
    /// The size.
    pub n: u32,
    /// The answer.
    pub answer: GrowthAnswer,
}

/// The answer of a tool, and its cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GrowthAnswer {
    /// `holds`, `fails`, or why there is no verdict.
    pub outcome: String,
    /// The wall time from the model to the answer.
    pub seconds: f64,
    /// The largest resident set of all processes involved.
    pub bytes: u64,
    /// States, or abstract states.
    pub states: Option<u64>,
    /// The number of refinements.
    pub refinements: Option<u64>,
    /// The method that the engine reports.
    pub method: Option<String>,
}

/// The first line of the CSV file.
pub const CSV_HEADING: &str =
    "family,variant,tool,n,outcome,seconds,bytes,states,refinements,method";

impl Measurement {
    /// Whether there is a verdict.
    pub fn decided(&self) -> bool {
        matches!(self.answer.outcome.as_str(), "holds" | "fails")
    }

    /// A line of the CSV file.
    pub fn csv(&self) -> String {
        let GrowthAnswer { outcome, seconds, bytes, states, refinements, method } = &self.answer;
        let number = |value: &Option<u64>| value.map_or(String::new(), |v| v.to_string());
        [
            self.family.clone(),
            self.variant.name().to_owned(),
            self.tool.to_owned(),
            self.n.to_string(),
            outcome.clone(),
            format!("{seconds:.4}"),
            bytes.to_string(),
            number(states),
            number(refinements),
            method.clone().unwrap_or_default(),
        ]
        .join(",")
    }

    /// The cost as a cell of a table, or why there is no verdict.
    pub fn cell(&self) -> String {
        if !self.decided() {
            return self.answer.outcome.clone();
        }
        let GrowthAnswer { seconds, bytes, states, .. } = &self.answer;
        let states = states.map_or(String::new(), |count| format!("{count} states, "));
        format!("{seconds:.2} s, {states}{:.0} MB", *bytes as f64 / 1e6)
    }
}

/// A line of progress.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measurement { family, variant, tool, n, answer } = self;
        let (variant, outcome) = (variant.name(), &answer.outcome);
        write!(f, "{family:<16} {variant:<6} {tool:<12} {n:>5}  {outcome}, {:.2} s", answer.seconds)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A measurement of the plain token ring.
    pub fn ring(tool: &'static str, n: u32, outcome: &str, seconds: f64) -> Measurement {
        let outcome = outcome.to_owned();
        let answer = GrowthAnswer {
            outcome,
            seconds,
            bytes: 3_000_000,
            states: Some(7),
            ..GrowthAnswer::default()
        };
        Measurement { family: "token_ring".to_owned(), variant: Variant::Plain, tool, n, answer }
    }

    #[test]
    fn a_row_has_a_cell_for_each_heading() {
        let row = ring("spin", 4, "holds", 0.5);
        assert_eq!(row.csv(), "token_ring,plain,spin,4,holds,0.5000,3000000,7,,");
        assert_eq!(row.csv().matches(',').count(), CSV_HEADING.matches(',').count());
        assert_eq!(row.cell(), "0.50 s, 7 states, 3 MB");
        assert_eq!(ring("spin", 4, "timed out", 60.0).cell(), "timed out");
    }
}
