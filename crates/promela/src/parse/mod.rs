//! Tokens to syntax tree.
//!
//! There are three layers. `stream` is the source of tokens (the text, inlines being
//! expanded). `filter` and `lexer` classify them (which class a word has, which line ends are
//! semicolons). The parser proper is a recursive descent with one token of lookahead. The
//! grammar and the separator rules are those of spin 6.5.2.

mod compound;
mod constant;
mod decl;
mod embedded;
mod expr;
mod filter;
mod hints;
mod inline;
mod lexer;
mod message;
mod names;
mod parser;
mod primary;
mod recover;
mod sequence;
mod statement;
mod stray;
mod stream;
#[cfg(test)]
mod tests;
mod unit;
mod words;

use crate::ast::{Expr, Program, Unit};
use crate::diagnostic::Diagnostics;
use crate::source::{SourceMap, Span};
use crate::token::Token;
use filter::Filter;
use names::Names;
use parser::Parser;
use stream::Stream;
use words::Kind;
pub(crate) use words::type_word;
pub use words::{TEMPORAL_WORDS, is_reserved, reserved_words};

/// Parses preprocessed tokens, which end with
/// [`TokenKind::End`](crate::token::TokenKind::End).
pub fn parse(tokens: Vec<Token>, map: &mut SourceMap, diags: &mut Diagnostics) -> Program {
    parse_with_extents(tokens, map, diags).0
}

/// Like [`parse`](fn@parse), with the extent of every unit, from its first to its last token.
pub(crate) fn parse_with_extents(
    tokens: Vec<Token>,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> (Program, Vec<Span>) {
    let tokens = stray::drop_comment_ends(tokens, diags);
    let filter = Filter::new(Stream::new(tokens), Names::default(), map, diags);
    let mut parser = Parser::new(filter);
    let units = parser.units();
    (Program { units }, parser.unit_extents)
}

/// Parses one formula, as in an `ltl` block. The names known so far
/// are those of `program`. `None` if it cannot be read.
pub fn parse_ltl(
    tokens: Vec<Token>,
    program: &Program,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<Expr> {
    let mut filter = Filter::new(Stream::new(tokens), Names::of_program(program), map, diags);
    filter.stream.stop_deferring();
    filter.in_ltl = true;
    let mut parser = Parser::new(filter);
    let formula = parser.full_expr().ok()?;
    if parser.peek().kind != Kind::End {
        parser.expected("the end of the formula");
        return None;
    }
    Some(formula)
}

/// Parses a `never` claim or a `trace` from a separate text, in the context of `program`.
/// `None` if it cannot be read.
pub fn parse_claim(
    tokens: Vec<Token>,
    program: &Program,
    map: &mut SourceMap,
    diags: &mut Diagnostics,
) -> Option<Unit> {
    let filter = Filter::new(Stream::new(tokens), Names::of_program(program), map, diags);
    let mut parser = Parser::new(filter);
    while parser.peek().is_separator() {
        parser.bump();
    }
    let is_claim = matches!(
        parser.peek().kind,
        Kind::Kw(words::Kw::Never | words::Kw::Trace | words::Kw::Notrace)
    );
    if !is_claim {
        parser.expected("`never`, `trace` or `notrace`");
        return None;
    }
    let claim = parser.unit().ok()?;
    while parser.peek().is_separator() {
        parser.bump();
    }
    if parser.peek().kind != Kind::End {
        parser.expected("the end of the claim");
        return None;
    }
    claim
}
