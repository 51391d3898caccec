//! What a campaign does with one seed, and what came of it.

use crate::args::TaskFailure;
use std::collections::BTreeMap;

/// Cases that are numbered by seeds: the same seed is the same case, on every machine.
pub trait Campaign: Sync {
    /// What a case is, in the plural.
    fn unit(&self) -> &'static str;

    /// Runs the case of a seed. A panic is a difference as well.
    fn case(&self, seed: u64) -> Result<CaseReport, TaskFailure>;
}

/// What one case, or many of them, showed.
#[derive(Debug, Clone, Default)]
pub struct CaseReport {
    /// How often each kind of answer was given.
    pub answers: BTreeMap<String, u64>,
    /// The answers that are wrong.
    pub differences: Vec<CaseDifference>,
}

/// An answer that is wrong, with what is needed to see it again.
#[derive(Debug, Clone)]
pub struct CaseDifference {
    /// The seed of the case.
    pub seed: u64,
    /// What is wrong, in a sentence.
    pub what: String,
    /// The extension of the file that keeps the text.
    pub extension: &'static str,
    /// The input.
    pub text: String,
}

impl CaseReport {
    /// Counts so many more answers of a kind.
    pub fn count(&mut self, kind: impl Into<String>, n: u64) {
        *self.answers.entry(kind.into()).or_default() += n;
    }

    /// Counts one more answer of a kind.
    pub fn one(&mut self, kind: impl Into<String>) {
        self.count(kind, 1);
    }

    /// Notes a wrong answer.
    pub fn differs(
        &mut self,
        seed: u64,
        what: impl Into<String>,
        extension: &'static str,
        text: impl Into<String>,
    ) {
        let (what, text) = (what.into(), text.into());
        self.differences.push(CaseDifference { seed, what, extension, text });
    }

    /// Adds the answers and differences of another case.
    pub fn add(&mut self, other: CaseReport) {
        for (kind, n) in other.answers {
            self.count(kind, n);
        }
        self.differences.extend(other.differences);
    }

    /// How often answers of a kind were given.
    pub fn n(&self, kind: &str) -> u64 {
        self.answers.get(kind).copied().unwrap_or_default()
    }
}
