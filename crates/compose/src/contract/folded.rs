//! Requirements from folding: each component, reduced by what no other component observes.
//!
//! The proof is the order in which the components were composed; the checker composes their
//! requirements in the same order. Products that are small for the components are small for their
//! requirements as well.

use super::Agreement;
use crate::evidence::takes_all;
use crate::fold::{self, FoldStage, Folded};
use crate::requirement::Conclusion;
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::network::Network;
use resy_automata::partition::Partition;
use resy_automata::product::{Safety, oldest_first, reaches_error_while};
use resy_certificate::About;
use resy_certificate::contract::{Premise, PremisePart};

/// The maximal number of states of the folded network.
const MAX_LEFT: usize = 200_000;

/// Cancellation is polled once per this number of states.
const POLL_EVERY: usize = 1024;

/// Like [`agree`](super::agree), by folding alone.
pub fn agree(
    network: &Network,
    split: &Split,
    mut go_on: impl FnMut(&FoldStage) -> bool,
) -> Result<Agreement, Conclusion> {
    let mut last = fold::FoldProgress::default();
    let folded = fold::fold(network, fold::FoldLimits::default(), |progress| {
        last = *progress;
        go_on(&FoldStage::Folding(last))
    });
    let mut n_left = 0;
    let found = reaches_error_while(&folded.network, oldest_first, |n_states| {
        n_left += 1;
        n_states <= MAX_LEFT && (n_left % POLL_EVERY > 0 || go_on(&FoldStage::Folding(last)))
    });
    match found {
        Some(Safety::Safe { .. }) => Ok(agreement(split, &folded)),
        Some(Safety::Trace(run)) => {
            Err(folded.unfold(&run).map_or(Conclusion::Interrupted, Conclusion::Fails))
        }
        Some(Safety::TooLarge(_)) | None => Err(Conclusion::Interrupted),
    }
}

fn agreement(split: &Split, folded: &Folded<'_>) -> Agreement {
    let partitions: Vec<Partition> = folded.leaves().cloned().collect();
    let mut premise = Premise { about: About::All, parts: folded.parts() };
    premise.parts = without(&premise.parts, |i| {
        partitions[i].n_blocks() == 1 && takes_all(&split.environment[i].lts)
    });
    Agreement::new(split, partitions, vec![premise])
}

/// The parts without the clauses that `is_out` selects.
pub(super) fn without(parts: &[PremisePart], is_out: impl Fn(usize) -> bool) -> Vec<PremisePart> {
    let mut stack: Vec<Vec<PremisePart>> = Vec::new();
    for &part in parts {
        match (part, stack.last_chunk_mut::<2>()) {
            (PremisePart::Clause(i), _) if is_out(i) => stack.push(Vec::new()),
            (PremisePart::Clause(_), _) => stack.push(vec![part]),
            (PremisePart::Joined, None) => {}
            (PremisePart::Joined, Some([first, second])) => {
                let are_both = !first.is_empty() && !second.is_empty();
                first.append(second);
                first.extend(are_both.then_some(part));
                stack.pop();
            }
        }
    }
    stack.concat()
}

/// Whether a requirement permits everything.
pub(super) fn is_idle(requirement: &Lts) -> bool {
    requirement.n_states() == 1 && takes_all(requirement)
}
