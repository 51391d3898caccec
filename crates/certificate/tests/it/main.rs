//! Tests of the checker with programs, changed programs and their contracts.

mod changed_program;
mod common;
mod contract_program;
mod derive;
