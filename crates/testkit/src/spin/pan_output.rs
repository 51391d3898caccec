//! What a verifier prints, as data. The counts are lines that start with a
//! number; each change of the error message gives a line `pan:N: text (at depth D)`.

use std::collections::BTreeSet;

/// The report of one search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PanReport {
    /// "states, stored".
    pub states: u64,
    /// "states, matched".
    pub matched: u64,
    /// "transitions (= stored+matched)".
    pub transitions: u64,
    /// "errors: N".
    pub errors: u64,
    /// "depth reached".
    pub depth: u64,
    /// The texts of the errors, each once, in the order of their first occurrence.
    pub messages: Vec<String>,
    /// "max search depth too small": a part of the state space was not seen.
    pub truncated: bool,
    /// "pan: elapsed time", of the search alone.
    pub seconds: Option<f64>,
    /// The search went to its end (a fatal error or the memory limit ends it early).
    pub completed: bool,
}

/// What an error message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `assert` failed; spin reports an array index out of range in the same way.
    Assertion,
    /// A process stands at a statement that is no valid end.
    EndState,
    /// A trace or notrace block was violated.
    Trace,
    /// A statement inside `d_step` was not executable; ends the search.
    BlockedDStep,
    /// Any other error, such as the use of an uninitialised channel.
    Runtime,
}

impl PanReport {
    /// The kinds of errors that were reported.
    pub fn kinds(&self) -> BTreeSet<Kind> {
        self.messages.iter().map(|m| kind_of(m)).collect()
    }

    /// Whether the counts cover the whole state space.
    pub fn counts_are_complete(&self) -> bool {
        self.completed && !self.truncated
    }

    /// Whether an error of the model ended the search early.
    pub fn is_fatal(&self) -> bool {
        !self.completed && self.errors > 0 && !self.messages.is_empty()
    }
}

fn kind_of(message: &str) -> Kind {
    if message.starts_with("assertion violated") {
        Kind::Assertion
    } else if message.starts_with("invalid end state") {
        Kind::EndState
    } else if message.starts_with("event_trace") || message.contains("event-trace") {
        Kind::Trace
    } else if message.contains("d_step") || message.starts_with("blocking sel") {
        Kind::BlockedDStep
    } else {
        Kind::Runtime
    }
}

/// Reads the standard output of a verifier; `None` if it has no counts.
pub fn parse_pan_output(text: &str) -> Option<PanReport> {
    let mut report = PanReport { completed: true, ..PanReport::default() };
    let mut has_counts = false;
    for line in text.lines() {
        if let Some(message) = error_message(line) {
            if !report.messages.iter().any(|m| m == message) {
                report.messages.push(message.to_owned());
            }
        } else if line.contains("max search depth too small") {
            report.truncated = true;
        } else if let Some(rest) = line.strip_prefix("pan: elapsed time ") {
            report.seconds = rest.split(' ').next().and_then(|number| number.parse().ok());
        } else if line.contains("Search not completed") {
            report.completed = false;
        } else if line.starts_with("State-vector") {
            report.depth = number_after(line, "depth reached ")?;
            report.errors = number_after(line, "errors: ")?;
            has_counts = true;
        } else {
            read_count(line, &mut report);
        }
    }
    (has_counts && report.transitions > 0).then_some(report)
}

/// `pan:1: assertion violated (x==1) (at depth 3)` gives `assertion violated (x==1)`.
fn error_message(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pan:")?;
    let (number, message) = rest.split_once(": ")?;
    number.parse::<u64>().ok()?;
    Some(message.rsplit_once(" (at depth").map_or(message, |(text, _)| text))
}

fn read_count(line: &str, report: &mut PanReport) {
    let Some((number, label)) = line.trim_start().split_once(' ') else {
        return;
    };
    // Large counts are printed as 1.2345679e+08.
    let Ok(value) = number.parse::<f64>() else {
        return;
    };
    let value = value as u64;
    if label.starts_with("states, stored") {
        report.states = value;
    } else if label.starts_with("states, matched") {
        report.matched = value;
    } else if label.starts_with("transitions (= stored+matched)") {
        report.transitions = value;
    }
}

fn number_after(line: &str, label: &str) -> Option<u64> {
    let (_, rest) = line.split_once(label)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FATAL: &str = "\
pan:1: assertion violated (x==1) (at depth 7)
error: max search depth too small
pan:2: block in d_step seq (at depth 0)

(Spin Version 6.5.2 -- 6 December 2019)
Warning: Search not completed

State-vector 12 byte, depth reached 9, errors: 2
1.2345679e+08 states, stored
       20 states, matched
       31 transitions (= stored+matched)
        0 atomic steps
hash conflicts:         0 (resolved)

  128.000\tmemory used for hash table (-w24)

pan: elapsed time 1.34 seconds
";

    #[test]
    fn reads_counts_messages_and_warnings() {
        let report = parse_pan_output(FATAL).expect("has counts");
        assert_eq!((report.states, report.matched, report.transitions), (123_456_790, 20, 31));
        assert_eq!((report.depth, report.errors, report.seconds), (9, 2, Some(1.34)));
        assert_eq!(report.messages, ["assertion violated (x==1)", "block in d_step seq"]);
        assert_eq!(report.kinds(), [Kind::Assertion, Kind::BlockedDStep].into());
        assert!(report.truncated && !report.completed && report.is_fatal());
        assert!(!report.counts_are_complete());
    }

    #[test]
    fn a_message_may_contain_colons_and_depths() {
        let text = "pan:1: assertion violated ( ((x==1)) ? (2) : (3)) (at depth 12)";
        assert_eq!(error_message(text), Some("assertion violated ( ((x==1)) ? (2) : (3))"));
        assert_eq!(error_message("pan: elapsed time 0 seconds"), None);
    }

    #[test]
    fn no_counts_is_no_report() {
        assert_eq!(parse_pan_output("Segmentation fault\n"), None);
        assert_eq!(parse_pan_output(""), None);
    }

    #[test]
    fn end_states_and_traces_have_their_own_kind() {
        assert_eq!(kind_of("invalid end state"), Kind::EndState);
        assert_eq!(kind_of("event_trace error (no matching event)"), Kind::Trace);
        assert_eq!(kind_of("ref to uninitialized chan name (sending)"), Kind::Runtime);
    }
}
