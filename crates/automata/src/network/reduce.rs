//! Component-wise reduction.
//!
//! Strong bisimulation is a congruence for everything, branching bisimulation for what a safety
//! property can observe: it removes internal steps that change nothing. Strong bisimulation is
//! applied first: it is cheaper, and leaves a smaller system for the second.

use super::{Component, Network};
use crate::bisimulation::{branching_while, strong_while};
use crate::lts::StateId;
use crate::quotient::Quotient;
use resy_index::IndexVec;

/// The equivalence by which components are reduced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Strong bisimulation.
    Strong,
    /// Branching bisimulation that ignores divergence.
    Branching,
}

impl Network {
    /// The network with every component reduced. The monitor stays as it is.
    #[must_use]
    pub fn reduced(&self, reduction: Reduction) -> Self {
        self.reduced_while(reduction, &mut || true).expect("it was not cancelled")
    }

    /// Like [`reduced`](Self::reduced); `None` if `go_on`, which is polled often, cancels.
    pub fn reduced_while(
        &self,
        reduction: Reduction,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let mut components = IndexVec::new();
        for component in &self.components {
            let partition = strong_while(&component.lts, &mut *go_on)?;
            let strongly = quotient(component, &Quotient::of(&component.lts, partition));
            components.push(match reduction {
                Reduction::Strong => strongly,
                Reduction::Branching => {
                    let partition = branching_while(&strongly.lts, &mut *go_on)?;
                    quotient(&strongly, &Quotient::contracting(&strongly.lts, partition))
                }
            });
        }
        Some(Self { components, ..self.clone() })
    }
}

/// The quotient of a component; a class is named after its first member.
fn quotient(component: &Component, quotient: &Quotient) -> Component {
    let mut state_names: IndexVec<StateId, String> = IndexVec::new();
    if !component.state_names.is_empty() {
        let mut names = vec![None; quotient.lts().n_states()];
        for (state, name) in component.state_names.iter_enumerated() {
            let class = resy_index::Id::index(quotient.state_of(state));
            names[class].get_or_insert_with(|| name.clone());
        }
        state_names = names.into_iter().map(Option::unwrap_or_default).collect();
    }
    Component { name: component.name.clone(), lts: quotient.lts().clone(), state_names }
}
