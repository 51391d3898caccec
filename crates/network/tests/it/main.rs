//! Tests of cutting a system into components.

mod common;
mod meanings;
mod product;
mod verdicts;
