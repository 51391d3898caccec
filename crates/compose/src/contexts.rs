//! The contexts of a module, explored: `Q = E‖P` without the error state.

use crate::cancellation::Cancellation;
use crate::labels::{ContextId, context};
use crate::split::Split;
use resy_automata::lts::{Rows, StateId};
use resy_automata::product::{Explorer, ProductStep, ProductTooLarge, Tuples};
use resy_index::Id;

/// All contexts that are reachable if the module permits everything.
#[derive(Clone, Debug)]
pub(crate) struct Contexts {
    /// The states of the environment's parts and of the monitor.
    pub tuples: Tuples,
    /// The steps out of each context.
    pub out: Rows<(ProductStep, ContextId)>,
    /// The steps into each context.
    pub into: Rows<(ProductStep, ContextId)>,
    /// The steps of each context into the error state.
    pub errors: Rows<ProductStep>,
}

impl Contexts {
    /// Explores at most `limit` contexts; `None` if cancelled. The initial context must not be an
    /// error.
    pub(crate) fn explore(
        split: &Split,
        limit: usize,
        cancellation: &Cancellation<'_>,
    ) -> Result<Option<Self>, ProductTooLarge> {
        Self::explore_within(split, &|_| true, limit, cancellation)
    }

    /// Like `explore`; a step to a context that is not within a domain counts as an error.
    pub(crate) fn explore_within(
        split: &Split,
        is_within: &dyn Fn(&[StateId]) -> bool,
        limit: usize,
        cancellation: &Cancellation<'_>,
    ) -> Result<Option<Self>, ProductTooLarge> {
        let explorer = Explorer::new(split.context_systems());
        let initial = explorer.initial();
        let mut tuples = Tuples::new(initial.len());
        tuples.insert(&initial);
        let (mut out, mut errors) = (Rows::new(), Rows::new());
        let mut next = 0;
        while next < tuples.len() {
            if tuples.len() > limit {
                return Err(ProductTooLarge { limit });
            }
            if !cancellation.goes_on() {
                return Ok(None);
            }
            let source = tuples[Id::from_index(next)].to_vec();
            let (mut steps, mut bad) = (Vec::new(), Vec::new());
            explorer.successors(&source, |step, target| {
                cancellation.goes_on();
                if target.last() == Some(&split.monitor.error) || !is_within(target) {
                    bad.push(step);
                } else {
                    steps.push((step, context(tuples.insert(target).0.index())));
                }
            });
            steps.sort_unstable();
            bad.sort_unstable();
            bad.dedup();
            out.push(steps);
            errors.push(bad);
            next += 1;
        }
        let reversed = || (0..out.len()).flat_map(|q| out.row(q).iter().map(move |e| (q, e)));
        let entries = || reversed().map(|(q, &(step, to))| (to.index(), (step, context(q))));
        let mut into = Rows::collect(out.len(), entries);
        into.sort();
        Ok(Some(Self { tuples, out, into, errors }))
    }

    /// The number of contexts.
    pub(crate) fn len(&self) -> usize {
        self.tuples.len()
    }

    /// All steps into the error state.
    pub(crate) fn errors(&self) -> impl Iterator<Item = (ContextId, ProductStep)> + '_ {
        (0..self.len()).flat_map(|q| self.errors.row(q).iter().map(move |&step| (context(q), step)))
    }
}
