//! The obligations of a certificate, each with a name and a sentence.

/// A condition that a certificate must meet to be accepted.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Obligation {
    /// The text has its hash.
    Text,
    /// The names and sizes are those of the network.
    Names,
    /// The listed local states of a component are local states, each once, the initial one among them.
    Locals,
    /// The listed local states are closed under the steps of the program.
    LocalsClosed,
    /// A claim is not violated where a run ends.
    ClaimAtEnd,
    /// No component is below a node, or below the roots of a proof, in two ways.
    Tree,
    /// Tuples have a state of each system, and no tuple is there twice.
    Tuples,
    /// The states of a product have the initial one among them.
    ProductStart,
    /// The states of a product are closed under its steps.
    ProductClosed,
    /// A map gives a state to each concrete state, and no other.
    Total,
    /// A map leads from initial state to initial state.
    Start,
    /// A map leads from transitions to transitions.
    Steps,
    /// An abstraction has the alphabet of what it stands for.
    Alphabet,
    /// The proofs are about every action by which the monitor can err.
    Covered,
    /// An inductive set has the initial state.
    InductiveStart,
    /// No step leaves an inductive set, but into the error state.
    Inductive,
    /// No step from an inductive set that its proof is about enters the error state.
    Safe,
    /// Every valuation has a control state and a value of each predicate, and none is there twice.
    Valuations,
    /// The program starts with a listed valuation.
    DataStart,
    /// No command leads from listed valuations to others.
    DataStep,
    /// No command violates the property from a listed valuation.
    DataSafe,
    /// A proposition has its listed value in all concrete states of a state.
    Proposition,
    /// An action is enabled in all concrete states of a state.
    Enabled,
    /// A ranking is not negative and falls on a step.
    Falls,
    /// A ranking does not rise on a step.
    Rises,
    /// The decomposition leaves no cycle that violates the property.
    Cycles,
}

impl Obligation {
    /// All obligations, in the order in which they are checked.
    pub const ALL: [Self; 26] = [
        Self::Text,
        Self::Locals,
        Self::LocalsClosed,
        Self::ClaimAtEnd,
        Self::Names,
        Self::Tree,
        Self::Tuples,
        Self::ProductStart,
        Self::ProductClosed,
        Self::Total,
        Self::Start,
        Self::Steps,
        Self::Alphabet,
        Self::Covered,
        Self::InductiveStart,
        Self::Inductive,
        Self::Safe,
        Self::Valuations,
        Self::DataStart,
        Self::DataStep,
        Self::DataSafe,
        Self::Proposition,
        Self::Enabled,
        Self::Falls,
        Self::Rises,
        Self::Cycles,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Names => "names",
            Self::Locals => "locals",
            Self::LocalsClosed => "locals-closed",
            Self::ClaimAtEnd => "claim-at-end",
            Self::Tree => "tree",
            Self::Tuples => "tuples",
            Self::ProductStart => "product-start",
            Self::ProductClosed => "product-closed",
            Self::Total => "total",
            Self::Start => "start",
            Self::Steps => "steps",
            Self::Alphabet => "alphabet",
            Self::Covered => "covered",
            Self::InductiveStart => "inductive-start",
            Self::Inductive => "inductive",
            Self::Safe => "safe",
            Self::Valuations => "valuations",
            Self::DataStart => "data-start",
            Self::DataStep => "data-step",
            Self::DataSafe => "data-safe",
            Self::Proposition => "proposition",
            Self::Enabled => "enabled",
            Self::Falls => "falls",
            Self::Rises => "rises",
            Self::Cycles => "cycles",
        }
    }

    /// The condition as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Text => "the embedded text has the hash that is given for it",
            Self::Names => "names and sizes are those of the network that the text describes",
            Self::Locals => {
                "the local states of a component are listed once each, the initial one among them"
            }
            Self::LocalsClosed => "no step leads out of the local states that are listed",
            Self::ClaimAtEnd => "no state of a claim is violated by a run that ends there",
            Self::Tree => "no component is below a node, or the roots of a proof, in two ways",
            Self::Tuples => "a tuple has a state of each system, and no tuple is there twice",
            Self::ProductStart => "the states of a product contain its initial state",
            Self::ProductClosed => "no step leads out of the states of a product",
            Self::Total => "a map gives each concrete state an abstract one",
            Self::Start => "a map leads from the initial state to the initial state",
            Self::Steps => {
                "a map leads from transitions to transitions; only what nobody else sees may stay put"
            }
            Self::Alphabet => "an abstraction has the alphabet of what it stands for",
            Self::Covered => "some proof is about each action by which the monitor can err",
            Self::InductiveStart => "an inductive set contains the initial state",
            Self::Inductive => "no step leads out of an inductive set, but into the error state",
            Self::Safe => {
                "no state of an inductive set is an error, and no step from it that the proof is about"
            }
            Self::Valuations => {
                "every listed valuation has a control state and a value of each predicate, and is there once"
            }
            Self::DataStart => "the program starts with a listed valuation",
            Self::DataStep => "no command leads from listed valuations to others",
            Self::DataSafe => "no command violates the property from a listed valuation",
            Self::Proposition => {
                "a proposition has its listed value in all concrete states of a state"
            }
            Self::Enabled => "an action is enabled in all concrete states of a state",
            Self::Falls => "a ranking is not negative and falls on a step",
            Self::Rises => "a ranking does not rise on a step",
            Self::Cycles => "the decomposition leaves no cycle that violates the property",
        }
    }

    /// The rejection of a certificate that violates this obligation.
    pub(crate) fn fails(self, place: impl Into<String>) -> Rejection {
        Rejection { obligation: self, place: place.into() }
    }
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The violated obligation.
    pub obligation: Obligation,
    /// Where.
    pub place: String,
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { obligation, place } = self;
        write!(f, "obligation `{}` ({}): {place}", obligation.name(), obligation.sentence())
    }
}

impl std::error::Error for Rejection {}
