//! Certificates: evidence that a network satisfies its property, for those who trust no engine.
//!
//! A [`Certificate`] says what was proved ([`Origin`]) and why it is so ([`ProofEvidence`]):
//! abstractions of parts of the network, and one or more [`Proof`]s, each a set of states of these
//! abstractions that nothing leaves. [`check`] goes through the obligations one by one, each a
//! loop over what is written there; it searches nothing, and it shares no code with those who find proofs.
//! The [text](mod@text) is specified in `docs/certificate.md`.
#![forbid(unsafe_code)]

pub mod changed;
mod check;
pub mod contract;
mod danger;
mod derive;
pub mod model;
pub mod network;
mod nodes;
mod obligation;
mod origin;
mod proof;
mod steps;
pub mod text;

pub use check::{Checked, check};
pub use danger::dangerous;
pub use obligation::{Obligation, Rejection};
pub use origin::{Certificate, Interface, Listed, Origin, OriginKind, hash};
pub use proof::{About, Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths, TupleList};
