//! Tokens to syntax tree: recursive descent with two tokens of lookahead.
//!
//! A syntax error is reported once; the parser then goes on at the next definition. Nesting is
//! bounded, so that no text exhausts the stack.

mod composite;
mod definition;
mod expr;
mod formula;
mod label;
mod parser;
mod process;
mod recover;
#[cfg(test)]
mod tests;

use crate::ast::File;
use crate::diagnostic::Diagnostics;
use crate::lex::lex;
use parser::Parser;

/// Parses a text. Definitions with syntax errors are left out.
pub fn parse(text: &str) -> (File, Diagnostics) {
    parse_within(text, Diagnostics::new())
}

/// Like [`parse`], with the list that tells when to end early.
pub fn parse_within(text: &str, mut diagnostics: Diagnostics) -> (File, Diagnostics) {
    let tokens = lex(text, &mut diagnostics);
    let mut parser = Parser::new(text, tokens, &mut diagnostics);
    let file = parser.file();
    (file, diagnostics)
}
