//! The symbols of a program: what it declares, and which declaration each name refers to.
//!
//! [`Symbols`] is made for editors: it exists for broken text too, and all of its spans are
//! places in files. A name in the body of an inline or of a macro has one place, however many
//! expansions it has; if the expansions refer to different declarations, the place refers to
//! all of them.
//!
//! Two passes fill it. `collect` walks over the syntax tree by the scope rules of spin. The
//! names that the tree does not have (in statements with errors, in inlines that are not
//! called, in constant expressions) are left to `lexical`, which resolves them by their place.

mod collect;
mod detail;
mod lexical;
mod macros;
mod walk;

pub(crate) use collect::collect;

use crate::source::Span;
use resy_index::{IndexVec, define_id};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

define_id!(
    /// A declaration of a program.
    pub struct DeclarationId,
    "decl"
);

/// What a declaration declares.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeclarationKind {
    /// A variable of the program or of a process.
    Variable,
    /// A variable of type `chan`.
    Channel,
    /// A parameter of a proctype.
    Parameter,
    /// A proctype.
    Proctype,
    /// `init`.
    Init,
    /// A `never` claim, with its name or without.
    Never,
    /// A `trace` or `notrace`.
    Trace,
    /// An `ltl` formula, with its name or without.
    Ltl,
    /// An inline.
    Inline,
    /// A parameter of an inline.
    InlineParameter,
    /// A `#define`.
    Macro,
    /// A parameter of a macro.
    MacroParameter,
    /// A constant of an `mtype`.
    MtypeConstant,
    /// The subtype in `mtype:subtype = { … }`.
    MtypeSubtype,
    /// A label of a statement.
    Label,
    /// A `typedef`.
    Typedef,
    /// A field of a `typedef`.
    Field,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What it declares.
    pub kind: DeclarationKind,
    /// The name; the keyword for an unnamed `init`, claim or formula.
    pub name: Rc<str>,
    /// The place of the name. Its text differs from the name if a macro has pasted the name together.
    pub name_span: Span,
    /// The whole declaration; it contains the name, if both come from one file.
    pub span: Span,
    /// The proctype, claim, typedef, inline or macro that it belongs to.
    pub container: Option<DeclarationId>,
    /// Where the name alone can refer to it, as offsets of the source map; `None` for everywhere.
    pub visible: Option<Range<u32>>,
    /// The declaration in one line: `byte x[3]`, `proctype P(chan c)`, `#define N 3`.
    pub detail: String,
}

/// A name that refers to a declaration.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameUse {
    /// Where the name stands.
    pub span: Span,
    /// What it refers to.
    pub declaration: DeclarationId,
    /// Whether it is the target of an assignment or receive.
    pub writes: bool,
}

/// The declarations of a program and the uses of their names.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    declarations: IndexVec<DeclarationId, Declaration>,
    /// Sorted by place, without duplicates.
    uses: Vec<NameUse>,
}

impl Symbols {
    /// All declarations; containers come before what they contain.
    pub fn declarations(&self) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        self.declarations.iter_enumerated()
    }

    /// One declaration.
    pub fn declaration(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id]
    }

    /// All uses of names, in the order of their places.
    pub fn uses(&self) -> &[NameUse] {
        &self.uses
    }

    /// The uses of a declaration's name, in the order of their places, without the declaration itself.
    pub fn uses_of(&self, id: DeclarationId) -> impl Iterator<Item = &NameUse> {
        self.uses.iter().filter(move |u| u.declaration == id)
    }

    /// The declarations that the name at an offset of the source map declares or refers to.
    pub fn at(&self, offset: u32) -> Vec<DeclarationId> {
        let touches = |span: Span| span.start <= offset && offset <= span.end;
        let declared = self.declarations().filter(|(_, d)| touches(d.name_span)).map(|(id, _)| id);
        let used = self.uses.iter().filter(|u| touches(u.span)).map(|u| u.declaration);
        let mut found: Vec<DeclarationId> = declared.chain(used).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The declarations that a name at an offset of the source map can refer to.
    pub fn visible_at(&self, offset: u32) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        self.declarations().filter(move |(_, d)| d.is_visible_at(offset))
    }

    /// What belongs to a declaration: parameters and locals of a proctype, fields of a typedef.
    pub fn members(
        &self,
        id: DeclarationId,
    ) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        self.declarations().filter(move |(_, d)| d.container == Some(id))
    }
}

impl Declaration {
    /// Whether the name alone can refer to it at this offset of the source map.
    pub fn is_visible_at(&self, offset: u32) -> bool {
        match &self.visible {
            Some(range) => range.contains(&offset),
            None => true,
        }
    }
}

/// [`Symbols`] that are being collected.
#[derive(Default)]
struct Builder {
    symbols: Symbols,
    /// The declaration at each place: expansions of one text declare the same.
    by_place: FxHashMap<(u32, u32, DeclarationKind), DeclarationId>,
    /// The places whose name is resolved.
    resolved: rustc_hash::FxHashSet<(u32, u32)>,
}

impl Builder {
    /// Adds a declaration, unless it is known from another expansion of the same text.
    fn declare(&mut self, mut declaration: Declaration) -> DeclarationId {
        declaration.name_span = in_file(declaration.name_span);
        declaration.span = in_file(declaration.span);
        let name = declaration.name_span;
        let key = (name.start, name.end, declaration.kind);
        if let Some(&known) = self.by_place.get(&key) {
            return known;
        }
        self.resolved.insert((name.start, name.end));
        let id = self.symbols.declarations.push(declaration);
        self.by_place.insert(key, id);
        id
    }

    fn refer(&mut self, span: Span, declaration: DeclarationId, writes: bool) {
        let span = in_file(span);
        self.resolved.insert((span.start, span.end));
        self.symbols.uses.push(NameUse { span, declaration, writes });
    }

    fn finish(mut self) -> Symbols {
        let uses = &mut self.symbols.uses;
        uses.sort_by_key(|u| (u.span.start, u.span.end, u.declaration, !u.writes));
        uses.dedup_by_key(|u| (u.span.start, u.span.end, u.declaration));
        self.symbols
    }
}

/// A span as a place in a file, whatever expansion its text went through.
fn in_file(span: Span) -> Span {
    Span { expansion: None, ..span }
}
