//! The steps of a product, straight from the definition.
//!
//! All systems that have an action take it together, the others stay; an internal step belongs to
//! one system alone.

use resy_automata::lts::{ActionId, Label, Lts, StateId};
use rustc_hash::FxHashMap;

/// A product of some systems.
pub struct Joint<'a> {
    systems: Vec<&'a Lts>,
    /// For each action, the systems that have it; first the one in which it is enumerated: that
    /// with the fewest transitions per state.
    having: FxHashMap<ActionId, Vec<usize>>,
}

impl<'a> Joint<'a> {
    /// The product of these.
    pub fn new(systems: Vec<&'a Lts>) -> Self {
        let mut order: Vec<usize> = (0..systems.len()).collect();
        order.sort_by_key(|&i| systems[i].n_transitions() / systems[i].n_states());
        let mut having: FxHashMap<ActionId, Vec<usize>> = FxHashMap::default();
        for i in order {
            systems[i].alphabet().iter().for_each(|a| having.entry(a).or_default().push(i));
        }
        Self { systems, having }
    }

    /// The systems.
    pub fn systems(&self) -> &[&'a Lts] {
        &self.systems
    }

    /// The initial state.
    pub fn initial(&self) -> Vec<StateId> {
        self.systems.iter().map(|lts| lts.initial()).collect()
    }

    /// Visits each step from a state with its target, until a visit fails.
    pub fn steps<E>(
        &self,
        from: &[StateId],
        mut visit: impl FnMut(Label, &[StateId]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (i, lts) in self.systems.iter().enumerate() {
            for run in lts.transitions_from(from[i]).chunk_by(|a, b| a.0 == b.0) {
                let label = run[0].0;
                let participants = match label {
                    Label::Tau => std::slice::from_ref(&i),
                    Label::Visible(action) => &self.having[&action],
                };
                if participants[0] == i {
                    self.together(participants, label, from)
                        .iter()
                        .try_for_each(|to| visit(label, to))?;
                }
            }
        }
        Ok(())
    }

    /// All states that these systems can reach together by a label.
    fn together(
        &self,
        participants: &[usize],
        label: Label,
        from: &[StateId],
    ) -> Vec<Vec<StateId>> {
        let mut ends = vec![from.to_vec()];
        for &i in participants {
            let moves = self.systems[i].transitions_by(from[i], label);
            let moved = |end: &Vec<StateId>, to: StateId| {
                let mut end = end.clone();
                end[i] = to;
                end
            };
            ends = moves.iter().flat_map(|m| ends.iter().map(move |end| moved(end, m.1))).collect();
        }
        ends
    }
}
