//! Tests of cutting a system into components.

mod bounded;
mod common;
mod counted;
mod meanings;
mod product;
mod verdicts;
