//! Composites, relabelling and hiding.

use super::{Call, LabelExpr, LabelIndex, Modifier, Name, Param, SetExpr, ValueExpr};
use crate::source::Span;

/// A composite process.
#[derive(Clone, Debug, PartialEq)]
pub struct CompositeDef {
    /// Whether it is a safety property.
    pub property: bool,
    /// How LTSA treats the product.
    pub modifier: Option<Modifier>,
    /// Its name.
    pub name: Name,
    /// Its parameters and their default values.
    pub params: Vec<Param>,
    /// Its parts.
    pub body: Body,
    /// `<< {…}` or `>> {…}`.
    pub priority: Option<Priority>,
    /// `\ {…}` or `@ {…}`.
    pub hide: Option<Hide>,
}

/// A part of a composite.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// `{a, b} ::`.
    pub share: Option<LabelExpr>,
    /// `a :`.
    pub prefix: Option<LabelExpr>,
    /// What it is.
    pub kind: BodyKind,
    /// `/ {…}`.
    pub relabel: Vec<Relabel>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyKind {
    /// A process or composite.
    Call(Call),
    /// `(… || …)`.
    Group(Vec<Body>),
    /// `forall [i:R] …`.
    Forall(Vec<LabelIndex>, Box<Body>),
    /// `if … then … else …`; without `else` there is nothing.
    If(ValueExpr, Box<Body>, Option<Box<Body>>),
}

/// `<<` or `>>` with its actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Priority {
    /// `<<`: the actions go before all others; `>>`: after all others.
    pub high: bool,
    /// The actions.
    pub set: SetExpr,
}

/// An element of a relabelling.
#[derive(Clone, Debug, PartialEq)]
pub enum Relabel {
    /// `new / old`.
    Pair(LabelExpr, LabelExpr),
    /// `forall [i:R] {…}`.
    Forall(Vec<LabelIndex>, Vec<Relabel>),
}

/// `\` or `@` with its actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Hide {
    /// `@`: all others are hidden.
    pub expose: bool,
    /// The actions.
    pub set: SetExpr,
}
