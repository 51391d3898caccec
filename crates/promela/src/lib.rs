//! Promela text to a system, and back to text.
//!
//! Text → tokens ([`preprocess`](mod@preprocess)) → syntax tree ([`parse`](mod@parse)) → system.
//! Every stage returns what it could make of its input together with
//! [`Diagnostics`]; none of them reads a file: the caller passes a loader.

pub mod ast;
pub mod diagnostic;
pub mod format;
pub mod lex;
mod lower;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod render;
pub mod source;
pub mod token;

pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use lower::lower;
pub use source::{SourceMap, Span};
