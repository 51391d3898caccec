//! The contexts that are reached, as a closed domain for backward labels.
//!
//! Which states of the module can still err in a context follows pairs that no run reaches, and these
//! lead out of the reached contexts. There are two sound ways to stop there. If a step out of the
//! domain counts as an error, the labels are too large, and their complement is a good set: the
//! *lean* requirement. If it is left out, the labels are too small, and every member errs indeed:
//! these are for clashes. To use the small labels for a requirement would be unsound.

use super::contexts::ContextSystems;
use crate::labels::{ContextId, Labels, context};
use crate::moves::Moves;
use resy_automata::lts::{Lts, Rows};
use resy_automata::product::{ProductStep, Tuples};
use resy_index::Id;

/// What a step out of the domain counts as.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// An error.
    Error,
    /// No step at all.
    Nothing,
}

/// Some contexts with the steps between them.
pub(super) struct Domain {
    into: Rows<(ProductStep, ContextId)>,
    errors: Rows<ProductStep>,
    leaving: Rows<ProductStep>,
}

impl Domain {
    /// The domain of these contexts; `None` if it has more than `limit` steps.
    pub(super) fn of(systems: &ContextSystems, tuples: &Tuples, limit: usize) -> Option<Self> {
        let explorer = systems.explorer();
        let (mut errors, mut leaving) = (Rows::new(), Rows::new());
        let mut steps: Vec<(ContextId, ProductStep, ContextId)> = Vec::new();
        let mut n_steps = 0;
        for number in 0..tuples.len() {
            let (mut bad, mut out) = (Vec::new(), Vec::new());
            explorer.successors(&tuples[Id::from_index(number)], |step, to| {
                n_steps += 1;
                match tuples.find(to) {
                    _ if systems.is_error(to) => bad.push(step),
                    Some(to) => steps.push((context(to.index()), step, context(number))),
                    None => out.push(step),
                }
            });
            if n_steps > limit {
                return None;
            }
            for list in [&mut bad, &mut out] {
                list.sort_unstable();
                list.dedup();
            }
            errors.push(bad);
            leaving.push(out);
        }
        let entries = || steps.iter().map(|&(to, step, from)| (to.index(), (step, from)));
        let mut into = Rows::collect(tuples.len(), entries);
        into.sort();
        Some(Self { into, errors, leaving })
    }

    /// For each context, the states of an image of the module that can err from there.
    pub(super) fn can_err(&self, module: &Lts, systems: &ContextSystems, out: Leaving) -> Labels {
        let back = Moves::backward(module, systems.shared());
        let mut labels = Labels::new(self.into.len(), module.n_states());
        for number in 0..self.into.len() {
            let leaving = match out {
                Leaving::Error => self.leaving.row(number),
                Leaving::Nothing => &[],
            };
            for &step in self.errors.row(number).iter().chain(leaving) {
                labels.add(context(number), back.can_enter_error(step));
            }
        }
        let edges = |q: ContextId, visit: &mut dyn FnMut(ProductStep, ContextId)| {
            self.into.row(q.index()).iter().for_each(|&(step, from)| visit(step, from));
        };
        labels.close(&back, edges, |_| ());
        labels
    }
}
