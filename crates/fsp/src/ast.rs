//! The syntax tree of an FSP file.
//!
//! Labels keep their structure (words, sets, indices): what they stand for depends on the
//! values of parameters and variables, and is found by `elaborate`.

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
    pub value: Expr,
}

/// A named range.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeDef {
    /// Its name.
    pub name: Name,
    /// The first number.
    pub low: Expr,
    /// The last number.
    pub high: Expr,
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
    pub default: Expr,
}

/// A local process: a state, or a family of states.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalDef {
    /// Its name.
    pub name: Name,
    /// Its indices.
    pub indices: Vec<Index>,
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
    Jump(Name, Vec<Expr>),
    /// `P; Q(1); LAST`.
    Sequence(Vec<Call>, Box<Local>),
    /// `if … then … else …`; without `else` it stops.
    If(Expr, Box<Local>, Option<Box<Local>>),
    /// `(a -> P | b -> Q)`.
    Choice(Vec<Branch>),
}

/// A process with arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The process.
    pub name: Name,
    /// Its arguments.
    pub args: Vec<Expr>,
}

/// One branch of a choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// `when …`.
    pub guard: Option<Expr>,
    /// Its actions in order; at least one.
    pub labels: Vec<LabelExpr>,
    /// What follows.
    pub next: Local,
}

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
    Forall(Vec<Index>, Box<Body>),
    /// `if … then … else …`; without `else` there is nothing.
    If(Expr, Box<Body>, Option<Box<Body>>),
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
    Forall(Vec<Index>, Vec<Relabel>),
}

/// `\` or `@` with its actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Hide {
    /// `@`: all others are hidden.
    pub expose: bool,
    /// The actions.
    pub set: SetExpr,
}

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
    Index(Index),
}

/// What stands in brackets.
#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    /// A value. A single capitalised name may also be a range or a set.
    Value(Expr),
    /// All values of a domain, bound to a variable or not.
    Binder(Option<Name>, Domain),
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// A range or a set by its name.
    Named(Name),
    /// `1..N`.
    Range(Expr, Expr),
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
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
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
    Member(Box<SetExpr>, Box<Expr>),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
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
pub enum BinaryOp {
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

/// `progress P[i:R] = {…}`, or `if {…} then {…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgressDef {
    /// Its name.
    pub name: Name,
    /// Its indices: one property for each.
    pub indices: Vec<Index>,
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
    pub indices: Vec<Index>,
    /// The actions that make it true.
    pub initiating: LabelExpr,
    /// The actions that make it false.
    pub terminating: LabelExpr,
    /// Its value at the start; false if it is not given.
    pub initially: Option<Expr>,
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
    Named(Name, Vec<Index>, Vec<Expr>),
    /// Actions: one of them has just happened.
    Action(LabelExpr),
    /// `rigid`: a value that does not change.
    Rigid(Expr),
    /// A unary operator.
    Unary(TemporalUnary, Box<FormulaExpr>),
    /// A binary operator.
    Binary(TemporalBinary, Box<FormulaExpr>, Box<FormulaExpr>),
    /// `forall` (true) or `exists` (false).
    Quantifier(bool, Vec<Index>, Box<FormulaExpr>),
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
