//! Tests of cutting a system into components.

mod bounded;
mod common;
mod meanings;
mod product;
mod verdicts;
