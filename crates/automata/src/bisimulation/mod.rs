//! The coarsest bisimulations of a system, as partitions of its states.
//!
//! There is one algorithm, in `refinement/`, for branching bisimulation. It wants systems
//! without internal cycles, so that these are contracted first (their states are branching
//! bisimilar). Strong bisimulation is branching bisimulation of a system without internal
//! steps.

pub mod naive;
mod refinement;
mod tau_cycles;

use crate::lts::{Label, Lts};
use crate::partition::Partition;
use crate::quotient::Quotient;
use resy_index::Id;

/// The coarsest strong bisimulation, in O(m log n): the internal action is like any other.
pub fn strong(lts: &Lts) -> Partition {
    let unused = lts.alphabet().last().map_or(0, |action| action.index() + 1);
    let unused = Label::Visible(Id::from_index(unused));
    let visible = |label| if label == Label::Tau { unused } else { label };
    refinement::coarsest(&lts.relabelled(lts.alphabet().clone(), visible))
}

/// The coarsest branching bisimulation, in O(m log n). It does not see divergence: a state
/// with an internal loop is bisimilar to one without. That is right for safety.
pub fn branching(lts: &Lts) -> Partition {
    let acyclic = Quotient::contracting(lts, tau_cycles::partition(lts));
    acyclic.partition().then(&refinement::coarsest(acyclic.lts()))
}

#[cfg(test)]
mod tests;
