//! The syntax tree of an FSP file.
//!
//! Labels keep their structure (words, sets, indices): what they stand for depends on the
//! values of parameters and variables, and is found by `elaborate`.

mod composite;
mod process;
mod temporal;
mod terms;

pub use composite::{Body, BodyKind, CompositeDef, Hide, Priority, Relabel};
pub use process::{Branch, Call, Local, LocalDef, LocalKind, Param, ProcessDef};
pub use temporal::{
    AssertDef, AssertKind, FluentDef, FormulaExpr, FormulaKind, MenuDef, ProgressDef,
    TemporalBinary, TemporalUnary,
};
pub use terms::{
    Domain, LabelExpr, LabelIndex, LabelPart, SetExpr, SetKind, ValueBinary, ValueExpr,
    ValueExprKind, ValueUnary,
};

use crate::source::Span;
use std::rc::Rc;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: Rc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A file: its definitions in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// The definitions.
    pub definitions: Vec<Definition>,
}

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// `const N = 3`.
    Const(ConstDef),
    /// `range R = 0..N`.
    Range(RangeDef),
    /// `set S = {a, b}`.
    Set(SetDef),
    /// `P = (a -> P).`
    Process(ProcessDef),
    /// `||S = (P || Q).`
    Composite(CompositeDef),
    /// `progress A = {a}`.
    Progress(ProgressDef),
    /// `menu RUN = {a}`: read and ignored.
    Menu(MenuDef),
    /// `fluent F = <a, b>`.
    Fluent(FluentDef),
    /// `assert A = [] F`, `ltl_property`, `constraint`.
    Assert(AssertDef),
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstDef {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: ValueExpr,
}

/// A named range.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeDef {
    /// Its name.
    pub name: Name,
    /// The first number.
    pub low: ValueExpr,
    /// The last number.
    pub high: ValueExpr,
}

/// A named set of labels.
#[derive(Clone, Debug, PartialEq)]
pub struct SetDef {
    /// Its name.
    pub name: Name,
    /// Its members.
    pub set: SetExpr,
}

/// `minimal`, `deterministic` or `compose` before a definition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Modifier {
    /// Reduce by weak bisimulation.
    Minimal,
    /// Determinise.
    Deterministic,
    /// Compose, and nothing else.
    Compose,
}
