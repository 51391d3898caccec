//! The lean requirement: the greatest good set within the contexts that are reached.
//!
//! Backward labels cannot be had on the reached contexts alone: they follow pairs that no run reaches, out of
//! these contexts. Two plausible ways to stop there are unsound: to leave such steps out, and to
//! compare the labels of the definition on the reached contexts only. Here a step out of the domain is an error.
//! The pairs are at most the states of the module times the reached contexts; with
//! all contexts as the domain it is the canonical requirement.

use super::budget::Polls;
use super::contexts::ContextSystems;
use super::domain::{Domain, Leaving};
use super::pairs::Pairs;
use crate::merge::together;
use crate::split::Split;
use resy_automata::lts::Lts;
use resy_automata::partition::Partition;
use resy_automata::product::Tuples;
use resy_automata::quotient::Quotient;
use resy_index::Id;

/// The contexts of a lean requirement.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LeanDomain {
    /// Those that are reached.
    Reached,
    /// All that are reached if the module permits everything.
    All,
}

/// A requirement that depends on few contexts.
#[derive(Clone, Debug)]
pub struct LeanRequirement {
    /// The partition of the module's states.
    pub partition: Partition,
    /// The contexts that the requirement does not leave.
    pub contexts: Tuples,
    /// The pairs of classes and contexts that were labelled.
    pub n_pairs: usize,
}

/// The lean requirement of a module with which the property holds. `None` if it does not, or if more than
/// `limit` pairs are reached.
pub fn lean(split: &Split, domain: LeanDomain, limit: usize) -> Option<LeanRequirement> {
    let module = &split.module.lts;
    let environment = split.environment.iter().map(|part| &part.lts);
    let systems = ContextSystems::new(environment, &split.monitor, module.alphabet());
    if systems.fails_at_once() {
        return None;
    }
    let mut go_on = |_: &super::AutoProgress| true;
    let reached = Pairs::reached(&systems, module, limit, &mut Polls::new(&mut go_on)).ok()?;
    let contexts = match domain {
        LeanDomain::Reached => reached.contexts().tuples.clone(),
        LeanDomain::All => all(&systems),
    };
    let closed = Domain::of(&systems, &contexts, usize::MAX)?;
    let rows = equal_rows(module, &reached);
    let n_pairs = rows.n_blocks() * contexts.len();
    let partition = greatest(&systems, module, rows, &closed);
    Some(LeanRequirement { partition, contexts, n_pairs })
}

/// States with equal rows of the reached pairs.
pub(super) fn equal_rows(module: &Lts, reached: &Pairs<'_>) -> Partition {
    Partition::by_keys((0..module.n_states()).map(|state| {
        let mut row = reached.row(state).to_vec();
        row.sort_unstable();
        row
    }))
}

/// The classes, joined where their rows of the greatest good set within the domain are equal.
pub(super) fn greatest(
    systems: &ContextSystems,
    module: &Lts,
    classes: Partition,
    domain: &Domain,
) -> Partition {
    let quotient = Quotient::of(module, classes);
    let not_good = domain.can_err(quotient.lts(), systems, Leaving::Error);
    let lean = together(quotient.lts().n_states(), not_good.iter());
    quotient.partition().then(&lean)
}

/// All contexts that are reached if the module permits everything.
fn all(systems: &ContextSystems) -> Tuples {
    let explorer = systems.explorer();
    let initial = explorer.initial();
    let mut tuples = Tuples::new(initial.len());
    tuples.insert(&initial);
    let mut next = 0;
    while next < tuples.len() {
        let here = tuples[Id::from_index(next)].to_vec();
        explorer.successors(&here, |_, to| {
            if !systems.is_error(to) {
                tuples.insert(to);
            }
        });
        next += 1;
    }
    tuples
}
