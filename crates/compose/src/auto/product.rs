//! The product on the fly: for programs with few states, however large their components are.

use super::budget::{Polls, Round};
use super::contexts::ContextSystems;
use super::merge::{Merged, merge};
use super::pairs::Closing;
use super::rows::RowProof;
use super::whole::Whole;
use super::{Attempt, AutoProgress, Grounds};
use crate::explicit;
use crate::requirement::Conclusion;
use crate::settled::until_settled;
use resy_automata::network::{Monitor, Network};
use resy_automata::product::{ProductStep, oldest_first};
use std::cell::OnceCell;

/// The contexts of a whole, once they are needed.
pub(super) struct Product<'w> {
    whole: &'w Whole<'w>,
    systems: OnceCell<ContextSystems>,
}

impl<'w> Product<'w> {
    /// The environment as it is.
    pub(super) fn new(whole: &'w Whole<'w>) -> Self {
        Self { whole, systems: OnceCell::new() }
    }

    /// The contexts; runs end where the property is settled.
    fn systems(&self, monitor: &Monitor) -> &ContextSystems {
        self.systems.get_or_init(|| {
            let environment = self.whole.network.components.iter().skip(1).map(|c| &c.lts);
            let module = self.whole.module().alphabet();
            ContextSystems::new(environment, &until_settled(monitor), module)
        })
    }

    /// Explores the product within the budget of the next round: a unit of its work takes a small part of the time of
    /// that of the others. There is no hope for it if not even one state can be
    /// left by a step of each component.
    pub(super) fn attempt(
        &self,
        monitor: &Monitor,
        round: Round,
        polls: &mut Polls<'_>,
    ) -> Attempt {
        let budget = round.next().proof();
        let (whole, width) = (self.whole, self.whole.network.components.len());
        if width.saturating_mul(width) > budget {
            return Attempt::Undecided;
        }
        let systems = self.systems(monitor);
        let mut proof = match RowProof::new(systems, whole.module(), budget, round, polls) {
            Ok(proof) => proof,
            Err(Closing::Error) => {
                let run = run(&whole.network, polls);
                return run.map_or(Attempt::Undecided, |run| Attempt::Fails(whole.run(&run)));
            }
            Err(_) => return Attempt::Undecided,
        };
        let Merged { partition, quality, is_cancelled } = merge(&mut proof);
        let reached = proof.reached(&partition);
        Attempt::Proved { partition, quality, is_cancelled, reached, grounds: Grounds::Product }
    }
}

/// A shortest run into the error, unless it is cancelled.
pub(crate) fn run(network: &Network, polls: &mut Polls<'_>) -> Option<Vec<ProductStep>> {
    let mut n_asked = 0_usize;
    let go_on = |n_states| {
        n_asked += 1;
        !n_asked.is_multiple_of(256) || polls.go_on(&AutoProgress::Exploring(n_states))
    };
    match explicit::check(network, oldest_first, go_on) {
        Conclusion::Fails(run) => Some(run),
        _ => None,
    }
}
