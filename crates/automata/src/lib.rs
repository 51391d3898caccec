//! Automata, as mathematics: this crate knows nothing of Promela, variables, budgets or files.
//!
//! - [`lts`]: labelled transition systems.
//! - [`network`]: components that synchronise on shared actions, and a monitor.
//! - [`product`]: their reachable product, and whether it enters the error state.
//! - [`bisimulation`], [`partition`], [`quotient`]: smaller systems with the same behaviour.
//! - [`words`]: smaller systems with the same words.
//! - [`text`]: exchange formats.
//! - [`fair`]: runs under fair choice, in terminal sets.
//! - [`counting`]: monitors that count, for properties of infinite runs.
//! - [`ltl`]: infinite words; temporal logic over opaque propositions, and Büchi automata.

pub mod bisimulation;
pub mod counting;
pub mod fair;
pub mod ltl;
pub mod lts;
pub mod network;
pub mod partition;
pub mod product;
pub mod quotient;
pub mod text;
pub mod words;

#[cfg(test)]
mod testing;

pub use lts::{ActionId, Alphabet, Label, Lts, LtsBuilder, Reverse, StateId};
pub use network::{Action, Component, ComponentId, Monitor, Network};
pub use partition::{BlockId, Partition};
pub use quotient::Quotient;
