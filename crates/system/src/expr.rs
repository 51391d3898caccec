//! Expressions with their names resolved.

use crate::command::Pattern;
use crate::layout::CellType;
use crate::memory::Value;
use crate::system::ProctypeId;
use crate::violation::ViolationKind;

/// An expression. Its value is an `i32`; arithmetic wraps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a variable.
    Load(CellRef),
    /// A unary operator.
    Unary(UnaryOp, Box<Expr>),
    /// A binary operator; `&&` and `||` short-circuit.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(cond -> yes : no)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run`: creates the process; its value is the pid.
    Run {
        /// What to run.
        proctype: ProctypeId,
        /// Its arguments.
        args: Vec<Expr>,
        /// Its priority.
        priority: i32,
    },
    /// `len`.
    Len(Box<Expr>),
    /// `full` and its relatives.
    Probe(Probe, Box<Expr>),
    /// `chan?[…]`, `chan??[…]`.
    Poll {
        /// The channel.
        chan: Box<Expr>,
        /// `??`.
        random: bool,
        /// The fields.
        patterns: Vec<Pattern>,
    },
    /// `enabled(pid)`.
    Enabled(Box<Expr>),
    /// `get_priority(pid)`.
    GetPriority(Box<Expr>),
    /// `pc_value(pid)`.
    PcValue(Box<Expr>),
    /// `timeout`: no process can move.
    Timeout,
    /// `np_`: no process stands at a progress label.
    NonProgress,
    /// `_pid`.
    Pid,
    /// `_nr_pr`.
    ProcessCount,
    /// `_last`.
    Last,
    /// `_priority`.
    Priority,
    /// `proctype[pid]:_p`, the location number of another process.
    RemoteLocation {
        /// The proctype.
        proctype: ProctypeId,
        /// The instance; `None` for the first one.
        pid: Option<Box<Expr>>,
    },
    /// `proctype[pid]:var`.
    RemoteLoad {
        /// The proctype.
        proctype: ProctypeId,
        /// The instance; `None` for the first one.
        pid: Option<Box<Expr>>,
        /// The variable, in the frame of that proctype. Its indices are evaluated in the
        /// process that contains the expression.
        place: CellRef,
    },
}

/// The frame of a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// In the globals.
    Global,
    /// In the frame of the process.
    Local,
    /// None: `_`, which can only be written.
    Nowhere,
}

/// A reference to a cell: `offset + Σ index · stride`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellRef {
    /// The frame.
    pub scope: Scope,
    /// The cell of the variable's first element.
    pub offset: u32,
    /// The indices, outermost first.
    pub indices: Vec<IndexTerm>,
    /// The type of the cell.
    pub cell: CellType,
}

/// One index of a reference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexTerm {
    /// Its value.
    pub index: Expr,
    /// The index must be in `0..len`.
    pub len: u32,
    /// Cells from one element to the next.
    pub stride: u32,
}

/// The unary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `!`.
    Not,
    /// `-`.
    Neg,
    /// `~`.
    BitNot,
}

impl UnaryOp {
    /// The value of the operator for a number.
    pub fn apply(self, a: i32) -> i32 {
        match self {
            Self::Not => i32::from(a == 0),
            Self::Neg => a.wrapping_neg(),
            Self::BitNot => !a,
        }
    }
}

/// The binary operators.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
}

impl BinaryOp {
    /// Whether it compares two numbers.
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::Eq | Self::Ne)
    }

    /// The comparison with its sides exchanged.
    pub fn flipped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            other => other,
        }
    }

    /// The comparison that holds when this one does not.
    pub fn negated(self) -> Self {
        match self {
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            other => other,
        }
    }

    /// The value of the operator for two numbers.
    pub fn apply(self, a: i32, b: i32) -> Value {
        Ok(match self {
            Self::Add => a.wrapping_add(b),
            Self::Sub => a.wrapping_sub(b),
            Self::Mul => a.wrapping_mul(b),
            Self::Div | Self::Mod if b == 0 => return Err(ViolationKind::DivisionByZero),
            Self::Div => a.wrapping_div(b),
            Self::Mod => a.wrapping_rem(b),
            Self::BitAnd => a & b,
            Self::BitXor => a ^ b,
            Self::BitOr => a | b,
            // Undefined in C outside 0..32; x86 masks the amount.
            Self::Shl => a.wrapping_shl(b as u32),
            Self::Shr => a.wrapping_shr(b as u32),
            Self::And => i32::from(a != 0 && b != 0),
            Self::Or => i32::from(a != 0 || b != 0),
            comparison => i32::from(comparison.compares(a, b)),
        })
    }

    /// Whether the comparison holds for `a` and `b`; false for other operators.
    pub fn compares(self, a: i32, b: i32) -> bool {
        match self {
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
            Self::Eq => a == b,
            Self::Ne => a != b,
            _ => false,
        }
    }
}

/// A predicate on the number of messages in a channel.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl Expr {
    /// Calls `visit` on this expression and all of its subexpressions.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        match self {
            Self::Load(place) => place.walk(visit),
            Self::Unary(_, e)
            | Self::Len(e)
            | Self::Probe(_, e)
            | Self::Enabled(e)
            | Self::GetPriority(e)
            | Self::PcValue(e) => e.walk(visit),
            Self::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Self::Cond(c, a, b) => {
                c.walk(visit);
                a.walk(visit);
                b.walk(visit);
            }
            Self::Run { args, .. } => args.iter().for_each(|e| e.walk(visit)),
            Self::Poll { chan, patterns, .. } => {
                chan.walk(visit);
                patterns.iter().for_each(|p| p.walk(visit));
            }
            Self::RemoteLocation { pid, .. } => {
                if let Some(e) = pid {
                    e.walk(visit);
                }
            }
            Self::RemoteLoad { pid, place, .. } => {
                if let Some(e) = pid {
                    e.walk(visit);
                }
                place.walk(visit);
            }
            Self::Const(_)
            | Self::Timeout
            | Self::NonProgress
            | Self::Pid
            | Self::ProcessCount
            | Self::Last
            | Self::Priority => {}
        }
    }

    /// The expression with every load of `old` replaced by a load of `new`.
    pub fn with_place(&self, old: &CellRef, new: &CellRef) -> Self {
        let part = |e: &Self| Box::new(e.with_place(old, new));
        match self {
            Self::Load(place) if place == old => Self::Load(new.clone()),
            Self::Unary(op, e) => Self::Unary(*op, part(e)),
            Self::Binary(op, a, b) => Self::Binary(*op, part(a), part(b)),
            Self::Cond(c, a, b) => Self::Cond(part(c), part(a), part(b)),
            other => other.clone(),
        }
    }

    /// Whether this expression or a subexpression satisfies `test`.
    pub fn any(&self, test: impl Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= test(e));
        found
    }
}

/// The debug text says `Place`: stored contracts contain hashes of the debug text of commands.
impl std::fmt::Debug for CellRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Place")
            .field("scope", &self.scope)
            .field("offset", &self.offset)
            .field("indices", &self.indices)
            .field("cell", &self.cell)
            .finish()
    }
}

impl CellRef {
    /// The cell at `offset` of a frame, without an index.
    pub fn cell(scope: Scope, offset: u32, cell: CellType) -> Self {
        Self { scope, offset, indices: Vec::new(), cell }
    }

    /// Calls `visit` on all expressions in the indices.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.indices.iter().for_each(|t| t.index.walk(visit));
    }
}
