//! The value of a term under an interpretation of the variables: the definition of what terms mean.

use super::{LinearSum, Relation, Sort, SymbolId, Term, TermId, Terms};
use crate::rational::Rational;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of a variable or term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DataValue {
    /// Of sort Boolean.
    Boolean(bool),
    /// Of a numeric sort.
    Number(Rational),
    /// Of a sort of arrays.
    Array(ArrayValue),
}

/// An array: one value almost everywhere, and finitely many exceptions. Copies share them until one is changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct ArrayValue {
    default: Rational,
    exceptions: Arc<BTreeMap<i128, Rational>>,
}

impl ArrayValue {
    /// The array that has this value everywhere.
    pub fn constant(default: Rational) -> Self {
        Self { default, exceptions: Arc::default() }
    }

    /// The value almost everywhere.
    pub fn default_value(&self) -> Rational {
        self.default
    }

    /// The indices with other values, and these.
    pub fn exceptions(&self) -> impl Iterator<Item = (i128, Rational)> {
        self.exceptions.iter().map(|(&index, &value)| (index, value))
    }

    /// The value at an index.
    pub fn get(&self, index: i128) -> Rational {
        self.exceptions.get(&index).copied().unwrap_or(self.default)
    }

    /// Changes the value at an index.
    pub fn set(&mut self, index: i128, value: Rational) {
        if value == self.default {
            Arc::make_mut(&mut self.exceptions).remove(&index);
        } else {
            Arc::make_mut(&mut self.exceptions).insert(index, value);
        }
    }

    /// An index at which two arrays differ.
    fn difference(&self, other: &Self) -> Option<i128> {
        let listed = || self.exceptions.keys().chain(other.exceptions.keys()).copied();
        if self.default != other.default {
            return Some(listed().max().map_or(0, |last| last.wrapping_add(1)));
        }
        listed().find(|&index| self.get(index) != other.get(index))
    }
}

/// Values of variables. A variable without one is 0, false, or an array of zeros.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Interpretation {
    values: BTreeMap<SymbolId, DataValue>,
}

impl Interpretation {
    /// Sets the value of a variable, which must be of its sort.
    pub fn set(&mut self, symbol: SymbolId, value: DataValue) {
        self.values.insert(symbol, value);
    }

    /// The value of a variable, if one was set.
    pub fn get(&self, symbol: SymbolId) -> Option<&DataValue> {
        self.values.get(&symbol)
    }

    /// All values that were set, by variable.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &DataValue)> {
        self.values.iter().map(|(&symbol, value)| (symbol, value))
    }

    fn value(&self, terms: &Terms, symbol: SymbolId) -> DataValue {
        let default = || match terms.declaration(symbol).sort {
            Sort::Boolean => DataValue::Boolean(false),
            Sort::Integer | Sort::Rational => DataValue::Number(Rational::ZERO),
            Sort::IntegerArray | Sort::RationalArray => DataValue::Array(ArrayValue::default()),
        };
        self.values.get(&symbol).cloned().unwrap_or_else(default)
    }
}

impl Terms {
    /// The truth value of a Boolean term; `None` if a number does not fit or a quantifier decides.
    pub fn holds(&self, id: TermId, interpretation: &Interpretation) -> Option<bool> {
        match self.evaluate(id, interpretation)? {
            DataValue::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a term; `None` if a number does not fit or a quantifier decides.
    pub fn evaluate(&self, id: TermId, interpretation: &Interpretation) -> Option<DataValue> {
        self.evaluate_all(&[id], interpretation).remove(&id)
    }

    /// The values of all subterms of `roots` that have one.
    pub fn evaluate_all(
        &self,
        roots: &[TermId],
        interpretation: &Interpretation,
    ) -> FxHashMap<TermId, DataValue> {
        let mut values = FxHashMap::default();
        for id in self.closure(roots) {
            if let Some(value) = self.value_of(id, &values, interpretation) {
                values.insert(id, value);
            }
        }
        values
    }

    /// The value of a term whose parts have values.
    pub(super) fn value_of(
        &self,
        id: TermId,
        values: &impl Values,
        known: &Interpretation,
    ) -> Option<DataValue> {
        Some(match self.term(id) {
            Term::Boolean(value) => DataValue::Boolean(*value),
            Term::Symbol(symbol) => known.value(self, *symbol),
            Term::Not(inner) => DataValue::Boolean(!values.boolean(*inner)?),
            Term::And(parts) => DataValue::Boolean(values.conjunction(parts)?),
            Term::If(condition, yes, no) => {
                let chosen = if values.boolean(*condition)? { yes } else { no };
                values.value(*chosen)?.clone()
            }
            Term::Sum(sum) => DataValue::Number(values.sum(sum)?),
            Term::Compare(relation, sum, bound) => {
                let order = values.sum(sum)?.cmp(bound);
                DataValue::Boolean(match relation {
                    Relation::AtMost => order.is_le(),
                    Relation::Less => order.is_lt(),
                    Relation::Equal => order.is_eq(),
                })
            }
            Term::Select(array, index) => {
                DataValue::Number(values.array(*array)?.get(values.integer(*index)?))
            }
            Term::Store(array, index, value) => {
                let mut changed = values.array(*array)?.clone();
                changed.set(values.integer(*index)?, values.number(*value)?);
                DataValue::Array(changed)
            }
            Term::SameArray(a, b) => DataValue::Boolean(values.array(*a)? == values.array(*b)?),
            Term::Difference(a, b) => {
                let index = values.array(*a)?.difference(values.array(*b)?).unwrap_or(0);
                DataValue::Number(Rational::integer(index))
            }
            Term::TruncatedQuotient(dividend, divisor) => {
                DataValue::Number((values.integer(*dividend)?.checked_div(*divisor)?).into())
            }
            Term::Product(a, b) => DataValue::Number(values.number(*a)?.times(values.number(*b)?)?),
            Term::Overflow(a, b) => DataValue::Number(values.number(*a)?.plus(values.number(*b)?)?),
            Term::Exists(..) => return None,
        })
    }
}

/// The values of subterms so far.
pub(super) trait Values {
    /// The value of a subterm, if it has one.
    fn value(&self, id: TermId) -> Option<&DataValue>;

    fn boolean(&self, id: TermId) -> Option<bool> {
        match self.value(id)? {
            DataValue::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// One false part is enough, whether or not the others have values.
    fn conjunction(&self, parts: &[TermId]) -> Option<bool> {
        if parts.iter().any(|&part| self.boolean(part) == Some(false)) {
            return Some(false);
        }
        parts.iter().all(|&part| self.boolean(part).is_some()).then_some(true)
    }

    fn number(&self, id: TermId) -> Option<Rational> {
        match self.value(id)? {
            DataValue::Number(value) => Some(*value),
            _ => None,
        }
    }

    fn integer(&self, id: TermId) -> Option<i128> {
        self.number(id)?.to_integer()
    }

    fn array(&self, id: TermId) -> Option<&ArrayValue> {
        match self.value(id)? {
            DataValue::Array(value) => Some(value),
            _ => None,
        }
    }

    fn sum(&self, sum: &LinearSum) -> Option<Rational> {
        sum.summands.iter().try_fold(sum.constant, |total, &(part, coefficient)| {
            total.plus(coefficient.times(self.number(part)?)?)
        })
    }
}

impl Values for FxHashMap<TermId, DataValue> {
    fn value(&self, id: TermId) -> Option<&DataValue> {
        self.get(&id)
    }
}
