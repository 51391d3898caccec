//! Promela text to a system, and back to text.
//!
//! Text → tokens ([`preprocess`](mod@preprocess)) → syntax tree ([`parse`](mod@parse)) → system.
//! Every stage returns a result for any input, together with [`Diagnostics`]. No stage reads
//! files: the caller passes a loader.

mod analyze;
pub mod annotation;
pub mod ast;
pub mod diagnostic;
pub mod format;
pub mod lex;
mod lower;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod quote;
pub mod render;
mod similar;
pub mod source;
pub mod symbols;
pub mod token;
mod unparse;

pub use analyze::{Analysis, analyze, analyze_while};
pub use diagnostic::{Code, Diagnostic, Diagnostics, Severity};
pub use lower::lower;
pub use similar::similar;
pub use source::{FileId, SourceFile, SourceMap, Span};
pub use symbols::Symbols;
pub use unparse::unparse;

use preprocess::{Define, Loader};
use resy_system::System;

/// Reads a model: all stages from the text to the system. `None` if there are errors, or if
/// the stages were told to [end early](Diagnostics::new_while).
///
/// A tree with syntax errors has holes and is not lowered: the diagnostics would be
/// consequences of errors that are already reported.
pub fn read(
    name: &str,
    text: String,
    defines: &[Define],
    loader: &mut dyn Loader,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<System> {
    let tokens = preprocess::preprocess(name, text, defines, loader, map, diags);
    let program = parse::parse(tokens, map, diags);
    let broken = diags.is_stopped() || diags.iter().any(|d| d.code.breaks_the_tree());
    (!broken).then(|| lower(&program, map, diags)).flatten()
}
