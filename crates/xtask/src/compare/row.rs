//! A row of the comparison: one model.

use resy_testkit::compare::{Comparison, Difference, compare};
use resy_testkit::resy::ResyOutcome;
use resy_testkit::spin::SpinOutcome;
use std::fmt;
use std::path::PathBuf;

/// The heading of the table.
pub const HEADING: &str =
    "    spin states  transitions | resy states  transitions | result                 | file";
/// The heading of the CSV file.
pub const CSV_HEADING: &str = "file,class,comparison,spin,spin_states,spin_transitions,spin_errors,\
                               resy,resy_states,resy_transitions,resy_fails";

/// A model and the outcomes of both tools.
pub struct ComparisonRow {
    /// The model.
    pub file: PathBuf,
    /// spin's and resy's outcome; `None` for models with embedded C.
    pub outcomes: Option<(SpinOutcome, ResyOutcome)>,
}

/// The line of the summary that counts a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ComparisonClass {
    Same,
    SameVerdict,
    BothReject,
    Differs,
    NotComparable,
    EmbeddedC,
}

impl ComparisonRow {
    fn comparison(&self) -> Option<Comparison> {
        self.outcomes.as_ref().map(|(spin, resy)| compare(spin, resy))
    }

    /// The class of the model.
    pub fn class(&self) -> ComparisonClass {
        match self.comparison() {
            None => ComparisonClass::EmbeddedC,
            Some(Comparison::Same) => ComparisonClass::Same,
            Some(Comparison::SameVerdict) => ComparisonClass::SameVerdict,
            Some(Comparison::BothReject) => ComparisonClass::BothReject,
            Some(Comparison::Difference(_)) => ComparisonClass::Differs,
            Some(Comparison::Discarded(_)) => ComparisonClass::NotComparable,
        }
    }

    fn result(&self) -> String {
        match self.comparison() {
            None => "embedded C".to_owned(),
            Some(Comparison::Same) => "same".to_owned(),
            Some(Comparison::SameVerdict) => "same verdict".to_owned(),
            Some(Comparison::BothReject) => "both reject".to_owned(),
            Some(Comparison::Discarded(why)) => why.to_string(),
            Some(Comparison::Difference(Difference::OnlyResyRejects)) => "RESY REJECTS".to_owned(),
            Some(Comparison::Difference(how)) => how.to_string().to_uppercase(),
        }
    }

    /// Both outcomes, for models on which the tools differ.
    pub fn details(&self) -> String {
        match &self.outcomes {
            None => String::new(),
            Some((spin, resy)) => format!("  spin: {spin:?}\n  resy: {resy:?}"),
        }
    }

    fn spin_numbers(&self) -> Option<[u64; 3]> {
        match &self.outcomes {
            Some((SpinOutcome::Searched(r), _)) => Some([r.states, r.transitions, r.errors]),
            _ => None,
        }
    }

    fn resy_numbers(&self) -> Option<[u64; 3]> {
        match &self.outcomes {
            Some((_, ResyOutcome::Decided(r))) => {
                Some([r.states, r.transitions, u64::from(r.fails)])
            }
            _ => None,
        }
    }

    /// A line of the CSV file.
    pub fn csv(&self) -> String {
        let (spin, resy) = match &self.outcomes {
            None => ("", ""),
            Some((spin, resy)) => (spin_word(spin), resy_word(resy)),
        };
        let cells = |numbers: Option<[u64; 3]>| match numbers {
            Some([a, b, c]) => format!("{a},{b},{c}"),
            None => ",,".to_owned(),
        };
        let file = self.file.display().to_string().replace('"', "\"\"");
        let result = self.result().replace('"', "\"\"");
        let (left, right) = (cells(self.spin_numbers()), cells(self.resy_numbers()));
        format!("\"{file}\",{},\"{result}\",{spin},{left},{resy},{right}", self.class())
    }
}

fn spin_word(outcome: &SpinOutcome) -> &'static str {
    match outcome {
        SpinOutcome::Rejected(_) => "rejected",
        SpinOutcome::NotCompiled(_) => "not-compiled",
        SpinOutcome::SelfLoop(_) => "self-loop",
        SpinOutcome::TimedOut(_) => "timed-out",
        SpinOutcome::Crashed(_) => "crashed",
        SpinOutcome::Searched(_) => "searched",
    }
}

fn resy_word(outcome: &ResyOutcome) -> &'static str {
    match outcome {
        ResyOutcome::Rejected(_) => "rejected",
        ResyOutcome::Unknown(_) => "unknown",
        ResyOutcome::Decided(_) => "decided",
        ResyOutcome::TimedOut => "timed-out",
        ResyOutcome::Crashed(_) => "crashed",
    }
}

impl fmt::Display for ComparisonRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = |numbers: Option<[u64; 3]>| match numbers {
            Some([states, transitions, _]) => format!("{states:>11} {transitions:>12}"),
            None => format!("{:>11} {:>12}", "-", "-"),
        };
        let (spin, resy) = (cells(self.spin_numbers()), cells(self.resy_numbers()));
        let file = self.file.display();
        write!(f, "    {spin} | {resy} | {:<22} | {file}", self.result())
    }
}

impl fmt::Display for ComparisonClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ComparisonClass::Same => "same",
            ComparisonClass::SameVerdict => "same verdict (spin stops early)",
            ComparisonClass::BothReject => "both reject",
            ComparisonClass::Differs => "differ",
            ComparisonClass::NotComparable => "not comparable",
            ComparisonClass::EmbeddedC => "embedded C",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_each_kind() {
        let embedded = ComparisonRow { file: PathBuf::from("a,b.pml"), outcomes: None };
        assert_eq!(embedded.class(), ComparisonClass::EmbeddedC);
        assert_eq!(embedded.csv(), "\"a,b.pml\",embedded C,\"embedded C\",,,,,,,,");
        let spin = SpinOutcome::Rejected("no".to_owned());
        let outcomes = Some((spin, ResyOutcome::Rejected("no".to_owned())));
        let rejected = ComparisonRow { file: PathBuf::from("x"), outcomes };
        assert_eq!(rejected.class(), ComparisonClass::BothReject);
        let columns = |line: &str| line.split(',').count();
        assert_eq!(columns(&rejected.csv()), columns(CSV_HEADING));
    }
}
