//! Transitions backwards.

use super::{Label, Lts, Rows, StateId};
use resy_index::Id;

/// The transitions of a system by their targets.
#[derive(Clone, Debug)]
pub struct Reverse {
    rows: Rows<(Label, StateId)>,
}

impl Reverse {
    /// The transitions of `lts` backwards.
    pub fn of(lts: &Lts) -> Self {
        let entry =
            |(source, label, target): (StateId, Label, StateId)| (target.index(), (label, source));
        let mut rows = Rows::collect(lts.n_states(), || lts.transitions().map(entry));
        rows.sort();
        Self { rows }
    }

    /// The transitions into a state, as label and source: sorted, no two alike.
    pub fn transitions_into(&self, state: StateId) -> &[(Label, StateId)] {
        self.rows.row(state.index())
    }
}
