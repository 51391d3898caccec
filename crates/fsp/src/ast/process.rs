//! Primitive processes.

use super::{Hide, LabelExpr, LabelIndex, Modifier, Name, Relabel, SetExpr, ValueExpr};
use crate::source::Span;

/// A primitive process.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessDef {
    /// Whether it is a safety property.
    pub property: bool,
    /// How LTSA treats the automaton.
    pub modifier: Option<Modifier>,
    /// Its name.
    pub name: Name,
    /// Its parameters and their default values.
    pub params: Vec<Param>,
    /// The local processes; the first is the process itself, without indices.
    pub locals: Vec<LocalDef>,
    /// `+ {…}`: more actions of its alphabet.
    pub extension: Option<SetExpr>,
    /// `/ {…}`.
    pub relabel: Vec<Relabel>,
    /// `\ {…}` or `@ {…}`.
    pub hide: Option<Hide>,
}

/// `N = 3` in a list of parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// The value if no argument is given.
    pub default: ValueExpr,
}

/// A local process: a state, or a family of states.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalDef {
    /// Its name.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<LabelIndex>,
    /// Its behaviour.
    pub body: Local,
}

/// A behaviour.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// What it is.
    pub kind: LocalKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of behaviours.
#[derive(Clone, Debug, PartialEq)]
pub enum LocalKind {
    /// `STOP`.
    Stop,
    /// `END`.
    End,
    /// `ERROR`.
    Error,
    /// A local process with the values of its indices.
    Jump(Name, Vec<ValueExpr>),
    /// `P; Q(1); LAST`.
    Sequence(Vec<Call>, Box<Local>),
    /// `if … then … else …`; without `else` it stops.
    If(ValueExpr, Box<Local>, Option<Box<Local>>),
    /// `(a -> P | b -> Q)`.
    Choice(Vec<Branch>),
}

/// A process with arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The process.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<ValueExpr>,
}

/// One branch of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// `when …`.
    pub guard: Option<ValueExpr>,
    /// Its actions in order; at least one.
    pub labels: Vec<LabelExpr>,
    /// What follows.
    pub next: Local,
}
