//! Progress properties, fluents and formulas.

use super::{LabelExpr, LabelIndex, Name, Param, SetExpr, ValueExpr};
use crate::source::Span;

/// `progress P[i:R] = {…}`, or `if {…} then {…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressDef {
    /// Its name.
    pub name: Name,
    /// Its indices: one property for each.
    pub indices: Vec<LabelIndex>,
    /// The condition of a conditional property.
    pub condition: Option<LabelExpr>,
    /// The actions of which one occurs again and again.
    pub actions: LabelExpr,
}

/// `menu RUN = {…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct MenuDef {
    /// Its name.
    pub name: Name,
    /// Its actions.
    pub actions: LabelExpr,
}

/// `fluent F[i:R] = <{…}, {…}> initially 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct FluentDef {
    /// Its name.
    pub name: Name,
    /// Its indices: one fluent for each.
    pub indices: Vec<LabelIndex>,
    /// The actions that make it true.
    pub initiating: LabelExpr,
    /// The actions that make it false.
    pub terminating: LabelExpr,
    /// Its value at the start; false if it is not given.
    pub initially: Option<ValueExpr>,
}

/// What a formula is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum AssertKind {
    /// `assert`: checked when asked for.
    Assert,
    /// `ltl_property`: a property that composites can contain.
    Property,
    /// `constraint`: a process with the behaviour that the formula allows.
    Constraint,
}

/// A formula with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct AssertDef {
    /// What it is for.
    pub kind: AssertKind,
    /// Its name.
    pub name: Name,
    /// Its parameters and their default values.
    pub params: Vec<Param>,
    /// The formula.
    pub formula: FormulaExpr,
    /// `+ {…}`: more actions of its alphabet.
    pub extension: Option<SetExpr>,
}

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaExpr {
    /// What it is.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// A fluent with its indices, or another assertion with its arguments.
    Named(Name, Vec<LabelIndex>, Vec<ValueExpr>),
    /// Actions: one of them has just happened.
    Action(LabelExpr),
    /// `rigid`: a value that does not change.
    Rigid(ValueExpr),
    /// A unary operator.
    Unary(TemporalUnary, Box<FormulaExpr>),
    /// A binary operator.
    Binary(TemporalBinary, Box<FormulaExpr>, Box<FormulaExpr>),
    /// `forall` (true) or `exists` (false).
    Quantifier(bool, Vec<LabelIndex>, Box<FormulaExpr>),
}

/// Unary operators of formulas.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalUnary {
    Not,
    Next,
    Always,
    Eventually,
}

/// Binary operators of formulas.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TemporalBinary {
    Or,
    And,
    Implies,
    Equiv,
    Until,
    WeakUntil,
}
