//! Tests of the checker with programs, changed programs and their contracts.

mod changed_program;
mod common;
mod contract_program;
mod derive;
#[path = "../../../engine/tests/it/common/models.rs"]
#[allow(dead_code, reason = "the engine uses more of it")]
mod models;
