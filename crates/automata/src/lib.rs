//! Automata, as mathematics: nothing here knows Promela, variables, budgets or files.
//!
//! - [`lts`]: labelled transition systems.
//! - [`ltl`] is about infinite words: temporal logic over opaque propositions, and Büchi
//!   automata.

pub mod ltl;
pub mod lts;

pub use lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Reverse, StateId};
