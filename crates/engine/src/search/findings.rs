//! Violations, with the way to them.

use super::expander::Moves;
use crate::tree::StoredId;
use resy_system::{Violation, ViolationKind};

/// What went wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A step that does what it must not.
    Violation(Violation),
    /// A state without steps in which a process is not at its end.
    InvalidEnd,
    /// A claim is violated: the number of its monitor.
    Claim(usize),
    /// A condition of a claim has no value.
    Condition(usize, ViolationKind),
}

/// A violation with the way to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub outcome: Outcome,
    /// The stored state from which it was found.
    pub from: StoredId,
    /// The moves from there, the last one with the violation.
    pub moves: Vec<Moves>,
    /// How often it was met.
    pub times: u64,
}

/// The violations in the order in which they were found: the first of each kind at
/// each place, and how often it was met.
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

    /// Records a violation; says whether it is the first of its kind at its place.
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
}

impl FromIterator<Finding> for Findings {
    fn from_iter<T: IntoIterator<Item = Finding>>(found: T) -> Self {
        Findings(found.into_iter().collect())
    }
}

/// Whether two violations are of one kind at one place.
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
