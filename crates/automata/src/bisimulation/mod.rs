//! The coarsest bisimulations of a system, as partitions of its states.
//!
//! There is one algorithm, in `refinement/`, for branching bisimulation. It requires a system
//! without internal cycles; these are contracted first, because their states are branching
//! bisimilar. Strong bisimulation is branching bisimulation of a system without internal steps.

pub mod naive;
mod refinement;
pub(crate) mod tau_cycles;

use crate::lts::{Label, Lts};
use crate::partition::Partition;
use crate::quotient::Quotient;
use resy_index::Id;

/// The coarsest strong bisimulation, in O(m log n); the internal action is treated like any other.
pub fn strong(lts: &Lts) -> Partition {
    complete(strong_while(lts, || true))
}

/// Like [`strong`]; `None` if `go_on`, which is polled often, cancels.
pub fn strong_while(lts: &Lts, go_on: impl FnMut() -> bool) -> Option<Partition> {
    let unused = lts.alphabet().last().map_or(0, |action| action.index() + 1);
    let unused = Label::Visible(Id::from_index(unused));
    let visible = |label| if label == Label::Tau { unused } else { label };
    refinement::coarsest(&lts.relabelled(lts.alphabet().clone(), visible), go_on)
}

/// The coarsest branching bisimulation, in O(m log n). It ignores divergence: a state with an
/// internal loop is bisimilar to one without, which is sound for safety.
pub fn branching(lts: &Lts) -> Partition {
    complete(branching_while(lts, || true))
}

/// Like [`branching`]; `None` if `go_on`, which is polled often, cancels.
pub fn branching_while(lts: &Lts, go_on: impl FnMut() -> bool) -> Option<Partition> {
    let acyclic = Quotient::contracting(lts, tau_cycles::partition(lts));
    Some(acyclic.partition().then(&refinement::coarsest(acyclic.lts(), go_on)?))
}

fn complete(found: Option<Partition>) -> Partition {
    found.expect("it was not cancelled")
}

#[cfg(test)]
mod tests;
