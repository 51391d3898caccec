//! What others read: people, other tools, and the real spin.
//!
//! | module | what is in it |
//! |---|---|
//! | [`requirement`] | a requirement described for people: its states and arrows, its rules in words, text and JSON |
//! | [`run`] | an executed run as a table, message sequence chart, trail, ITF, SARIF and JSON |
//! | [`drawing`] | pictures: layered layout of automata, and SVG of automata and charts |
//! | [`abstraction`] | the abstraction of a program with unbounded data as Promela and as a page |
//! | [`automata`] | component automata as files of other tools |
//! | [`results`] | what the library has found out, as text and JSON |
//! | [`pages`] | the report pages of verdicts and requirements, filled in |
//! | [`report`] | the HTML page with verdicts, runs, requirement and model text |
//! | [`rewrite`] | the Promela program in which a requirement takes the place of its module |
//! | [`spin`] | trail files, and running spin, the C compiler and the verifier |
//!
//! The crate reads and writes formats and runs spin. It never searches a state space and never
//! synthesises a requirement.
#![forbid(unsafe_code)]

pub mod abstraction;
pub mod automata;
pub mod drawing;
pub mod pages;
pub mod report;
pub mod requirement;
pub mod results;
pub mod rewrite;
pub mod run;
pub mod spin;

pub use spin::{Trail, TrailError, TrailLine};
