//! Infinite runs: the last steps of a run are repeated for ever.

use super::{Run, process_name};
use resy::{FairHow, FairReason, Lasso};

impl Run<'_> {
    /// The run whose last steps are repeated for ever.
    #[must_use]
    pub fn with_lasso(mut self, lasso: Option<&Lasso>) -> Self {
        if let Some(lasso) = lasso {
            self.loop_start = Some(lasso.start.min(self.events.len()));
            self.fair = lasso.fair.iter().map(|reason| self.fair_in_words(reason)).collect();
        }
        self
    }

    /// A sentence about what is repeated, if the run is infinite.
    pub fn repetition(&self) -> Option<String> {
        let (first, last) = (self.loop_start? + 1, self.events.len());
        Some(match last {
            last if first > last => {
                "the run ends here, and its last state lasts for ever".to_owned()
            }
            last if first == last => format!("step {last} is repeated for ever"),
            _ => format!("steps {first} to {last} are repeated for ever"),
        })
    }

    /// Whether the run goes on for ever with these steps, of which there is at least one.
    pub(crate) fn goes_round(&self) -> bool {
        self.loop_start.is_some_and(|start| start < self.events.len())
    }

    fn fair_in_words(&self, reason: &FairReason) -> String {
        let name = process_name(self.system, self.last_state(), reason.pid);
        match reason.how {
            FairHow::Moves(step) => format!("{name} moves in step {step}"),
            FairHow::Blocked(0) => format!("{name} is blocked at the start"),
            FairHow::Blocked(step) => format!("{name} is blocked after step {step}"),
            FairHow::NeverEnabled => format!("{name} is blocked in the whole loop"),
        }
    }
}
