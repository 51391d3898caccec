//! Certificates: evidence that a network satisfies its property, checkable without any engine.
//!
//! A [`Certificate`] says what was proved ([`Origin`]) and why ([`ProofEvidence`]): abstractions of
//! parts of the network, and one or more [`Proof`]s, each an inductive set of states of these
//! abstractions. [`check`] goes through the obligations one by one, each a loop over what is
//! written there; it searches nothing, and shares no code with the engines that find proofs. The
//! [text](mod@text) is specified in `docs/certificate.md`.
#![forbid(unsafe_code)]

pub mod changed;
mod check;
pub mod contract;
pub mod counted;
mod danger;
mod derive;
pub mod fsp;
pub mod model;
pub mod network;
mod nodes;
mod obligation;
mod origin;
pub mod program;
mod proof;
mod sources;
mod steps;
pub mod text;
pub mod unbounded;

pub use check::{Checked, check, check_while};
pub use danger::dangerous;
pub use derive::NotDerived;
pub use obligation::{Obligation, Rejection};
pub use origin::{Certificate, Interface, Listed, Origin, OriginKind, hash};
pub use proof::{About, Map, Node, NodeId, Of, Proof, ProofEvidence, RunLengths, TupleList};
pub use sources::{Include, Sources};
