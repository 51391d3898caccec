//! Labels of edges: conjunctions of literals.

/// A conjunction of literals, as the set of propositions that must be true and the set of those
/// that must be false. The two are disjoint, so that every label is satisfiable.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LiteralSet {
    /// Bit `i`: proposition `i` must be true.
    pub yes: u64,
    /// Bit `i`: proposition `i` must be false.
    pub no: u64,
}

impl LiteralSet {
    /// The label that every letter satisfies.
    pub const ANY: Self = Self { yes: 0, no: 0 };

    /// The label of one literal; the proposition is below 64.
    pub fn literal(proposition: u32, positive: bool) -> Self {
        let bit = 1 << proposition;
        if positive { Self { yes: bit, no: 0 } } else { Self { yes: 0, no: bit } }
    }

    /// Whether the letter satisfies it.
    pub fn allows(self, letter: u64) -> bool {
        self.yes & !letter == 0 && self.no & letter == 0
    }

    /// The conjunction; `None` if it is contradictory.
    pub fn and(self, other: Self) -> Option<Self> {
        let both = Self { yes: self.yes | other.yes, no: self.no | other.no };
        (both.yes & both.no == 0).then_some(both)
    }

    /// Whether every letter that satisfies `self` satisfies `other`.
    pub fn implies(self, other: Self) -> bool {
        other.yes & !self.yes == 0 && other.no & !self.no == 0
    }
}
