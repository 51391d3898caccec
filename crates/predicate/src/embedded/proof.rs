//! From the origins of clauses to a derivation: what the contradiction rests on, in order.

use super::clauses::{ClauseNumber, ClauseOrigin, Lit};
use super::state::State;
use resy_symbolic::derivation::{Derivation, DerivationStep};
use resy_symbolic::{TermId, Terms};
use rustc_hash::FxHashMap;

impl State {
    /// The derivation of the empty clause from hypotheses, by propagation through the premises.
    pub(super) fn derivation(
        &self,
        terms: &mut Terms,
        hypotheses: &[TermId],
        premises: &[ClauseNumber],
    ) -> Derivation {
        let mut steps: Vec<DerivationStep> =
            hypotheses.iter().map(|&term| DerivationStep::Hypothesis(term)).collect();
        let mut number_of: FxHashMap<ClauseNumber, usize> = FxHashMap::default();
        for number in self.needed(premises) {
            number_of.insert(number, steps.len());
            steps.push(self.step(terms, number, &number_of));
        }
        let last = premises.iter().map(|premise| number_of[premise]);
        let last = (0..hypotheses.len()).chain(last).collect();
        steps.push(DerivationStep::Propagation(Vec::new(), last));
        Derivation { steps }
    }

    /// The clauses that the premises rest on, in the order in which they were added.
    fn needed(&self, premises: &[ClauseNumber]) -> Vec<ClauseNumber> {
        let mut is_needed = vec![false; self.clauses.stored.len()];
        premises.iter().for_each(|&premise| is_needed[premise] = true);
        for number in (0..is_needed.len()).rev() {
            if let ClauseOrigin::Propagation(others) = &self.clauses.stored[number].origin
                && is_needed[number]
            {
                others.iter().for_each(|&other| is_needed[other] = true);
            }
        }
        (0..is_needed.len()).filter(|&number| is_needed[number]).collect()
    }

    fn step(
        &self,
        terms: &mut Terms,
        number: ClauseNumber,
        number_of: &FxHashMap<ClauseNumber, usize>,
    ) -> DerivationStep {
        let clause = &self.clauses.stored[number];
        let mut literals: Vec<Lit> = clause.literals.clone();
        literals.sort_unstable();
        let clause_terms = literals.iter().map(|&literal| self.term(terms, literal)).collect();
        match &clause.origin {
            ClauseOrigin::Axiom(axiom) => DerivationStep::Axiom(axiom.clone()),
            // The multipliers are in the order of the sorted literals.
            ClauseOrigin::Linear(multipliers) => {
                DerivationStep::Linear(clause_terms, multipliers.clone())
            }
            ClauseOrigin::Propagation(premises) => {
                let premises = premises.iter().map(|premise| number_of[premise]).collect();
                DerivationStep::Propagation(clause_terms, premises)
            }
        }
    }
}
