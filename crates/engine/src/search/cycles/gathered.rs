//! What a set of states and edges has: the condition that makes a component a violation.

use super::pids::PidSet;
use resy_system::Fairness;

/// What an edge of the product has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct EdgeLabel {
    /// The marks of the claim's edge.
    pub marks: u64,
    /// The processes that move; none if fairness does not matter, and in a stutter.
    pub movers: PidSet,
}

impl EdgeLabel {
    /// Only marks.
    pub fn of_marks(marks: u64) -> Self {
        Self { marks, ..Self::default() }
    }
}

/// What a cycle must have to be a violation.
#[derive(Copy, Clone, Debug)]
pub(super) struct Condition {
    /// All marks.
    pub marks: u64,
    pub fairness: Fairness,
}

/// What the states and edges of a component have.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub marks: u64,
    /// The processes that move in some edge.
    pub moved: PidSet,
    /// Under weak fairness the processes that are enabled in all states, under strong fairness in some state.
    pub enabled: PidSet,
    /// Whether there is an edge between its states.
    pub has_edge: bool,
}

impl Gathered {
    /// Of one state.
    pub fn of_state(enabled: PidSet) -> Self {
        Self { enabled, ..Self::default() }
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, edge: &EdgeLabel) {
        self.marks |= edge.marks;
        self.moved.unite(&edge.movers);
        self.has_edge = true;
    }

    /// Adds the states and edges of another component.
    pub fn add(&mut self, other: &Self, fairness: Fairness) {
        self.marks |= other.marks;
        self.moved.unite(&other.moved);
        self.has_edge |= other.has_edge;
        match fairness {
            Fairness::None => {}
            Fairness::Weak => self.enabled.intersect(&other.enabled),
            Fairness::Strong => self.enabled.unite(&other.enabled),
        }
    }

    /// Whether all marks are met.
    pub fn has_marks(&self, condition: Condition) -> bool {
        self.has_edge && condition.marks & !self.marks == 0
    }

    /// Whether a run that visits all of it again and again is a violation.
    pub fn is_violation(&self, condition: Condition) -> bool {
        self.has_marks(condition) && self.enabled.is_within(&self.moved)
    }

    /// The processes to which such a run is not fair.
    pub fn starved(&self) -> PidSet {
        let mut starved = self.enabled.clone();
        starved.remove_all(&self.moved);
        starved
    }
}
