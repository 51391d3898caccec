//! Spin's trail files: a run as a list of statement numbers.
//!
//! A line is `depth:pid:statement`, where the statement number is the position of the statement in spin's
//! numbering of the text. Lines with negative numbers are settings of the verifier; `-1:-1:-1` stands before
//! the steps that are repeated for ever. A rendezvous takes two lines, the send first.

use std::fmt;

/// One step of a trail.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TrailLine {
    /// The pid, not counting a claim.
    pub pid: usize,
    /// Spin's number of the statement.
    pub statement: u32,
}

/// A run as spin writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The steps.
    pub lines: Vec<TrailLine>,
    /// The number of lines before those that are repeated for ever, if the run is infinite.
    pub cycle: Option<usize>,
    /// Whether the pids in the file count a never claim as process 0.
    pub with_claim: bool,
}

/// A syntax error in a trail file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailError {
    /// The line, from 1.
    pub line: usize,
    /// The description of the error.
    pub message: String,
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Trail {
    /// Parses a trail file.
    pub fn parse(text: &str) -> Result<Trail, TrailError> {
        let mut trail = Trail::default();
        for (i, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let error = |message: &str| TrailError { line: i + 1, message: message.to_string() };
            let numbers: Option<Vec<i64>> =
                line.trim().split(':').map(|part| part.parse().ok()).collect();
            match numbers.as_deref() {
                Some([depth, ..]) if *depth == -2 => trail.with_claim = true,
                Some([depth, ..]) if *depth == -1 => trail.cycle = Some(trail.lines.len()),
                Some([depth, ..]) if *depth < 0 => {}
                Some([_, pid, statement]) => {
                    let shift = usize::from(trail.with_claim);
                    let pid = usize::try_from(*pid).map_err(|_| error("a negative pid"))?;
                    let statement =
                        u32::try_from(*statement).map_err(|_| error("a negative statement"))?;
                    // Steps of the claim are not steps of the system.
                    if let Some(pid) = pid.checked_sub(shift) {
                        trail.lines.push(TrailLine { pid, statement });
                    }
                }
                _ => return Err(error("not of the form depth:pid:statement")),
            }
        }
        Ok(trail)
    }
}

impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The line -4:-4:-4, which marks a trail of merged statements, is omitted: with it spin runs
        // ahead of the trail inside an `atomic` and then repeats steps.
        let start = |f: &mut fmt::Formatter<'_>, i: usize| match self.cycle == Some(i) {
            true => writeln!(f, "-1:-1:-1"),
            false => Ok(()),
        };
        for (i, line) in self.lines.iter().enumerate() {
            start(f, i)?;
            writeln!(f, "{}:{}:{}", i + 1, line.pid, line.statement)?;
        }
        start(f, self.lines.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_survives_writing_and_reading() {
        let lines = vec![TrailLine { pid: 1, statement: 7 }, TrailLine { pid: 0, statement: 0 }];
        for cycle in [None, Some(0), Some(1), Some(2)] {
            let trail = Trail { lines: lines.clone(), cycle, with_claim: false };
            assert_eq!(Trail::parse(&trail.to_string()), Ok(trail));
        }
    }

    #[test]
    fn pids_count_a_claim_when_there_is_one() {
        let trail = Trail::parse("-2:3:-2\n-4:-4:-4\n1:0:9\n2:1:4\n").unwrap();
        assert_eq!(trail.lines, [TrailLine { pid: 0, statement: 4 }]);
    }

    #[test]
    fn what_is_no_trail_is_refused() {
        assert_eq!(Trail::parse("1:2:3\nfoo").unwrap_err().line, 2);
        assert!(Trail::parse("1:2").is_err());
        assert!(Trail::parse("1:-2:3").is_err());
    }
}
