//! Development only: the real spin, a generator of Promela programs, and the
//! comparison of both tools on one program.
//!
//! Both checkers are run as programs, so that what is tested is what users get. Only `systems`
//! (the front end, for tests of the stages behind it) and `queries` (terms) use crates of the workspace.

pub mod bench_models;
pub mod case_studies;
pub mod compare;
pub mod composites;
pub mod cyclic;
pub mod damage;
pub mod each;
pub mod families;
pub mod fixtures;
pub mod generate;
pub mod naive;
pub mod networks;
pub mod process;
pub mod queries;
pub mod resy;
pub mod scratch;
pub mod spin;
pub mod symmetric;
pub mod systems;
pub mod targets;
