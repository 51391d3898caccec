//! Development only: the real spin, a generator of Promela programs, and the
//! comparison of both tools on one program.
//!
//! Nothing here knows resy's library: both checkers are programs to be run,
//! so that what is tested is what users get.

pub mod bench_models;
pub mod case_studies;
pub mod compare;
pub mod families;
pub mod fixtures;
pub mod generate;
pub mod process;
pub mod resy;
pub mod scratch;
pub mod spin;
