//! What a certificate has to show, each obligation with a name and a sentence.

/// Something that must be so for a certificate to be accepted.
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
    /// Every component is below one root, and every node has at most one parent.
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
    /// The inductive set has the initial state.
    InductiveStart,
    /// No step leaves the inductive set.
    Inductive,
    /// No step from the inductive set enters the error state.
    Safe,
}

impl Obligation {
    /// All of them, in the order in which they are looked at.
    pub const ALL: [Self; 16] = [
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
        Self::InductiveStart,
        Self::Inductive,
        Self::Safe,
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
            Self::InductiveStart => "inductive-start",
            Self::Inductive => "inductive",
            Self::Safe => "safe",
        }
    }

    /// What must be so.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Text => "the embedded text has the hash that is given for it",
            Self::Names => "names and sizes are those of the network that the text describes",
            Self::Locals => {
                "the local states of a component are listed once each, the initial one among them"
            }
            Self::LocalsClosed => "no step leads out of the local states that are listed",
            Self::ClaimAtEnd => "no state of a claim is violated by a run that ends there",
            Self::Tree => "every component is below exactly one root",
            Self::Tuples => "a tuple has a state of each system, and no tuple is there twice",
            Self::ProductStart => "the states of a product contain its initial state",
            Self::ProductClosed => "no step leads out of the states of a product",
            Self::Total => "a map gives each concrete state an abstract one",
            Self::Start => "a map leads from the initial state to the initial state",
            Self::Steps => {
                "a map leads from transitions to transitions; only what nobody else sees may stay put"
            }
            Self::Alphabet => "an abstraction has the alphabet of what it stands for",
            Self::InductiveStart => "the inductive set contains the initial state",
            Self::Inductive => "no step leads out of the inductive set",
            Self::Safe => {
                "no state of the inductive set, and no step from it, is in the error state"
            }
        }
    }

    /// The rejection of a certificate that does not meet it.
    pub(crate) fn fails(self, place: impl Into<String>) -> Rejection {
        Rejection { obligation: self, place: place.into() }
    }
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// What is not so.
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
