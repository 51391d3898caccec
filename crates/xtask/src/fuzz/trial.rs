//! One program, both tools.

use crate::cache::SpinCache;
use resy_testkit::compare::{Comparison, Difference, Discard, compare, discard_of_spin};
use resy_testkit::generate::{Program, generate, print};
use resy_testkit::resy::{Resy, ResyOutcome};
use resy_testkit::spin::SpinOutcome;
use std::io;

/// Programs with more states are not compared: they cost time and show little.
const MAX_STATES: u64 = 60_000;

/// spin, and resy unless only the generator is looked at.
pub struct Tools {
    /// spin with its memory.
    pub spin: SpinCache,
    /// resy.
    pub resy: Option<Resy>,
}

/// What happened to the program of a seed.
pub struct Trial {
    /// The seed.
    pub seed: u64,
    /// Its program.
    pub program: Program,
    /// What spin said.
    pub spin: SpinOutcome,
    /// What resy said, if it was asked.
    pub resy: Option<ResyOutcome>,
    /// Whether they agree; `None` if resy was not asked.
    pub comparison: Option<Comparison>,
}

impl Trial {
    /// How the tools differ, if they do.
    pub fn difference(&self) -> Option<Difference> {
        match self.comparison {
            Some(Comparison::Difference(difference)) => Some(difference),
            _ => None,
        }
    }

    /// Why the program was not compared, if it was not.
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

impl Tools {
    /// Generates and compares.
    pub fn try_seed(&self, seed: u64) -> io::Result<Trial> {
        self.try_program(seed, generate(seed))
    }

    /// Compares a program; the seed is only carried along.
    pub fn try_program(&self, seed: u64, program: Program) -> io::Result<Trial> {
        let text = print(&program);
        let spin = self.spin.run(&text)?;
        let (resy, comparison) = match (&self.resy, discard(&spin)) {
            (None, _) => (None, None),
            // resy would only take long on what is too large for spin.
            (Some(_), Some(discard)) => (None, Some(Comparison::Discarded(discard))),
            (Some(resy), None) => {
                let outcome = resy.run_text(&text)?;
                let comparison = compare(&spin, &outcome);
                (Some(outcome), Some(comparison))
            }
        };
        Ok(Trial { seed, program, spin, resy, comparison })
    }
}

fn discard(spin: &SpinOutcome) -> Option<Discard> {
    match spin {
        SpinOutcome::Searched(r) if r.states > MAX_STATES => Some(Discard::TooLarge("states")),
        _ => discard_of_spin(spin),
    }
}
