//! The protocols of editors: a language server, and a [debug adapter](debug) for runs.
//!
//! Both translate: documents and positions on one side, the front ends and the library on the
//! other. What is computed is in the crates below.
#![forbid(unsafe_code)]

mod analysis;
pub mod debug;
mod names;
mod server;
mod text;

pub use server::{serve, serve_stdio};
