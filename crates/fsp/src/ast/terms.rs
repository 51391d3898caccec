//! Labels, sets, indices and expressions.

use super::Name;
use crate::source::Span;

/// Dotted labels, possibly many: sets and ranges stand for all their members.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelExpr {
    /// Its parts; at least one.
    pub parts: Vec<LabelPart>,
    /// `\ {…}`, in sets: labels that are left out.
    pub without: Option<SetExpr>,
    /// Where it stands.
    pub span: Span,
}

/// A part of a label.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelPart {
    /// A word.
    Word(Name),
    /// A set.
    Set(SetExpr),
    /// `[…]`.
    Index(LabelIndex),
}

/// What stands in brackets.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelIndex {
    /// A value. A single capitalised name may also be a range or a set.
    Value(ValueExpr),
    /// All values of a domain, bound to a variable or not.
    Binder(Option<Name>, Domain),
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A range or a set by its name.
    Named(Name),
    /// `1..N`.
    Range(ValueExpr, ValueExpr),
    /// `{a, b}`.
    Set(SetExpr),
}

/// A set of labels.
#[derive(Clone, Debug, PartialEq)]
pub struct SetExpr {
    /// What it is.
    pub kind: SetKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of sets.
#[derive(Clone, Debug, PartialEq)]
pub enum SetKind {
    /// A defined set.
    Named(Name),
    /// Its members.
    Members(Vec<LabelExpr>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueExpr {
    /// What it is.
    pub kind: ValueExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueExprKind {
    /// A number.
    Number(i32),
    /// A variable.
    Variable(Name),
    /// A constant or a parameter.
    Constant(Name),
    /// `'a.b`: an action as a value.
    Label(Box<LabelExpr>),
    /// `#S`: the size of a set.
    Size(Box<SetExpr>),
    /// `@(S, i)`: a member of a set, from 0.
    Member(Box<SetExpr>, Box<ValueExpr>),
    /// A unary operator.
    Unary(ValueUnary, Box<ValueExpr>),
    /// A binary operator.
    Binary(ValueBinary, Box<ValueExpr>, Box<ValueExpr>),
}

/// Unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueUnary {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `!`.
    Not,
}

/// Binary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ValueBinary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}
