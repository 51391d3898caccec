//! Blocks and statements.

use super::{Decl, Expr, Name, VarRef};
use crate::source::Span;
use std::rc::Rc;

/// `{ steps }`, or the sequence of an option.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it contains, at least one statement or declaration.
    pub steps: Vec<BlockItem>,
    /// From brace to brace, or from `::` to the last step.
    pub span: Span,
}

/// One element of a sequence.
#[derive(Clone, Debug)]
pub enum BlockItem {
    /// Variables.
    Decl(Decl),
    /// `xr` or `xs`.
    Exclusive {
        /// `xs`: exclusive send; otherwise exclusive receive.
        send: bool,
        /// The channels.
        channels: Vec<VarRef>,
        /// The word `xr` or `xs`.
        span: Span,
    },
    /// A statement.
    Stmt(Stmt),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// The statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `label: stmt`; without a statement it means `label: skip`.
    Labelled(Name, Option<Box<Stmt>>),
    /// `main unless escape`.
    Unless(Box<Stmt>, Box<Stmt>),
    /// An expression as a condition (`run` too).
    Expr(Expr),
    /// `target = value`.
    Assign(VarRef, Expr),
    /// `target++`.
    Increment(VarRef),
    /// `target--`.
    Decrement(VarRef),
    /// `chan!args`, `chan!!args`; `m(a, b)` is flattened to `m, a, b`.
    Send {
        /// The channel.
        chan: VarRef,
        /// `!!`.
        sorted: bool,
        /// The message.
        args: Vec<Expr>,
    },
    /// `chan?args` and its variants.
    Receive {
        /// The channel.
        chan: VarRef,
        /// `??`.
        random: bool,
        /// `?<…>`: the message stays in the channel.
        peek: bool,
        /// The message.
        args: Vec<RecvArg>,
    },
    /// `printf("…", args)`; the string without its quotes.
    Printf(Rc<str>, Vec<Expr>),
    /// `printm(x)`.
    Printm(Expr),
    /// `assert(e)`.
    Assert(Expr),
    /// `else`.
    Else,
    /// `set_priority(pid, priority)`.
    SetPriority(Expr, Expr),
    /// `atomic { … }`.
    Atomic(Block),
    /// `d_step { … }`.
    DStep(Block),
    /// `{ … }`.
    Block(Block),
    /// `if … fi`.
    If(Vec<Block>),
    /// `do … od`.
    Do(Vec<Block>),
    /// `for (var : from .. to) { … }` or `for (var in array) { … }`.
    For {
        /// The index.
        var: VarRef,
        /// What it runs over.
        range: ForRange,
        /// The body.
        body: Block,
    },
    /// `select (var : from .. to)`.
    Select {
        /// The variable.
        var: VarRef,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
        /// Spin's lexer rewrites a `select` between two literal numbers, on one
        /// line, outside an inline and of a variable without `_` in its name,
        /// into an `if` (or a `do` when the range is wider than 32). It then
        /// takes another number of steps than the general form.
        literal: bool,
    },
    /// `goto label`.
    Goto(Name),
    /// `break`.
    Break,
    /// The call of an inline, expanded.
    InlineCall {
        /// The inline.
        name: Name,
        /// Its text with the arguments in place: a [`StmtKind::Block`]. A
        /// `return e` in it is an assignment to the call's result.
        body: Box<Stmt>,
    },
}

/// What a `for` runs over.
#[derive(Clone, Debug)]
pub enum ForRange {
    /// `from .. to`.
    Between(Expr, Expr),
    /// `in array` or `in channel`.
    In(VarRef),
}

/// One field of a receive or poll.
#[derive(Clone, Debug)]
pub enum RecvArg {
    /// A variable that takes the value; `_` drops it.
    Var(VarRef),
    /// `eval(e)`: the value must be equal.
    Eval(Expr),
    /// A number or `mtype` name: the value must be equal.
    Const(Expr),
}
