//! Negation normal form, with equal subformulas shared.
//!
//! Negations stand before propositions only; `U` and `V` are the only temporal
//! operators beside `X`. A formula and its negation are built together from the
//! bottom up, so that nested `<->` do not double the work at each level.

use super::FormulaTooLarge;
use super::formula::TemporalFormula;
use resy_index::{IndexVec, define_id};
use std::collections::BTreeMap;

define_id!(
    /// A subformula.
    pub(crate) struct SubformulaId,
    "f"
);

/// A subformula in negation normal form.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subformula {
    Bool(bool),
    Literal(u32, bool),
    And(SubformulaId, SubformulaId),
    Or(SubformulaId, SubformulaId),
    Next(SubformulaId),
    Until(SubformulaId, SubformulaId),
    Release(SubformulaId, SubformulaId),
}

/// All subformulas so far.
#[derive(Default)]
pub(crate) struct Subformulas {
    nodes: IndexVec<SubformulaId, Subformula>,
    ids: BTreeMap<Subformula, SubformulaId>,
}

impl Subformulas {
    pub fn get(&self, id: SubformulaId) -> Subformula {
        self.nodes[id]
    }

    /// The formula and its negation.
    pub fn add(
        &mut self,
        formula: &TemporalFormula,
    ) -> Result<(SubformulaId, SubformulaId), FormulaTooLarge> {
        Ok(match formula {
            TemporalFormula::Bool(b) => {
                (self.node(Subformula::Bool(*b)), self.node(Subformula::Bool(!b)))
            }
            TemporalFormula::Prop(p) if *p >= u64::BITS => {
                return Err(FormulaTooLarge::Propositions);
            }
            TemporalFormula::Prop(p) => (
                self.node(Subformula::Literal(*p, true)),
                self.node(Subformula::Literal(*p, false)),
            ),
            TemporalFormula::Not(a) => {
                let (yes, no) = self.add(a)?;
                (no, yes)
            }
            TemporalFormula::And(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.and(a, b), self.or(not_a, not_b))
            }
            TemporalFormula::Or(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.or(a, b), self.and(not_a, not_b))
            }
            TemporalFormula::Implies(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.or(not_a, b), self.and(a, not_b))
            }
            TemporalFormula::Equiv(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                let (both, neither) = (self.and(a, b), self.and(not_a, not_b));
                let (one, other) = (self.and(a, not_b), self.and(not_a, b));
                (self.or(both, neither), self.or(one, other))
            }
            TemporalFormula::Next(a) => {
                let (a, not_a) = self.add(a)?;
                (self.next(a), self.next(not_a))
            }
            TemporalFormula::Always(a) => {
                let (a, not_a) = self.add(a)?;
                (self.release(None, a), self.until(None, not_a))
            }
            TemporalFormula::Eventually(a) => {
                let (a, not_a) = self.add(a)?;
                (self.until(None, a), self.release(None, not_a))
            }
            TemporalFormula::Until(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.until(Some(a), b), self.release(Some(not_a), not_b))
            }
            TemporalFormula::Release(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                (self.release(Some(a), b), self.until(Some(not_a), not_b))
            }
            TemporalFormula::WeakUntil(a, b) => {
                let ((a, not_a), (b, not_b)) = (self.add(a)?, self.add(b)?);
                let (either, neither) = (self.or(a, b), self.and(not_a, not_b));
                (self.release(Some(b), either), self.until(Some(not_b), neither))
            }
        })
    }

    fn node(&mut self, node: Subformula) -> SubformulaId {
        *self.ids.entry(node).or_insert_with(|| self.nodes.push(node))
    }

    fn and(&mut self, a: SubformulaId, b: SubformulaId) -> SubformulaId {
        match (self.get(a), self.get(b)) {
            (Subformula::Bool(true), _) => b,
            (_, Subformula::Bool(true)) => a,
            (Subformula::Bool(false), _) => a,
            (_, Subformula::Bool(false)) => b,
            _ if a == b => a,
            _ => self.node(Subformula::And(a.min(b), a.max(b))),
        }
    }

    fn or(&mut self, a: SubformulaId, b: SubformulaId) -> SubformulaId {
        match (self.get(a), self.get(b)) {
            (Subformula::Bool(false), _) => b,
            (_, Subformula::Bool(false)) => a,
            (Subformula::Bool(true), _) => a,
            (_, Subformula::Bool(true)) => b,
            _ if a == b => a,
            _ => self.node(Subformula::Or(a.min(b), a.max(b))),
        }
    }

    fn next(&mut self, a: SubformulaId) -> SubformulaId {
        match self.get(a) {
            Subformula::Bool(_) => a,
            _ => self.node(Subformula::Next(a)),
        }
    }

    /// `a U b`; `<> b` without `a`.
    fn until(&mut self, a: Option<SubformulaId>, b: SubformulaId) -> SubformulaId {
        let a = a.unwrap_or_else(|| self.node(Subformula::Bool(true)));
        match (self.get(a), self.get(b)) {
            (_, Subformula::Bool(_)) | (Subformula::Bool(false), _) => b,
            (_, Subformula::Until(inner, _)) if inner == a => b,
            _ => self.node(Subformula::Until(a, b)),
        }
    }

    /// `a V b`; `[] b` without `a`.
    fn release(&mut self, a: Option<SubformulaId>, b: SubformulaId) -> SubformulaId {
        let a = a.unwrap_or_else(|| self.node(Subformula::Bool(false)));
        match (self.get(a), self.get(b)) {
            (_, Subformula::Bool(_)) | (Subformula::Bool(true), _) => b,
            (_, Subformula::Release(inner, _)) if inner == a => b,
            _ => self.node(Subformula::Release(a, b)),
        }
    }
}
