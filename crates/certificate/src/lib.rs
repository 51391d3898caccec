//! Certificates: evidence that a network satisfies its property, for those who trust no engine.
//!
//! A [`Certificate`] says what was proved ([`Origin`]) and why it is so ([`Proof`]): an
//! abstraction of each part of the network, and a set of states of these abstractions that
//! nothing leaves. [`check`] goes through the proof's obligations one by one, each a loop
//! over what is written there; it searches nothing, and it shares no code with those who find proofs.
//! The [text](mod@text) is specified in `docs/certificate.md`.
#![forbid(unsafe_code)]

pub mod changed;
mod check;
mod derive;
pub mod model;
pub mod network;
mod obligation;
mod origin;
mod proof;
mod steps;
pub mod text;

pub use check::{Checked, check};
pub use obligation::{Obligation, Rejection};
pub use origin::{Certificate, Interface, Kind, Listed, Origin, hash};
pub use proof::{Map, Node, NodeId, Of, Proof, Runs, Tuples};
