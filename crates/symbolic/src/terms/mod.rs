//! Hash-consed terms: equal terms have equal ids.
//!
//! Constructors normalise. Numeric terms are linear sums over *atomic* terms (variables, reads of
//! arrays, conditionals, quotients); a comparison becomes one [`Term::Compare`] whose coefficients are
//! coprime integers, the first of them positive, or the negation of one: `x > 0` is the negation of
//! `x <= 0`. Connectives are conjunction, negation and conditional only. A term is made after its
//! parts, so ids in ascending order are a topological order, and no traversal needs recursion.

mod arithmetic;
mod arrays;
mod connectives;
mod evaluate;
mod evaluation;
mod excerpt;
mod print;
mod substitute;
mod walk;

use crate::rational::Rational;
use resy_index::{IndexVec, define_id};
use rustc_hash::FxHashMap;

pub use evaluate::{ArrayValue, DataValue, Interpretation};
pub use evaluation::{Evaluation, EvaluationUnder};
pub use excerpt::TermExcerpt;

define_id!(
    /// A term of one [`Terms`].
    pub struct TermId,
    "t"
);

define_id!(
    /// A variable of one [`Terms`]: state, parameter or input.
    pub struct SymbolId,
    "s"
);

/// The type of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Boolean,
    /// An element of ℤ.
    Integer,
    /// An element of ℚ; for linear formulas this is as good as ℝ.
    Rational,
    /// A map from all integers to integers.
    IntegerArray,
    /// A map from all integers to rationals.
    RationalArray,
}

impl Sort {
    /// Whether terms of this sort are numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Rational)
    }

    /// The sort of the elements, of an array.
    pub fn element(self) -> Option<Self> {
        match self {
            Self::IntegerArray => Some(Self::Integer),
            Self::RationalArray => Some(Self::Rational),
            _ => None,
        }
    }
}

/// How a sum is compared with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `<`; never for integers.
    Less,
    /// `==`
    Equal,
}

/// `Σ coefficient·term + constant`. The terms are atomic and numeric, in ascending order, each once,
/// and no coefficient is zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LinearSum {
    /// The summands.
    pub summands: Vec<(TermId, Rational)>,
    /// What is added.
    pub constant: Rational,
}

impl Default for Rational {
    fn default() -> Self {
        Self::ZERO
    }
}

/// A term. Build terms with the methods of [`Terms`], which keep the normal form.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// A truth value.
    Boolean(bool),
    /// A variable.
    Symbol(SymbolId),
    /// Negation, of a term that is no negation and no truth value.
    Not(TermId),
    /// Conjunction of two or more terms, in the order of their ids without negations; none is a
    /// conjunction or a truth value.
    And(Vec<TermId>),
    /// `if … then … else …`, of any sort; the condition is no negation. If it is Boolean, the second
    /// term is no negation.
    If(TermId, TermId, TermId),
    /// A sum that is not one atomic term: a number is a sum without summands.
    Sum(LinearSum),
    /// A comparison of a sum whose constant is zero with a number. The coefficients are coprime
    /// integers, the first is positive. If all atomic terms are integers, so is the number, and the
    /// relation is not `Less`.
    Compare(Relation, LinearSum, Rational),
    /// The element of an array at an index.
    Select(TermId, TermId),
    /// An array with one changed element: array, index, value.
    Store(TermId, TermId, TermId),
    /// Equality of two arrays at all indices; the smaller id first.
    SameArray(TermId, TermId),
    /// An index at which the two arrays differ if they do; any integer otherwise.
    Difference(TermId, TermId),
    /// Division of an integer by a number other than −1, 0 and 1, truncated towards zero.
    TruncatedQuotient(TermId, i128),
    /// A product of two terms neither of which is a number: not linear.
    Product(TermId, TermId),
    /// A sum of two terms whose numbers do not fit into 128 bits.
    Overflow(TermId, TermId),
    /// Existential quantification.
    Exists(Vec<SymbolId>, TermId),
}

/// A variable's declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What people call it; need not be unique.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// All terms of one problem.
#[derive(Debug, Default, Clone)]
pub struct Terms {
    symbols: IndexVec<SymbolId, Symbol>,
    terms: IndexVec<TermId, Term>,
    sorts: IndexVec<TermId, Sort>,
    known: FxHashMap<Term, TermId>,
}

impl Terms {
    /// No terms yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable. Two declarations are two variables, even if their names are equal.
    pub fn declare(&mut self, name: &str, sort: Sort) -> SymbolId {
        self.symbols.push(Symbol { name: name.to_owned(), sort })
    }

    /// A new variable, as a term.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = self.declare(name, sort);
        self.symbol(symbol)
    }

    /// The variable as a term.
    pub fn symbol(&mut self, symbol: SymbolId) -> TermId {
        let sort = self.symbols[symbol].sort;
        self.intern(Term::Symbol(symbol), sort)
    }

    /// The declaration of a variable.
    pub fn declaration(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol]
    }

    /// All variables.
    pub fn symbols(&self) -> &IndexVec<SymbolId, Symbol> {
        &self.symbols
    }

    /// The term.
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id]
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> Sort {
        self.sorts[id]
    }

    /// The number of terms; ids are below it.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let id = self.terms.push(term.clone());
        self.sorts.push(sort);
        self.known.insert(term, id);
        id
    }
}
