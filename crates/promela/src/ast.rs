//! The syntax tree of a Promela program, after preprocessing and after
//! inlines have been expanded.
//!
//! It is close to the text: names are not resolved (except that a name of an `mtype` is known
//! to be a constant, because the grammar depends on it), `for` and `select` are not unfolded,
//! and every block of the text is a [`Block`]. Two trees are the same program text up to layout iff
//! their debug output is equal: a [`Span`] prints as `_`.

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

/// The expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number; also `true`, `false`, `skip` and characters.
    Number(i64),
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
