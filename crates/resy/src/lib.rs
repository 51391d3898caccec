//! A compositional model checker for Promela, as a library.
//!
//! A [`Subject`] (a Promela program, processes in FSP, or a network of automata), a [`Question`] and a [`Control`]
//! (limits, cancellation, an observer) go in; a [`Verdict`] on each property comes out. What others
//! read of it (tables, charts, pages, JSON) is made by the crate `resy-export`.
//!
//! | to | call |
//! |---|---|
//! | decide every property | [`check`] |
//! | learn what one process must guarantee | [`assume()`] |
//! | keep a requirement of every process beside the model | [`contract::draft`], [`contract::verify`] |
//! | check a certificate without any engine | [`recheck`] |
//! | cut a program into automata | [`components`] |
//! | decide a program with unbounded data | [`abstracted`] |
//! | run a program step by step | [`Simulation`] |
//! | lay out a text | [`lay_out`] |
//!
//! An engine is one implementation of [`engine::Engine`] in the list [`engine::ENGINES`].
//!
//! ```
#![doc = include_str!("../examples/embed.rs")]
//! ```
#![forbid(unsafe_code)]

pub mod assume;
mod assumption;
mod canonical;
mod check;
mod components;
mod composed;
pub mod contract;
pub mod control;
mod counted;
mod counterexample;
mod draft;
pub mod engine;
mod layout;
mod model;
mod problem;
pub mod pursue;
mod question;
mod recheck;
mod requirement;
mod searched;
mod simulation;
mod specified;
mod split;
mod subject;
mod unbounded;
mod unreached;
mod verdict;

pub use assume::{AssumeOptions, Assumed, PropertyStatus, assume};
pub use assumption::{InterfaceAssumption, PermittedWords};
pub use canonical::counterexample as canonical;
pub use check::{CheckReport, check};
pub use components::{Equivalence, components, reduced};
pub use composed::{Walk, WalkEnd, WalkStep};
pub use control::Control;
pub use counted::counted;
pub use counterexample::{
    Candidate, Counterexample, FairHow, FairReason, Lasso, Spurious, step_name,
};
pub use draft::{Draft, small_requirement};
pub use engine::infinite_run;
pub use layout::{NotLaidOut, lay_out};
pub use model::Model;
pub use problem::{NoProblem, Problem, Source};
pub use question::{
    CallError, Checkpoint, HostList, LossySet, MAX_LOCAL_STATES, Question, SearchOptions,
};
pub use recheck::{
    Accepted, NotAccepted, UnreadCertificate, read_certificate, read_certificates_within, recheck,
};
pub use requirement::NamedRequirement;
pub use resy_automata::network::Network;
pub use resy_certificate::unbounded::DataCertificate;
pub use resy_certificate::{Include, Sources};
pub use resy_compose::alphabet::{AlphabetChoice, AlphabetStart};
pub use resy_compose::learn::{LearnCounts, Lesson};
pub use resy_compose::marks::RequirementMark;
pub use resy_engine::search::Replay;
pub use resy_engine::search::workers::HostsKey;
pub use resy_index::random::SplitMix;
pub use resy_predicate::{
    FactoredAbstraction, FactoredKind, FactoredStep, FactoredVariable, SuccessorMethod,
};
pub use resy_promela::quote::{quote, quote_json, quote_lines};
pub use resy_promela::similar;
pub use resy_system::{
    Fairness, Interpreter, NotChecked, Options, Property, Selection, State, Step, System,
};
pub use simulation::{Moment, Simulation, is_stuck};
pub use specified::{NotSpecified, Specification, specified};
pub use subject::{
    DataAnnotations, DataOptions, Files, FspModel, IncludeRoot, LabelledStatement, MAX_MESSAGES,
    NetworkFile, NoFiles, Program, Read, Reading, Subject, Texts, decode, is_fsp, is_network,
};
pub use unbounded::{
    AbstractAnswer, AbstractOptions, AbstractReport, DataAccepted, DataRun, DataStep, DataVerdict,
    NotAcceptedData, ShownPredicate, abstract_graph, abstract_network, abstract_state_name,
    abstracted, growing_variables, horn_text, read_data_certificates, recheck_data,
};
pub use unreached::{Unreached, statements};
pub use verdict::{Answer, Evidence, Reason, Truth, Verdict};

/// The front end descends into the nesting of a program, which is limited; threads that work on a
/// program get this much room.
pub const STACK: usize = 256 << 20;
