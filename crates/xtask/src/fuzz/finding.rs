//! A difference between the tools, shrunk and written to a file.

use super::trial::{FuzzTools, Trial};
use resy_testkit::compare::Difference;
use resy_testkit::generate::{Program, print, shrink};
use resy_testkit::resy::ResyOutcome;
use resy_testkit::spin::SpinOutcome;
use std::io;
use std::path::{Path, PathBuf};

/// A small program on which the tools differ.
pub struct ShrunkFinding {
    trial: Trial,
    difference: Difference,
    tries: usize,
}

/// The invariant of shrinking: the kind of difference, and for a refusal its kind, so that shrinking does
/// not drift to another one.
fn signature(trial: &Trial) -> Option<(Difference, String)> {
    let refusal = match (&trial.spin, &trial.resy) {
        (SpinOutcome::Rejected(text), _) => text.rsplit("Error: ").next().unwrap_or(""),
        (_, Some(ResyOutcome::Rejected(text))) => text.split(" | ").next().unwrap_or(""),
        _ => "",
    };
    // Names and line numbers change while shrinking; words without digits do not.
    let is_stable = |w: &&str| w.chars().all(char::is_alphabetic);
    let words: Vec<&str> = refusal.split_whitespace().filter(is_stable).take(4).collect();
    trial.difference().map(|difference| (difference, words.join(" ")))
}

impl ShrunkFinding {
    /// Shrinks the program of a trial while the kind of difference stays the same.
    pub fn of(trial: &Trial, tools: &FuzzTools, max_tries: usize) -> io::Result<ShrunkFinding> {
        let wanted = signature(trial);
        let differs = |p: &Program| {
            let again = tools.try_program(trial.seed, p.clone());
            again.is_ok_and(|t| signature(&t) == wanted)
        };
        let result = shrink(&trial.program, max_tries, differs);
        let last = tools.try_program(trial.seed, result.program)?;
        // An intermittent difference is reported as it was first observed.
        let difference =
            last.difference().or(trial.difference()).unwrap_or(Difference::ResyCrashed);
        Ok(ShrunkFinding { trial: last, difference, tries: result.tries })
    }

    /// A line for the terminal.
    pub fn headline(&self) -> String {
        let lines = print(&self.trial.program).lines().count();
        format!(
            "seed {}: {} ({lines} lines after {} tries)",
            self.trial.seed, self.difference, self.tries
        )
    }

    /// Writes the program with a comment that describes the difference; returns the file.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        let kind = self.difference.to_string().replace(' ', "-");
        let file = folder.join(format!("seed-{}-{kind}.pml", self.trial.seed));
        std::fs::write(&file, self.text())?;
        Ok(file)
    }

    /// The program with a comment that describes the difference.
    pub fn text(&self) -> String {
        let spin = describe_spin(&self.trial.spin);
        let resy = self.trial.resy.as_ref().map_or("not run".to_owned(), describe_resy);
        let story = format!(
            " seed {}: {}\n   spin: {spin}\n   resy: {resy}",
            self.trial.seed, self.difference
        );
        let story = story.replace("*/", "* /").replace("/*", "/ *");
        format!("/*{story} */\n{}", print(&self.trial.program))
    }
}

fn describe_spin(outcome: &SpinOutcome) -> String {
    match outcome {
        SpinOutcome::Searched(r) => {
            let early = if r.completed { "" } else { " (ended early)" };
            let errors = r.messages.join("; ");
            format!("{} states, {} transitions{early}; {errors}", r.states, r.transitions)
        }
        SpinOutcome::Rejected(text) => format!("rejects: {text}"),
        other => format!("{other:?}"),
    }
}

fn describe_resy(outcome: &ResyOutcome) -> String {
    match outcome {
        ResyOutcome::Decided(r) => {
            let kinds: Vec<&str> = r.failed_kinds.iter().map(String::as_str).collect();
            let failed = kinds.join("; ");
            format!("{} states, {} transitions; {failed}", r.states, r.transitions)
        }
        ResyOutcome::Rejected(text) => format!("rejects: {text}"),
        other => format!("{other:?}"),
    }
}
