//! FSP, the language of LTSA (Magee and Kramer, *Concurrency: State Models and Java
//! Programs*): text to a network, and back to text.
//!
//! Text → tokens ([`lex`](mod@lex)) → syntax tree ([`parse`](mod@parse)) → network. Every
//! stage returns what it could make of its input together with [`Diagnostics`]; none of them
//! reads a file or searches a product.

pub mod ast;
pub mod composition;
pub mod diagnostic;
mod elaborate;
pub mod format;
pub mod formula;
pub mod lex;
pub mod networks;
pub mod parse;
pub mod progress;
pub mod properties;
mod similar;
pub mod source;
pub mod symbols;
pub mod token;

pub use composition::{ComposeOptions, Composition, compose, read, read_within};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use elaborate::ElaborationLimits;
pub use format::format;
pub use parse::parse;
pub use properties::{FspProperty, FspSelection, UnknownFspProperty};
pub use source::Span;
pub use symbols::{FspDeclaration, FspNameKind, FspSymbols, symbols};
