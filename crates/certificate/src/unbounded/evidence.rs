//! What a certificate of an abstraction contains.

use crate::Origin;
use resy_symbolic::derivation::Derivation;
use resy_symbolic::{FairAction, Sort, TermExcerpt};

/// Evidence that a program with unbounded data has a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataCertificate {
    /// The program, and how it is read.
    pub origin: Origin,
    /// Why the property holds.
    pub evidence: DataEvidence,
    /// For each obligation, in order, why its formulas have no common model; none if that is left to a solver.
    pub derivations: Vec<Option<WrittenDerivation>>,
}

/// The values of the predicates, in their order.
pub type AbstractValuation = Box<[bool]>;

/// The predicates and where they hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataEvidence {
    /// The variables of the program's formulas: names and sorts.
    pub symbols: Vec<(String, Sort)>,
    /// The terms that predicates and rankings consist of.
    pub terms: TermExcerpt,
    /// The predicates, by their positions among the terms.
    pub predicates: Vec<usize>,
    /// The rankings, by their positions among the terms.
    pub ranks: Vec<usize>,
    /// For each control state, in the order in which they are derived, the valuations that its states may have.
    pub controls: Vec<Vec<AbstractValuation>>,
    /// What a property of infinite runs rests on.
    pub cycles: Option<CycleEvidence>,
}

/// Why no fair cycle violates a property. Abstract states are numbered along the control states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CycleEvidence {
    /// The states that the program may start in.
    pub initial: Vec<usize>,
    /// The steps out of each state.
    pub steps: Vec<Vec<AbstractStep>>,
    /// The propositions of the claim that have a known value in a state: state, number, value.
    pub known: Vec<(usize, usize, bool)>,
    /// The actions that are enabled in all concrete states of a state.
    pub enabled: Vec<(FairAction, usize)>,
    /// A ranking falls on a step, from a value that is not negative: ranking, state, step.
    pub falling: Vec<(usize, usize, AbstractStep)>,
    /// A ranking does not rise on a step.
    pub not_rising: Vec<(usize, usize, AbstractStep)>,
    /// The cycles, decomposed.
    pub components: Vec<CycleComponent>,
}

/// A step of the abstraction: the number of the command in its control state, and the state that it leads to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbstractStep {
    /// The command.
    pub command: usize,
    /// The target.
    pub target: usize,
}

/// Some states of the product with the claim, and why no cycle through them alone violates the property. Edges lead
/// from a component to itself or to an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleComponent {
    /// The states: of the abstraction, and of the claim.
    pub states: Vec<(usize, u32)>,
    /// Why.
    pub reason: CycleReason,
}

/// Why no cycle of a component violates the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CycleReason {
    /// There is no edge inside.
    NoEdge,
    /// No edge inside has this mark.
    NoMark(u32),
    /// A just action is enabled in all states and taken on no edge.
    Just(FairAction),
    /// A compassionate action is taken on no edge; without the states where it is enabled, these are left.
    Compassionate(FairAction, Vec<CycleComponent>),
    /// A ranking rises on no edge; without the edges on which it falls, these are left.
    Rank(usize, Vec<CycleComponent>),
}

/// A derivation with its terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenDerivation {
    /// The terms.
    pub terms: TermExcerpt,
    /// The steps; ids are positions among the terms.
    pub derivation: Derivation,
}
