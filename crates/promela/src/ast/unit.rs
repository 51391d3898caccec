//! Declarations, proctypes and claims: what a program consists of.

use super::{Block, Expr, Name};
use crate::source::Span;

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its top-level parts, in the order of the text. `ltl` blocks come last,
    /// whatever their place: spin reads them after everything else.
    pub units: Vec<Unit>,
}

/// A top-level part of a program.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `proctype`.
    Proctype(Proctype),
    /// `init`.
    Init(Init),
    /// `never`.
    Never(Claim),
    /// `trace` or `notrace`.
    Trace(Claim),
    /// `ltl`.
    Ltl(Ltl),
    /// Variables.
    Decl(Decl),
    /// `mtype = { … }`.
    Mtype(MtypeDecl),
    /// `typedef`.
    Typedef(Typedef),
    /// `inline`: its calls are expanded in place.
    Inline(InlineDef),
}

/// `active [n] proctype name(params) priority p provided (e) { … }`.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// `active`, with the number of instances if one is given.
    pub active: Option<Option<Size>>,
    /// `D_proctype`.
    pub deterministic: bool,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Decl>,
    /// `priority n`.
    pub priority: Option<i64>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// Its body.
    pub body: Block,
}

/// `init priority p { … }`.
#[derive(Clone, Debug)]
pub struct Init {
    /// `priority n`.
    pub priority: Option<i64>,
    /// Its body.
    pub body: Block,
    /// The word `init`.
    pub span: Span,
}

/// A `never` claim, `trace` or `notrace`.
#[derive(Clone, Debug)]
pub struct Claim {
    /// `notrace` (for a trace).
    pub negated: bool,
    /// Its name, if it has one (`never` only).
    pub name: Option<Name>,
    /// Its body.
    pub body: Block,
    /// The word that opens it.
    pub span: Span,
}

/// `ltl name { formula }`.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula; temporal operators occur here and nowhere else.
    pub formula: Expr,
    /// The word `ltl`.
    pub span: Span,
}

/// `mtype:subtype = { a, b, c }`.
#[derive(Clone, Debug)]
pub struct MtypeDecl {
    /// The subtype.
    pub subtype: Option<Name>,
    /// The names, in the order of the text.
    pub names: Vec<Name>,
}

/// `typedef name { fields }`.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Name,
    /// Its fields.
    pub fields: Vec<Decl>,
}

/// The head of an `inline`.
#[derive(Clone, Debug)]
pub struct InlineDef {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Name>,
}

/// `hidden byte x = 1, y[3]`.
#[derive(Clone, Debug)]
pub struct Decl {
    /// `hidden`, `show` or `local`.
    pub visibility: Option<Visibility>,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub vars: Vec<VarDecl>,
    /// The whole declaration.
    pub span: Span,
}

/// A prefix of a type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// `hidden`.
    Hidden,
    /// `show`.
    Show,
    /// `local`.
    Local,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub enum TypeName {
    /// A predefined type; the name is an `mtype`'s subtype.
    Basic(BasicType, Option<Name>),
    /// A `typedef`.
    User(Name),
}

/// The predefined types.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BasicType {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`.
    Unsigned,
    /// `mtype`.
    Mtype,
    /// `chan`.
    Chan,
}

/// One variable of a declaration.
#[derive(Clone, Debug)]
pub struct VarDecl {
    /// Its name.
    pub name: Name,
    /// `: n`, the width of an `unsigned`.
    pub width: Option<i64>,
    /// `[n]`.
    pub array: Option<Size>,
    /// `= …`.
    pub init: Option<Initialiser>,
}

/// A size: a constant expression, already evaluated, or the name of an
/// initialised variable.
#[derive(Clone, Debug)]
pub enum Size {
    /// A constant.
    Value(i64, Span),
    /// A name.
    Name(Name),
}

/// What follows the `=` of a declaration.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// An expression.
    Expr(Expr),
    /// `{ 1, 2, 3 }`: numbers and `mtype` names only.
    List(Vec<Expr>),
    /// `[n] of { types }`.
    Chan(ChanInit),
}

/// `[n] of { types }`.
#[derive(Clone, Debug)]
pub struct ChanInit {
    /// The number of slots; 0 is a rendezvous channel.
    pub capacity: i64,
    /// The types of the message fields.
    pub fields: Vec<TypeName>,
    /// The whole initialiser.
    pub span: Span,
}
