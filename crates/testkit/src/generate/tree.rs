//! The generated program as a tree. It is closer to the text than a checker's
//! syntax tree: names are strings and nothing is resolved, because shrinking may
//! break references and leaves it to spin to refuse the result.

/// A whole model, in the order of its text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// Preprocessor lines such as `#define N 3`.
    pub defines: Vec<String>,
    /// `mtype` declarations.
    pub mtypes: Vec<MtypeDecl>,
    /// `typedef` declarations.
    pub typedefs: Vec<Typedef>,
    /// Global variables and channels.
    pub globals: Vec<Decl>,
    /// Inlines, callees before callers.
    pub inlines: Vec<Inline>,
    /// Process types; one named `init` is printed as the init process.
    pub proctypes: Vec<Proctype>,
    /// `never`, `ltl`, `trace` and `notrace` blocks as text.
    pub claims: Vec<Claim>,
}

/// `mtype = { A, B }` or `mtype:sub = { A, B }`.
#[derive(Debug, Clone, PartialEq)]
pub struct MtypeDecl {
    /// The subtype's name.
    pub subtype: Option<String>,
    /// The constants.
    pub names: Vec<String>,
}

/// A record type.
#[derive(Debug, Clone, PartialEq)]
pub struct Typedef {
    /// Its name.
    pub name: String,
    /// Its fields; they have no initialisers.
    pub fields: Vec<Decl>,
}

/// The type of a variable or of a message field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Unsigned(u8),
    Pid,
    Mtype(Option<String>),
    Chan,
    Record(String),
}

/// One declared name.
#[derive(Debug, Clone, PartialEq)]
pub struct Decl {
    /// `show` or `local`, usually empty.
    pub prefix: &'static str,
    /// The type.
    pub ty: Type,
    /// The name.
    pub name: String,
    /// The length of an array.
    pub length: Option<u32>,
    /// The initialiser.
    pub init: Init,
}

/// What a variable starts with.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// Nothing is written.
    None,
    /// `= e`.
    Value(Expr),
    /// `= { e, e }`.
    List(Vec<Expr>),
    /// `= [capacity] of { types }`.
    Channel(u32, Vec<Type>),
}

/// `inline name(parameters) { body }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The text that replaces a call.
    pub body: Seq,
}

/// A process type.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Proctype {
    /// Its name, or `init`.
    pub name: String,
    /// `D_proctype`.
    pub deterministic: bool,
    /// `active [n]`; zero for a process that is only run.
    pub active: u32,
    /// Formal parameters.
    pub parameters: Vec<Decl>,
    /// `priority n`.
    pub priority: Option<u32>,
    /// `provided (e)`.
    pub provided: Option<Expr>,
    /// The statements.
    pub body: Seq,
}

/// A block beside the processes.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// `never`, `ltl`, `trace` or `notrace`.
    pub keyword: &'static str,
    /// The whole text.
    pub text: String,
}

/// Statements in a row.
pub type Seq = Vec<Stmt>;

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// A declaration between statements.
    Decl(Decl),
    /// `x = e`.
    Assign(Place, Expr),
    /// `x++` or `x--`.
    Step(Place, &'static str),
    /// An expression as a statement.
    Guard(Expr),
    /// `else`.
    Else,
    /// `skip`.
    Skip,
    /// `printf("…", …)`.
    Printf(&'static str, Vec<Expr>),
    /// `assert(e)`.
    Assert(Expr),
    /// `c!…` or `c!!…`.
    Send(Place, &'static str, Vec<Expr>),
    /// A receive.
    Receive(Receive),
    /// `run P(…)`, or `x = run P(…)`.
    Run(Option<Place>, String, Vec<Expr>),
    /// `if … fi`.
    If(Vec<Seq>),
    /// `do … od`.
    Do(Vec<Seq>),
    /// `atomic { … }`.
    Atomic(Seq),
    /// `d_step { … }`.
    DStep(Seq),
    /// `{ … }`.
    Block(Seq),
    /// `{ … } unless { … }`.
    Unless(Seq, Seq),
    /// `for (x : a .. b) { … }`.
    ForRange(Place, Expr, Expr, Seq),
    /// `for (x in a) { … }`.
    ForIn(Place, Place, Seq),
    /// `select (x : a .. b)`.
    Select(Place, Expr, Expr),
    /// `goto L`.
    Goto(String),
    /// `break`.
    Break,
    /// `L: statement`.
    Labelled(String, Box<Stmt>),
    /// A call of an inline.
    Call(String, Vec<Expr>),
    /// Statements that make sense together only; shrinking keeps them together.
    Group(Seq),
}

/// `c?…` and its variants.
#[derive(Debug, Clone, PartialEq)]
pub struct Receive {
    /// The channel.
    pub channel: Place,
    /// `??`: not only the first message.
    pub random: bool,
    /// `c?<…>`: the message stays.
    pub keep: bool,
    /// What is done with each field.
    pub arguments: Vec<Argument>,
}

/// One argument of a receive or poll.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A variable to be set.
    Bind(Place),
    /// A whole record to be set.
    BindRecord(Place),
    /// `eval(e)`: the field must have this value.
    Eval(Expr),
    /// A constant to be matched.
    Constant(Expr),
    /// `_`.
    Any,
}

/// Something that can be assigned: `a.b[1].c`.
#[derive(Debug, Clone, PartialEq)]
pub struct Place(pub Vec<Part>);

/// One component of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The name.
    pub name: String,
    /// The index; in range whatever the values of the variables.
    pub index: Index,
}

/// An array index. The form keeps shrinking from leaving the range.
#[derive(Debug, Clone, PartialEq)]
pub enum Index {
    /// Not an array.
    None,
    /// A constant.
    Constant(u32),
    /// An expression without negative values, modulo the length.
    Modulo(Box<Expr>, u32),
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    /// A number.
    Number(i64),
    /// `true`, an mtype constant, a macro, `_pid`, `timeout` and the like.
    Word(String),
    /// The value of a variable.
    Read(Place),
    /// A channel or a whole record as an argument; nothing else can stand for it.
    Whole(Place),
    /// `-e`, `~e`, `!e`.
    Unary(&'static str, Box<Expr>),
    /// An operator whose operands are free.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `/`, `%`, `<<`, `>>`: the right side is a constant that keeps the result defined.
    ByConstant(&'static str, Box<Expr>, i64),
    /// `(a op b op c)`: only precedence says what it means.
    Chain(Box<Expr>, Vec<(&'static str, Expr)>),
    /// `(c -> a : b)`.
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)`, `full(c)` and so on.
    Query(&'static str, Place),
    /// `c?[…]` or `c??[…]`.
    Poll(Receive),
    /// `enabled(e)`, `pc_value(e)` or a macro with arguments.
    Apply(String, Vec<Expr>),
    /// `P[e]@L`, or `P@L`.
    RemoteLabel(String, Option<u32>, String),
    /// `P[e]:x`.
    RemoteVariable(String, u32, String),
}

impl Decl {
    /// A variable without initialiser.
    pub fn new(ty: Type, name: String) -> Decl {
        Decl { prefix: "", ty, name, length: None, init: Init::None }
    }
}

impl Place {
    /// A plain variable.
    pub fn variable(name: &str) -> Place {
        Place(vec![Part { name: name.to_owned(), index: Index::None }])
    }
}
