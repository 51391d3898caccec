//! Automata, as mathematics: nothing here knows Promela, variables, budgets or files.
//!
//! [`ltl`] is about infinite words: temporal logic over opaque propositions, and Büchi
//! automata.

pub mod ltl;
