//! Derivations over other ids of terms: in a file a term is its position in a list.

use crate::derivation::{Axiom, Derivation, DerivationStep};
use crate::terms::TermId;

impl Derivation {
    /// The derivation with other ids of terms.
    #[must_use]
    pub fn with_terms(&self, mut term: impl FnMut(TermId) -> TermId) -> Self {
        let steps = self.steps.iter().map(|step| match step {
            DerivationStep::Hypothesis(id) => DerivationStep::Hypothesis(term(*id)),
            DerivationStep::Axiom(axiom) => DerivationStep::Axiom(axiom.with_terms(&mut term)),
            DerivationStep::Linear(clause, multipliers) => {
                let clause = clause.iter().map(|&id| term(id)).collect();
                DerivationStep::Linear(clause, multipliers.clone())
            }
            DerivationStep::Propagation(clause, premises) => {
                let clause = clause.iter().map(|&id| term(id)).collect();
                DerivationStep::Propagation(clause, premises.clone())
            }
        });
        Self { steps: steps.collect() }
    }
}

impl Axiom {
    fn with_terms(&self, term: &mut dyn FnMut(TermId) -> TermId) -> Self {
        match *self {
            Self::Part(a, part) => Self::Part(term(a), part),
            Self::Conjunction(a) => Self::Conjunction(term(a)),
            Self::Branch(a, holds, value) => Self::Branch(term(a), holds, value),
            Self::Selected(a, holds) => Self::Selected(term(a), holds),
            Self::Equality(a, which) => Self::Equality(term(a), which),
            Self::ReadWritten(a) => Self::ReadWritten(term(a)),
            Self::ReadOther(a) => Self::ReadOther(term(a)),
            Self::ReadSelected(a, holds) => Self::ReadSelected(term(a), holds),
            Self::Congruence(a, b) => Self::Congruence(term(a), term(b)),
            Self::SameElements(a, b) => Self::SameElements(term(a), term(b)),
            Self::Differ(a) => Self::Differ(term(a)),
            Self::Division(a, which) => Self::Division(term(a), which),
        }
    }
}
