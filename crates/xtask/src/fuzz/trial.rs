//! One program, run by both tools.

use crate::cache::SpinCache;
use resy_testkit::compare::{Comparison, Difference, Discard, compare, discard_of_spin};
use resy_testkit::generate::{Program, generate, print};
use resy_testkit::resy::{Resy, ResyOutcome};
use resy_testkit::spin::SpinOutcome;
use std::io;

/// Programs with more states are not compared: they take long and reveal little.
const MAX_STATES: u64 = 60_000;

/// Spin, and resy unless only the generator is evaluated.
pub struct FuzzTools {
    /// Spin with its cache.
    pub spin: SpinCache,
    /// resy.
    pub resy: Option<Resy>,
}

/// The results for the program of a seed.
pub struct Trial {
    /// The seed.
    pub seed: u64,
    /// Its program.
    pub program: Program,
    /// Spin's outcome.
    pub spin: SpinOutcome,
    /// Resy's outcome, if it was run.
    pub resy: Option<ResyOutcome>,
    /// Whether they agree; `None` if resy was not run.
    pub comparison: Option<Comparison>,
}

impl Trial {
    /// The difference between the tools, if any.
    pub fn difference(&self) -> Option<Difference> {
        match self.comparison {
            Some(Comparison::Difference(difference)) => Some(difference),
            _ => None,
        }
    }

    /// The reason why the program was not compared, if it was not.
    pub fn discard(&self) -> Option<Discard> {
        match &self.comparison {
            Some(Comparison::Discarded(discard)) => Some(discard.clone()),
            Some(_) => None,
            None => discard(&self.spin),
        }
    }

    /// Whether spin's counts cover the whole state space.
    pub fn has_counts(&self) -> bool {
        discard(&self.spin).is_none()
            && matches!(&self.spin, SpinOutcome::Searched(r) if r.counts_are_complete())
    }
}

impl FuzzTools {
    /// Generates the program of a seed and compares.
    pub fn try_seed(&self, seed: u64) -> io::Result<Trial> {
        self.try_program(seed, generate(seed))
    }

    /// Compares a program; the seed is only recorded.
    pub fn try_program(&self, seed: u64, program: Program) -> io::Result<Trial> {
        let text = print(&program);
        let spin = self.spin.run(&text)?;
        let (resy, comparison) = match (&self.resy, discard(&spin)) {
            (None, _) => (None, None),
            // A program that is too large for spin is too large for resy.
            (Some(_), Some(discard)) => (None, Some(Comparison::Discarded(discard))),
            (Some(resy), None) => {
                let outcome = resy.run_text(&text)?;
                let comparison = match compare(&spin, &outcome) {
                    Comparison::Difference(_) if meets_fault(&text) => {
                        Comparison::Discarded(Discard::SpinFault("`enabled` beside `else`"))
                    }
                    compared => compared,
                };
                (Some(outcome), Some(comparison))
            }
        };
        Ok(Trial { seed, program, spin, resy, comparison })
    }
}

/// Whether `enabled` may be asked about a process at an `else`: spin's verifier then looks at the options that the
/// asking process has taken (docs/semantics.md).
fn meets_fault(text: &str) -> bool {
    text.contains("enabled(") && text.contains("else")
}

fn discard(spin: &SpinOutcome) -> Option<Discard> {
    match spin {
        SpinOutcome::Searched(r) if r.states > MAX_STATES => Some(Discard::TooLarge("states")),
        _ => discard_of_spin(spin),
    }
}
