//! Violations, with what is needed to replay them.

use super::expander::Moves;
use crate::tree::StoredId;
use resy_system::{Outcome, ViolationKind};

/// A violation, with what is needed to replay it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was violated.
    pub outcome: Outcome,
    /// The stored state from which it was found.
    pub from: StoredId,
    /// The moves from there; the last one violates.
    pub moves: Vec<Moves>,
    /// The number of times it was found.
    pub times: u64,
}

/// The violations in the order of discovery: the first of each kind at each source position, with the
/// number of times it was found.
#[derive(Clone, Debug, Default)]
pub struct Findings(pub(super) Vec<Finding>);

impl Findings {
    /// The violations.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of different violations.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Records a violation; returns whether it is the first of its kind at its source position.
    pub fn add(
        &mut self,
        outcome: Outcome,
        from: StoredId,
        moves: impl FnOnce() -> Vec<Moves>,
    ) -> bool {
        if let Some(found) = self.0.iter_mut().find(|f| same(&f.outcome, &outcome)) {
            found.times += 1;
            return false;
        }
        self.0.push(Finding { outcome, from, moves: moves(), times: 1 });
        true
    }

    /// Adds what was found afterwards.
    pub(super) fn append(&mut self, later: Findings) {
        for found in later.0 {
            match self.0.iter_mut().find(|f| same(&f.outcome, &found.outcome)) {
                Some(known) => known.times += found.times,
                None => self.0.push(found),
            }
        }
    }
}

impl FromIterator<Finding> for Findings {
    fn from_iter<T: IntoIterator<Item = Finding>>(found: T) -> Self {
        Findings(found.into_iter().collect())
    }
}

/// Whether two violations are of the same kind at the same source position.
pub(super) fn same(a: &Outcome, b: &Outcome) -> bool {
    let kind = |k: &ViolationKind| std::mem::discriminant(k);
    match (a, b) {
        (Outcome::Violation(a), Outcome::Violation(b)) => {
            a.source == b.source && kind(&a.kind) == kind(&b.kind)
        }
        (Outcome::Condition(m, a), Outcome::Condition(n, b)) => m == n && kind(a) == kind(b),
        _ => a == b,
    }
}
