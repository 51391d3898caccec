//! The syntax tree of a Promela program, after preprocessing and after
//! inlines have been expanded.
//!
//! It is close to the text: names are not resolved (except that a name of an `mtype` is known
//! to be a constant, because the grammar depends on it), `for` and `select` are not unfolded,
//! and every block of the text is a [`Block`]. Two trees are the same program text up to layout iff
//! their debug output is equal: a [`Span`] prints as `_`.

mod expr;
mod stmt;
mod unit;

pub use expr::*;
pub use stmt::*;
pub use unit::*;

use crate::source::Span;
use std::rc::Rc;

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: Rc<str>,
    /// Its place.
    pub span: Span,
}
