//! Derivations of contradictions, and their checker.

use crate::terms::{TermId, Terms};

/// Why a conjunction has no model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivation {
    steps: Vec<()>,
}

/// Whether the derivation shows that the hypotheses have no common model; else what is wrong.
pub fn check(
    terms: &mut Terms,
    hypotheses: &[TermId],
    derivation: &Derivation,
) -> Result<(), String> {
    let _ = (terms, hypotheses, &derivation.steps);
    Err("no derivation is accepted yet".to_owned())
}
