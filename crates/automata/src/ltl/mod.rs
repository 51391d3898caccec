//! Temporal logic and automata on infinite words, over opaque propositions.
//!
//! A letter is a *valuation*: bit `i` of a `u64` says whether proposition `i` is true. A
//! [`TemporalFormula`] of linear temporal logic becomes a [`BuchiAutomaton`] ([`translate`]), and
//! [`classify`] decides whether it is a safety formula; if it is, [`BadPrefixes`] recognises its
//! violations on finite prefixes.

mod automaton;
mod formula;
mod label;
mod lasso;
mod nnf;
mod safety;
mod tableau;

pub use automaton::{BuchiAutomaton, BuchiEdge, BuchiStateId};
pub use formula::TemporalFormula;
pub use label::LiteralSet;
pub use lasso::LassoWord;
pub use safety::{BadPrefixes, SafetyClass, classify};
pub use tableau::translate;

/// Why an automaton was not built.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FormulaTooLarge {
    /// A proposition with a number above 63.
    Propositions,
    /// More than 64 eventualities (`U`, `<>` and negated `V`, `W`, `[]`).
    Eventualities,
    /// More states or edges than the limit.
    States,
    /// The automaton of the bad prefixes has more than 64 states.
    BadPrefixes,
}

impl std::fmt::Display for FormulaTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Propositions => "it has more than 64 propositions",
            Self::Eventualities => "it has more than 64 eventualities",
            Self::States => "its automaton is too large",
            Self::BadPrefixes => "the automaton of its bad prefixes has more than 64 states",
        })
    }
}
