//! Parses the output of a verifier.

/// The results that a verifier prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifierReport {
    /// The number of stored states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The length of the longest path.
    pub depth: u64,
    /// The number of errors.
    pub errors: u64,
    /// The description of the first error.
    pub error: Option<String>,
    /// Whether the search visited all states.
    pub complete: bool,
}

impl VerifierReport {
    /// Parses the output of a verifier; `None` if it ended before it printed its counts.
    pub fn parse(text: &str) -> Option<Self> {
        let mut report = Self { complete: true, ..Self::default() };
        let mut counted = false;
        for line in text.lines() {
            if line.contains("max search depth too small") || line.contains("Search not completed")
            {
                report.complete = false;
            } else if line.contains("unconditional self-loop") {
                return None;
            } else if line.starts_with("State-vector") {
                report.depth = number_after(line, "depth reached ")?;
                report.errors = number_after(line, "errors: ")?;
                counted = true;
            } else if let Some(error) = error_in(line) {
                report.error.get_or_insert(error.to_owned());
            } else if let Some((count, what)) = line.trim_start().split_once(' ') {
                // Large counts are printed like 1.2345679e+08.
                let count = count.parse::<f64>().unwrap_or(0.0) as u64;
                match what {
                    _ if what.starts_with("states, stored") => report.states = count,
                    _ if what.starts_with("transitions (") => report.transitions = count,
                    _ => {}
                }
            }
        }
        counted.then_some(report)
    }
}

/// Parses a line like `pan:1: assertion violated (x==1) (at depth 3)`.
fn error_in(line: &str) -> Option<&str> {
    let (number, message) = line.strip_prefix("pan:")?.split_once(": ")?;
    number.parse::<u64>().ok()?;
    Some(message.rsplit_once(" (at depth").map_or(message, |(text, _)| text))
}

fn number_after(line: &str, label: &str) -> Option<u64> {
    let (_, rest) = line.split_once(label)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
pan:1: assertion violated ( ((x==1)) ? (2) : (3)) (at depth 12)
pan: wrote model.pml.trail

(Spin Version 6.5.2 -- 6 December 2019)
Warning: PanSearch not completed

State-vector 12 byte, depth reached 9, errors: 2
1.2345679e+08 states, stored
       20 states, matched
       31 transitions (= stored+matched)
        0 atomic steps
";

    #[test]
    fn counts_and_the_first_error_are_read() {
        let report = VerifierReport::parse(PRINTED).expect("there are counts");
        assert_eq!((report.states, report.transitions), (123_456_790, 31));
        assert_eq!((report.depth, report.errors, report.complete), (9, 2, false));
        let error = "assertion violated ( ((x==1)) ? (2) : (3))";
        assert_eq!(report.error.as_deref(), Some(error));
    }

    #[test]
    fn without_counts_there_is_no_report() {
        assert_eq!(VerifierReport::parse("Segmentation fault\n"), None);
    }
}
