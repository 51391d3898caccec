//! References and expressions.

use super::{Name, RecvArg};
use crate::source::Span;

/// `a[i].b.c[j]`.
#[derive(Clone, Debug)]
pub struct VarRef {
    /// The parts between the dots; never empty.
    pub parts: Vec<VarPart>,
    /// The whole reference.
    pub span: Span,
}

/// One part of a reference.
#[derive(Clone, Debug)]
pub struct VarPart {
    /// The name.
    pub name: Name,
    /// The index.
    pub index: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text.
    pub span: Span,
}

/// A number of the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Numeral {
    /// Its value.
    pub value: i64,
    /// The word that stands for it, if one does: `true`, `false` or `skip`.
    pub word: Option<&'static str>,
}

impl From<i64> for Numeral {
    fn from(value: i64) -> Self {
        Self { value, word: None }
    }
}

impl std::fmt::Display for Numeral {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.word {
            Some(word) => f.write_str(word),
            None => self.value.fmt(f),
        }
    }
}

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number; also `true`, `false`, `skip` and characters.
    Number(Numeral),
    /// A name declared in an `mtype`.
    Mtype(Name),
    /// A variable.
    Var(VarRef),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(cond -> yes : no)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run proctype(args) priority n`.
    Run {
        /// The proctype.
        proctype: Name,
        /// The arguments.
        args: Vec<Expr>,
        /// `priority n`.
        priority: Option<i64>,
    },
    /// `len(chan)`.
    Len(VarRef),
    /// `full(chan)` and its relatives.
    Probe(Probe, VarRef),
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `get_priority(pid)`.
    GetPriority(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `chan?[args]`, `chan??[args]`.
    Poll {
        /// The channel.
        chan: VarRef,
        /// `??`.
        random: bool,
        /// The message.
        args: Vec<RecvArg>,
    },
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `proctype[pid]@label`.
    RemoteLabel {
        /// The proctype.
        proctype: Name,
        /// The instance.
        pid: Option<Box<Expr>>,
        /// The label.
        label: Name,
    },
    /// `proctype[pid]:var`.
    RemoteVar {
        /// The proctype.
        proctype: Name,
        /// The instance.
        pid: Option<Box<Expr>>,
        /// The variable.
        var: VarPart,
    },
}

/// The unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Neg,
    /// `~`.
    BitNot,
    /// `[]`, `always` (in `ltl` only).
    Always,
    /// `<>`, `eventually` (in `ltl` only).
    Eventually,
    /// `X`, `next` (in `ltl` only).
    Next,
}

/// The binary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Mod,
    /// `&`.
    BitAnd,
    /// `^`.
    BitXor,
    /// `|`.
    BitOr,
    /// `<<`.
    Shl,
    /// `>>`.
    Shr,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `->`, `implies` (in `ltl` only).
    Implies,
    /// `<->`, `equivalent` (in `ltl` only).
    Equiv,
    /// `U`, `until`, `stronguntil` (in `ltl` only).
    Until,
    /// `W`, `weakuntil` (in `ltl` only).
    WeakUntil,
    /// `V`, `release` (in `ltl` only).
    Release,
}

/// A predicate on the number of messages in a channel.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Probe {
    /// `full`.
    Full,
    /// `nfull`.
    NotFull,
    /// `empty`.
    Empty,
    /// `nempty`.
    NotEmpty,
}
