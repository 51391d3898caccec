//! The table of names, by the scope rules of spin.
//!
//! A name is visible in the block that declares it and in the blocks inside.
//! There is no shadowing: a name that is visible cannot be declared again.
//! Labels are names too, but a `goto` may precede its label: the first mention of a name makes
//! an entry.

use crate::source::Span;
use resy_index::{IndexVec, define_id};
use resy_system::{CellType, Scope};
use rustc_hash::FxHashMap;
use std::rc::Rc;

define_id!(
    /// A name in a scope.
    pub(super) struct SymbolId,
    "sym"
);
define_id!(
    /// A `typedef`.
    pub(super) struct TypedefId,
    "typedef"
);

/// The blocks around a place, outermost first, each with a number of its own.
pub(super) type BlockPath = Vec<u32>;

/// The kind of a name.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Mentioned, but not declared (so far).
    Mentioned,
    /// A label.
    Label,
    /// A variable.
    Variable(Variable),
    /// A proctype.
    Proctype,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub scope: Scope,
    pub offset: u32,
    pub ty: Type,
    /// The length, if it is an array.
    pub array: Option<u32>,
    /// The value of a constant initialiser, for sizes given by name.
    pub constant: Option<i64>,
    /// For a buffered channel whose messages are one structure: which.
    pub record: Option<TypedefId>,
}

/// The type of a variable or field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// A scalar type.
    Basic {
        cell: CellType,
        /// The type in a message: one bit for an element of a `bit` array.
        in_message: CellType,
        is_chan: bool,
        /// Whether it was declared `bool`.
        is_bool: bool,
        /// The subtype of an `mtype`; the outer level says that it is one.
        mtype: Option<Option<Rc<str>>>,
    },
    /// A structure.
    Struct(TypedefId),
}

impl Type {
    pub fn is_chan(&self) -> bool {
        matches!(self, Self::Basic { is_chan: true, .. })
    }
}

/// An entry of the table.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub name: Rc<str>,
    /// The unit it belongs to; `None` for a global name.
    pub context: Option<u32>,
    pub blocks: BlockPath,
    pub kind: Kind,
    pub span: Span,
    pub read: bool,
    pub written: bool,
    /// The `mtype` of the names that were assigned to it, once one was.
    pub mtype_seen: Option<Option<String>>,
}

/// All names of the program.
#[derive(Default)]
pub(super) struct Symbols {
    pub table: IndexVec<SymbolId, Symbol>,
    /// The entries of every context, by name; the newest last.
    local: FxHashMap<u32, NameTable>,
    global: NameTable,
}

type NameTable = FxHashMap<Rc<str>, Vec<SymbolId>>;

impl Symbols {
    /// The visible entry of a name: of this context first, then a global one;
    /// the newest first.
    pub fn find(&self, name: &str, context: Option<u32>, blocks: &[u32]) -> Option<SymbolId> {
        let newest = |table: &NameTable| {
            let visible = |id: &&SymbolId| blocks.starts_with(&self.table[**id].blocks);
            table.get(name)?.iter().rev().find(visible).copied()
        };
        let local = context.and_then(|c| self.local.get(&c)).and_then(newest);
        local.or_else(|| self.global.get(name)?.last().copied())
    }

    /// The visible entry of a name, created if there is none.
    pub fn mention(
        &mut self,
        name: &Rc<str>,
        context: Option<u32>,
        blocks: &[u32],
        span: Span,
    ) -> SymbolId {
        if let Some(id) = self.find(name, context, blocks) {
            return id;
        }
        let id = self.table.push(Symbol {
            name: name.clone(),
            context,
            blocks: blocks.to_vec(),
            kind: Kind::Mentioned,
            span,
            read: false,
            written: false,
            mtype_seen: None,
        });
        let table = match context {
            Some(context) => self.local.entry(context).or_default(),
            None => &mut self.global,
        };
        table.entry(name.clone()).or_default().push(id);
        id
    }

    /// The variables of this name that a context declares, in any block.
    pub fn declared_in(&self, context: u32, name: &str) -> Option<&Variable> {
        let ids = self.local.get(&context)?.get(name)?;
        ids.iter().find_map(|&id| match &self.table[id].kind {
            Kind::Variable(variable) => Some(variable),
            _ => None,
        })
    }
}
