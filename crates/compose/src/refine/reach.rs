//! Contexts of unknown reachability, where this matters.
//!
//! The canonical requirement compares classes in reachable contexts, assuming that the module
//! permits everything. An abstract context that may be reachable can consist of unreachable
//! contexts only. Its backward label could then separate classes that the canonical requirement
//! merges. Forward labels have no such problem: they are empty there.
//! So such a context is refined as well. Without this the requirement was larger than the canonical
//! one: rarely, in one of some thousands of generated networks, which is now a test.

use super::abstraction::{Abstraction, Direction};
use super::choose::{Cut, Spot, cut};
use super::refinement::Refinement;
use super::upper::{mergeable, upper};
use crate::labels::ContextId;

impl Refinement<'_> {
    /// For exact labels in both directions: a split that helps to decide which contexts are
    /// reachable. `None` if the requirement does not depend on it.
    pub(crate) fn cut_at_doubt(&self) -> Option<Cut> {
        let sure = self.surely_reached();
        let maybe = self.abstraction.reachable();
        if sure.len() == maybe.len() || self.is_cancelled() {
            return None;
        }
        let upper = upper(&self.abstraction, Direction::Backward, &self.backward.moves);
        let merged = |contexts| mergeable(&self.backward, &upper, contexts).n_blocks();
        if merged(&sure) == merged(&maybe) || self.is_cancelled() {
            return None;
        }
        Some(way_out(&self.abstraction, &sure))
    }

    /// The contexts whose members are all certainly reachable.
    fn surely_reached(&self) -> Vec<ContextId> {
        let labelled = self.abstraction.live().map(|(id, _)| id);
        let start = labelled.filter(|&id| !self.forward.get(id).is_clear()).collect();
        let must = |edge: &super::abstraction::Edge| edge.is_must(Direction::Forward);
        self.abstraction.search(start, Direction::Forward, must)
    }
}

/// A split at the first may-only edge out of these contexts.
fn way_out(abstraction: &Abstraction<'_>, contexts: &[ContextId]) -> Cut {
    let edges = contexts.iter().flat_map(|&id| abstraction.edges(id, Direction::Forward));
    let mut out = edges.filter(|(_, edge)| !contexts.contains(&edge.target));
    let (id, _) = out.next().expect("what may be reached has a way to it");
    cut(abstraction, Direction::Forward, Spot::Edge(id))
}
