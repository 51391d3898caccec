//! The declarations of a syntax tree and the names in it, by the scope rules of spin.
//!
//! A variable is visible from its declaration to the end of its block, a global one in the
//! units that follow. The options of a selection share the scope around them. The body of an
//! inline is resolved where it is called. Labels belong to their unit; a jump prefers a label
//! of its own block, then one of a block around it.

use super::{
    Builder, Declaration, DeclarationId, DeclarationKind, Symbols, detail, lexical, macros,
};
use crate::ast::{
    BasicType, Block, Decl, Initialiser, Name, Program, Size, TypeName, Unit, VarDecl,
};
use crate::preprocess::MacroRecord;
use crate::print;
use crate::source::{SourceMap, Span};
use crate::token::Token;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The symbols of a program, with the macros of its text. `tokens` are those that the program
/// was parsed from, `extents` the whole texts of its units.
pub(crate) fn collect(
    program: &Program,
    extents: &[Span],
    tokens: &[Token],
    record: &MacroRecord,
    map: &SourceMap,
) -> Symbols {
    let mut collector = Collector::default();
    macros::collect(record, map, &mut collector.out);
    collector.name_units(program, extents);
    for (unit, &extent) in program.units.iter().zip(extents) {
        collector.unit(unit, extent);
    }
    collector.resolve_remote();
    lexical::resolve(tokens, &mut collector.out);
    collector.out.finish()
}

/// The fields of a `typedef`: each with its declaration and its type's name.
type Fields = FxHashMap<Rc<str>, (DeclarationId, Option<Rc<str>>)>;

/// The blocks around a place, outermost first, each with a number of its own.
type BlockPath = Vec<u32>;

/// The names of one unit that can be asked for from outside or before their declaration.
#[derive(Default)]
struct UnitNames {
    variables: FxHashMap<Rc<str>, DeclarationId>,
    labels: Vec<(Rc<str>, BlockPath, DeclarationId)>,
}

/// A reference `P@label` or `P:variable`.
pub(super) struct Remote {
    pub proctype: Rc<str>,
    pub name: Name,
    pub is_label: bool,
}

#[derive(Default)]
pub(super) struct Collector {
    pub out: Builder,
    globals: FxHashMap<Rc<str>, DeclarationId>,
    mtypes: FxHashMap<Rc<str>, DeclarationId>,
    /// How many constants each `mtype` has so far, by subtype.
    mtype_sizes: FxHashMap<Option<Rc<str>>, usize>,
    subtypes: FxHashMap<Rc<str>, DeclarationId>,
    typedefs: FxHashMap<Rc<str>, (DeclarationId, Fields)>,
    proctypes: FxHashMap<Rc<str>, DeclarationId>,
    inlines: FxHashMap<Rc<str>, DeclarationId>,
    /// The type of each variable that is a structure.
    structures: FxHashMap<DeclarationId, Rc<str>>,
    units: FxHashMap<DeclarationId, UnitNames>,
    pub remote: Vec<Remote>,

    // The unit being read.
    unit: Option<DeclarationId>,
    names: UnitNames,
    blocks: Vec<FxHashMap<Rc<str>, DeclarationId>>,
    path: BlockPath,
    n_blocks: u32,
    /// The end of each open block.
    ends: Vec<Span>,
    pub jumps: Vec<(Name, BlockPath)>,
}

impl Collector {
    /// Declares what may be used before its declaration: proctypes and inlines.
    fn name_units(&mut self, program: &Program, extents: &[Span]) {
        for (unit, &extent) in program.units.iter().zip(extents) {
            match unit {
                Unit::Proctype(p) => {
                    let id =
                        self.top(DeclarationKind::Proctype, &p.name, extent, detail::proctype(p));
                    self.proctypes.entry(p.name.text.clone()).or_insert(id);
                }
                Unit::Inline(inline) => {
                    let text = detail::inline(inline);
                    let id = self.top(DeclarationKind::Inline, &inline.name, extent, text);
                    self.inlines.entry(inline.name.text.clone()).or_insert(id);
                    for param in &inline.params {
                        self.out.declare(Declaration {
                            kind: DeclarationKind::InlineParameter,
                            name: param.text.clone(),
                            name_span: param.span,
                            span: param.span,
                            container: Some(id),
                            visible: Some(extent.start..extent.end),
                            detail: param.text.to_string(),
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// A declaration outside of everything else.
    fn top(
        &mut self,
        kind: DeclarationKind,
        name: &Name,
        span: Span,
        detail: String,
    ) -> DeclarationId {
        self.out.declare(Declaration {
            kind,
            name: name.text.clone(),
            name_span: name.span,
            span: around(name.span, span),
            container: None,
            visible: None,
            detail,
        })
    }

    fn unit(&mut self, unit: &Unit, extent: Span) {
        match unit {
            Unit::Proctype(p) => {
                let id = self.top(DeclarationKind::Proctype, &p.name, extent, detail::proctype(p));
                if let Some(Some(Size::Name(name))) = &p.active {
                    self.variable(name, false);
                }
                self.open_unit(id, extent);
                p.params.iter().for_each(|decl| self.declare(decl, DeclarationKind::Parameter));
                p.provided.iter().for_each(|e| self.expr(e));
                self.block(&p.body);
                self.close_unit(id);
            }
            Unit::Init(init) => {
                self.body(
                    DeclarationKind::Init,
                    &keyword("init", init.span),
                    "init",
                    extent,
                    &init.body,
                );
            }
            Unit::Never(claim) => {
                let name = claim.name.clone().unwrap_or(keyword("never", claim.span));
                self.body(DeclarationKind::Never, &name, "never", extent, &claim.body);
            }
            Unit::Trace(claim) => {
                let word = if claim.negated { "notrace" } else { "trace" };
                let name = keyword(word, claim.span);
                self.body(DeclarationKind::Trace, &name, word, extent, &claim.body);
            }
            Unit::Ltl(ltl) => {
                let name = ltl.name.clone().unwrap_or(keyword("ltl", ltl.span));
                let text = detail::cut(format!("ltl {{ {} }}", print::expr(&ltl.formula)));
                self.top(DeclarationKind::Ltl, &name, extent, text);
                self.expr(&ltl.formula);
            }
            Unit::Decl(decl) => self.declare(decl, DeclarationKind::Variable),
            Unit::Mtype(mtype) => self.mtype(mtype.subtype.as_ref(), &mtype.names, extent),
            Unit::Typedef(typedef) => self.typedef(&typedef.name, &typedef.fields, extent),
            Unit::Inline(_) => {}
        }
    }

    fn body(
        &mut self,
        kind: DeclarationKind,
        name: &Name,
        detail: &str,
        extent: Span,
        body: &Block,
    ) {
        let id = self.top(kind, name, extent, detail.to_string());
        self.open_unit(id, extent);
        self.block(body);
        self.close_unit(id);
    }

    /// The names of a unit's head are in a block around its body.
    fn open_unit(&mut self, id: DeclarationId, extent: Span) {
        self.unit = Some(id);
        self.names = UnitNames::default();
        self.open_block(extent);
    }

    fn close_unit(&mut self, id: DeclarationId) {
        self.close_block();
        for (name, path) in std::mem::take(&mut self.jumps) {
            if let Some(label) = best_label(&self.names.labels, &name.text, &path) {
                self.out.refer(name.span, label, false);
            }
        }
        self.unit = None;
        self.units.entry(id).or_insert(std::mem::take(&mut self.names));
    }

    /// A block: its declarations end with it.
    pub fn block(&mut self, block: &Block) {
        self.open_block(block.span);
        self.steps(block);
        self.close_block();
    }

    fn open_block(&mut self, span: Span) {
        self.n_blocks += 1;
        self.path.push(self.n_blocks);
        self.blocks.push(FxHashMap::default());
        self.ends.push(span);
    }

    fn close_block(&mut self) {
        self.path.pop();
        self.blocks.pop();
        self.ends.pop();
    }

    /// Variables of the program, of a process or of a parameter list.
    pub fn declare(&mut self, decl: &Decl, kind: DeclarationKind) {
        self.type_name(&decl.ty);
        for var in &decl.vars {
            self.head(var);
            self.initialiser(var);
            let id = self.declare_variable(decl, var, kind);
            match self.blocks.last_mut() {
                Some(block) => {
                    block.insert(var.name.text.clone(), id);
                    self.names.variables.entry(var.name.text.clone()).or_insert(id);
                }
                None => {
                    self.globals.entry(var.name.text.clone()).or_insert(id);
                }
            }
        }
    }

    fn declare_variable(
        &mut self,
        decl: &Decl,
        var: &VarDecl,
        kind: DeclarationKind,
    ) -> DeclarationId {
        let is_chan = matches!(decl.ty, TypeName::Basic(BasicType::Chan, _));
        let kind = match kind {
            DeclarationKind::Variable if is_chan => DeclarationKind::Channel,
            kind => kind,
        };
        let name = var.name.span;
        let visible = self.ends.last().map(|block| name.start..block.end.max(name.end));
        let id = self.out.declare(Declaration {
            kind,
            name: var.name.text.clone(),
            name_span: name,
            span: around(name, decl.span),
            container: self.unit,
            visible,
            detail: detail::variable(decl, var),
        });
        if let TypeName::User(ty) = &decl.ty {
            self.structures.insert(id, ty.text.clone());
        }
        id
    }

    fn head(&mut self, var: &VarDecl) {
        if let Some(Size::Name(name)) = &var.array {
            self.variable(name, false);
        }
    }

    fn initialiser(&mut self, var: &VarDecl) {
        match &var.init {
            Some(Initialiser::Expr(e)) => self.expr(e),
            Some(Initialiser::List(list)) => list.iter().for_each(|e| self.expr(e)),
            Some(Initialiser::Chan(chan)) => {
                chan.fields.iter().for_each(|field| self.type_name(field));
            }
            None => {}
        }
    }

    fn type_name(&mut self, ty: &TypeName) {
        let (name, known) = match ty {
            TypeName::User(name) => (name, self.typedefs.get(&name.text).map(|(id, _)| *id)),
            TypeName::Basic(_, Some(subtype)) => {
                (subtype, self.subtypes.get(&subtype.text).copied())
            }
            TypeName::Basic(_, None) => return,
        };
        if let Some(id) = known {
            self.out.refer(name.span, id, false);
        }
    }

    /// Spin numbers a list of constants from its end, and continues after the lists before it.
    fn mtype(&mut self, subtype: Option<&Name>, constants: &[Name], extent: Span) {
        if let Some(name) = subtype {
            match self.subtypes.get(&name.text) {
                Some(&id) => self.out.refer(name.span, id, false),
                None => {
                    let text = format!("mtype:{}", name.text);
                    let id = self.top(DeclarationKind::MtypeSubtype, name, extent, text);
                    self.subtypes.insert(name.text.clone(), id);
                }
            }
        }
        let size = self.mtype_sizes.entry(subtype.map(|n| n.text.clone())).or_default();
        let before = *size;
        *size += constants.len();
        let ty = subtype.map_or("mtype".to_string(), |n| format!("mtype:{}", n.text));
        for (i, name) in constants.iter().enumerate() {
            let text = format!("{ty} {} = {}", name.text, before + constants.len() - i);
            let id = self.top(DeclarationKind::MtypeConstant, name, extent, text);
            self.mtypes.entry(name.text.clone()).or_insert(id);
        }
    }

    fn typedef(&mut self, name: &Name, fields: &[Decl], extent: Span) {
        let text = detail::typedef(name, fields);
        let id = self.top(DeclarationKind::Typedef, name, extent, text);
        let mut known = Fields::default();
        for decl in fields {
            self.type_name(&decl.ty);
            let ty = match &decl.ty {
                TypeName::User(ty) => Some(ty.text.clone()),
                TypeName::Basic(..) => None,
            };
            for var in &decl.vars {
                self.head(var);
                self.initialiser(var);
                let field = self.out.declare(Declaration {
                    kind: DeclarationKind::Field,
                    name: var.name.text.clone(),
                    name_span: var.name.span,
                    span: around(var.name.span, decl.span),
                    container: Some(id),
                    visible: Some(0..0),
                    detail: detail::variable(decl, var),
                });
                known.entry(var.name.text.clone()).or_insert((field, ty.clone()));
            }
        }
        self.typedefs.entry(name.text.clone()).or_insert((id, known));
    }

    /// A label before a statement.
    pub fn label(&mut self, name: &Name, stmt: Span) {
        let extent = self.ends.first().copied().unwrap_or(name.span);
        let id = self.out.declare(Declaration {
            kind: DeclarationKind::Label,
            name: name.text.clone(),
            name_span: name.span,
            span: around(name.span, stmt),
            container: self.unit,
            visible: Some(extent.start..extent.end),
            detail: format!("{}:", name.text),
        });
        self.names.labels.push((name.text.clone(), self.path.clone(), id));
    }

    pub fn jump(&mut self, name: &Name) {
        self.jumps.push((name.clone(), self.path.clone()));
    }

    /// A variable by its name; its declaration, if it is known.
    pub fn variable(&mut self, name: &Name, writes: bool) -> Option<DeclarationId> {
        let local = self.blocks.iter().rev().find_map(|block| block.get(&name.text));
        let id = *local.or_else(|| self.globals.get(&name.text))?;
        self.out.refer(name.span, id, writes);
        Some(id)
    }

    /// A field of a variable of a structure's type; the type of the field.
    pub fn field(&mut self, structure: &Rc<str>, name: &Name, writes: bool) -> Option<Rc<str>> {
        let (id, ty) = self.typedefs.get(structure)?.1.get(&name.text)?.clone();
        self.out.refer(name.span, id, writes);
        ty
    }

    /// The name of the structure that a variable is.
    pub fn structure_of(&self, variable: DeclarationId) -> Option<Rc<str>> {
        self.structures.get(&variable).cloned()
    }

    pub fn mtype_constant(&mut self, name: &Name) {
        if let Some(&id) = self.mtypes.get(&name.text) {
            self.out.refer(name.span, id, false);
        }
    }

    pub fn proctype(&mut self, name: &Name) {
        if let Some(&id) = self.proctypes.get(&name.text) {
            self.out.refer(name.span, id, false);
        }
    }

    pub fn inline(&mut self, name: &Name) {
        if let Some(&id) = self.inlines.get(&name.text) {
            self.out.refer(name.span, id, false);
        }
    }

    /// References into other units, which may stand before them.
    fn resolve_remote(&mut self) {
        for Remote { proctype, name, is_label } in std::mem::take(&mut self.remote) {
            let unit = self.proctypes.get(&proctype).and_then(|id| self.units.get(id));
            let found = unit.and_then(|unit| match is_label {
                true => unit.labels.iter().find(|(l, ..)| *l == name.text).map(|(.., id)| *id),
                false => unit.variables.get(&name.text).copied(),
            });
            if let Some(id) = found {
                self.out.refer(name.span, id, false);
            }
        }
    }
}

/// The label that a jump from the block `path` leads to: of the same block if there is one,
/// else of a block around it, else any.
fn best_label(
    labels: &[(Rc<str>, BlockPath, DeclarationId)],
    name: &str,
    path: &[u32],
) -> Option<DeclarationId> {
    let mut best = None;
    for (_, block, id) in labels.iter().rev().filter(|(label, ..)| **label == *name) {
        if block == path {
            return Some(*id);
        }
        if path.starts_with(block) || best.is_none() {
            best = Some(*id);
        }
    }
    best
}

/// The keyword as the name of something that has none.
fn keyword(word: &str, span: Span) -> Name {
    Name { text: word.into(), span }
}

/// The whole text, if it contains the name.
fn around(name: Span, whole: Span) -> Span {
    if whole.start <= name.start && name.end <= whole.end { whole } else { name }
}
