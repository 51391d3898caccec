//! The basis: the predicates that an abstract state has a value of.

use resy_symbolic::ControlId;
use resy_symbolic::{SymbolicProgram, TermId, Terms};
use rustc_hash::FxHashMap;

/// Where a predicate comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PredicateSource {
    /// The user has given it.
    Given,
    /// A weakest precondition of what refutes a path.
    Precondition,
    /// One of several bounds that together are an inductive invariant.
    Invariant,
    /// An assertion of the property or of a guard, as a whole.
    Assertion,
    /// An assignment, as an equality.
    Assignment,
    /// The difference of two counters.
    Counters,
    /// Multiples of two counters that move together.
    Proportions,
    /// What has to be known for a number to fall.
    Ranking,
    /// What the rest of a path needs to know of its beginning.
    Interpolant,
}

impl PredicateSource {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Precondition => "precondition",
            Self::Invariant => "invariant",
            Self::Assertion => "assertion",
            Self::Assignment => "assignment",
            Self::Counters => "counters",
            Self::Proportions => "proportions",
            Self::Ranking => "ranking",
            Self::Interpolant => "interpolant",
        }
    }
}

/// A predicate of the basis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BasisPredicate {
    /// The formula, which is no negation.
    pub formula: TermId,
    /// Where it comes from.
    pub source: PredicateSource,
}

/// Predicates over the data, no two of which are equal up to negation.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    predicates: Vec<BasisPredicate>,
    /// Each predicate as it reads in a control state, where some data may be absent.
    read: FxHashMap<(ControlId, usize), TermId>,
}

impl Basis {
    /// The predicates.
    pub fn as_slice(&self) -> &[BasisPredicate] {
        &self.predicates
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.predicates.is_empty()
    }

    /// Adds a formula or its negation, unless it is there or decided; returns whether it is new.
    pub fn add(&mut self, terms: &Terms, formula: TermId, source: PredicateSource) -> bool {
        let (formula, _) = terms.literal(formula);
        let is_known = self.predicates.iter().any(|p| p.formula == formula);
        if is_known || terms.as_truth(formula).is_some() {
            return false;
        }
        self.predicates.push(BasisPredicate { formula, source });
        true
    }

    /// Keeps the first `n` predicates, and of the others those that `is_kept` says.
    pub(crate) fn retain_from(&mut self, n: usize, mut is_kept: impl FnMut(TermId) -> bool) {
        let new = self.predicates.split_off(n.min(self.predicates.len()));
        self.predicates.extend(new.into_iter().filter(|p| is_kept(p.formula)));
        self.read.retain(|&(_, number), _| number < n);
    }

    /// Keeps the first predicates only.
    pub fn truncate(&mut self, n: usize) {
        self.predicates.truncate(n);
        self.read.retain(|&(_, number), _| number < n);
    }

    /// A predicate as it reads in a control state.
    pub fn in_control(
        &mut self,
        program: &SymbolicProgram<'_>,
        control: ControlId,
        number: usize,
    ) -> TermId {
        let formula = self.predicates[number].formula;
        let read = self.read.entry((control, number));
        *read.or_insert_with(|| program.read_in(control, formula))
    }
}
