//! Evaluation of the same terms under many interpretations, as a search over values does it: which subterms a term has is
//! found out once, and terms that share subterms under one interpretation evaluate them once.

use super::evaluate::Values;
use super::{DataValue, Interpretation, TermId, Terms};
use resy_index::Id;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Memory for evaluations; all of terms of the same [`Terms`].
#[derive(Debug, Default)]
pub struct Evaluation {
    /// The subterms of a term, parts before wholes.
    closures: FxHashMap<TermId, Rc<[TermId]>>,
    known: KnownValues,
}

/// For each term the interpretation under which it was evaluated last, and its value, if it has one.
#[derive(Debug, Default)]
struct KnownValues {
    now: u64,
    values: Vec<(u64, Option<DataValue>)>,
}

impl KnownValues {
    fn is_known(&self, id: TermId) -> bool {
        self.values.get(id.index()).is_some_and(|value| value.0 == self.now)
    }

    fn set(&mut self, id: TermId, value: Option<DataValue>) {
        if id.index() >= self.values.len() {
            self.values.resize(id.index() + 1, (0, None));
        }
        self.values[id.index()] = (self.now, value);
    }
}

impl Values for KnownValues {
    fn value(&self, id: TermId) -> Option<&DataValue> {
        let (evaluated, value) = self.values.get(id.index())?;
        if *evaluated == self.now { value.as_ref() } else { None }
    }
}

/// Evaluation under one interpretation.
pub struct EvaluationUnder<'e> {
    evaluation: &'e mut Evaluation,
    interpretation: &'e Interpretation,
}

impl Evaluation {
    /// Evaluation under an interpretation.
    pub fn under<'e>(&'e mut self, interpretation: &'e Interpretation) -> EvaluationUnder<'e> {
        self.known.now += 1;
        EvaluationUnder { evaluation: self, interpretation }
    }

    fn closure(&mut self, terms: &Terms, id: TermId) -> Rc<[TermId]> {
        self.closures.entry(id).or_insert_with(|| terms.closure(&[id]).into()).clone()
    }
}

impl EvaluationUnder<'_> {
    /// Like [`Terms::evaluate`].
    pub fn evaluate(&mut self, terms: &Terms, id: TermId) -> Option<&DataValue> {
        if !self.evaluation.known.is_known(id) {
            for &part in self.evaluation.closure(terms, id).iter() {
                if !self.evaluation.known.is_known(part) {
                    let known = &self.evaluation.known;
                    let value = terms.value_of(part, known, self.interpretation);
                    self.evaluation.known.set(part, value);
                }
            }
        }
        self.evaluation.known.value(id)
    }

    /// Like [`Terms::holds`].
    pub fn holds(&mut self, terms: &Terms, id: TermId) -> Option<bool> {
        match self.evaluate(terms, id)? {
            DataValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }
}
