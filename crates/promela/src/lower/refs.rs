//! References to variables: from `a[i].b` to a cell.

use super::Lowerer;
use super::symbols::{Kind, SymbolId, Type, TypedefId, Variable};
use crate::ast::{self, VarPart, VarRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::similar::similar;
use resy_system::{CellRef, CellType, Expr, IndexTerm, Scope};

/// A resolved reference: a cell, a structure or an array.
#[derive(Clone)]
pub(super) struct Target {
    pub place: CellRef,
    pub ty: Type,
    /// Set if the reference stops at an array: its length.
    pub whole_array: Option<u32>,
}

impl Lowerer<'_> {
    /// The visible variable of this name, without a diagnostic.
    pub(super) fn find_variable(&mut self, name: &ast::Name) -> Option<Variable> {
        let id = self.symbols.find(&name.text, self.context, &self.blocks)?;
        match &self.symbols.table[id].kind {
            Kind::Variable(v) => Some(v.clone()),
            _ => None,
        }
    }

    /// The declared variable of this name.
    fn variable(&mut self, name: &ast::Name) -> Option<(SymbolId, Variable)> {
        let id = self.symbols.find(&name.text, self.context, &self.blocks);
        match id.map(|id| (id, self.symbols.table[id].kind.clone())) {
            Some((id, Kind::Variable(v))) => Some((id, v)),
            Some((_, Kind::Proctype)) => {
                let message = format!("proctype `{}` is not a variable", name.text);
                self.error(Code::Type, name.span, message);
                None
            }
            _ => {
                let message = format!("`{}` is not declared", name.text);
                let mut diagnostic = Diagnostic::new(Code::Undeclared, name.span, message);
                if let Some(similar) = self.similar(&name.text) {
                    diagnostic = diagnostic.hint(format!("did you mean `{similar}`?"));
                }
                self.diags.push(diagnostic);
                None
            }
        }
    }

    /// A variable to read.
    pub(super) fn read(&mut self, r: &VarRef) -> Option<Target> {
        self.target(r, true)
    }

    /// A variable to write.
    pub(super) fn write(&mut self, r: &VarRef) -> Option<Target> {
        self.target(r, false)
    }

    fn target(&mut self, r: &VarRef, reads: bool) -> Option<Target> {
        let (id, variable) = self.variable(&r.parts[0].name)?;
        let symbol = &mut self.symbols.table[id];
        symbol.read |= reads;
        symbol.written |= !reads;
        let mut target = Target {
            place: CellRef::cell(variable.scope, variable.offset, CellType::Int),
            ty: variable.ty,
            whole_array: variable.array,
        };
        self.index(&mut target, &r.parts[0])?;
        for part in &r.parts[1..] {
            self.field(&mut target, part)?;
        }
        if let Type::Basic { cell, .. } = target.ty {
            target.place.cell = cell;
        }
        Some(target)
    }

    fn field(&mut self, target: &mut Target, part: &VarPart) -> Option<()> {
        let Type::Struct(id) = target.ty else {
            let message = format!("`{}` is not a field: this is no structure", part.name.text);
            self.error(Code::Type, part.name.span, message);
            return None;
        };
        self.need_index(target, part.name.span)?;
        let Some(field) =
            self.typedefs[id].fields.iter().find(|f| f.name == part.name.text).cloned()
        else {
            let typedef = self.typedefs[id].name.clone();
            let message = format!("`{typedef}` has no field `{}`", part.name.text);
            let fields: Vec<&str> = self.typedefs[id].fields.iter().map(|f| &*f.name).collect();
            let hint = match similar(&part.name.text, fields.iter().copied()) {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("it has `{}`", fields.join("`, `")),
            };
            self.diags.push(Diagnostic::new(Code::Undeclared, part.name.span, message).hint(hint));
            return None;
        };
        target.place.offset += field.offset;
        target.ty = field.ty;
        target.whole_array = field.array;
        self.index(target, part)
    }

    /// Applies the index of a part, if it has one.
    fn index(&mut self, target: &mut Target, part: &VarPart) -> Option<()> {
        let Some(index) = &part.index else { return Some(()) };
        let value = self.expr(index)?;
        match target.whole_array.take() {
            Some(len) => {
                let stride = self.n_cells(&target.ty, None) as u32;
                target.place.indices.push(IndexTerm { index: value, len, stride });
            }
            None if matches!(value, Expr::Const(0)) => {}
            None => {
                let name = &part.name.text;
                let message = format!("`{name}` is not an array");
                let hint = format!("an array is declared with its length, as `byte {name}[2]`");
                self.diags.push(Diagnostic::new(Code::Type, index.span, message).hint(hint));
                return None;
            }
        }
        Some(())
    }

    fn need_index(&mut self, target: &Target, span: crate::Span) -> Option<()> {
        if let Some(len) = target.whole_array {
            let diagnostic = Diagnostic::new(Code::Type, span, "an array needs an index here")
                .label(format!("this has {len} elements"))
                .hint(format!("name one of them, from `[0]` to `[{}]`", len.saturating_sub(1)));
            self.diags.push(diagnostic);
            return None;
        }
        Some(())
    }

    /// A single cell: neither a structure nor an array.
    pub(super) fn scalar(&mut self, target: Target, span: crate::Span) -> Option<CellRef> {
        self.need_index(&target, span)?;
        match target.ty {
            Type::Basic { .. } => Some(target.place),
            Type::Struct(id) => {
                let name = self.typedefs[id].name.clone();
                let message = format!("a whole structure `{name}` cannot be used here");
                self.error(Code::Type, span, message);
                None
            }
        }
    }

    /// The cells of a reference, one by one: a structure gives all its fields.
    pub(super) fn cells(&mut self, target: Target, span: crate::Span) -> Option<Vec<CellRef>> {
        match target.ty {
            Type::Struct(id) => {
                self.need_index(&target, span)?;
                if u64::from(self.typedefs[id].n_cells) > super::types::MAX_FIELDS {
                    self.error(Code::Constant, span, "a message cannot have so many fields");
                    return None;
                }
                let mut out = Vec::new();
                self.struct_cells(&target.place, id, span, &mut out)?;
                Some(out)
            }
            Type::Basic { .. } => Some(vec![self.scalar(target, span)?]),
        }
    }

    fn struct_cells(
        &mut self,
        base: &CellRef,
        id: TypedefId,
        span: crate::Span,
        out: &mut Vec<CellRef>,
    ) -> Option<()> {
        for field in self.typedefs[id].fields.clone() {
            let mut place = base.clone();
            place.offset += field.offset;
            match field.ty {
                Type::Struct(_) if field.array.is_some() => {
                    let message = format!("array of structures `{}` in a message", field.name);
                    self.error(Code::Type, span, message);
                    return None;
                }
                Type::Struct(inner) => self.struct_cells(&place, inner, span, out)?,
                Type::Basic { cell, .. } => {
                    place.cell = cell;
                    for i in 0..field.array.unwrap_or(1) {
                        let mut element = place.clone();
                        element.offset += i;
                        out.push(element);
                    }
                }
            }
        }
        Some(())
    }

    /// A channel, as an expression whose value is its number.
    pub(super) fn chan(&mut self, r: &VarRef) -> Option<Expr> {
        let target = self.read(r)?;
        if !target.ty.is_chan() {
            let name = crate::print::var_ref(r);
            let mut diagnostic =
                Diagnostic::new(Code::Type, r.span, format!("`{name}` is not a channel"))
                    .label("messages go through channels only")
                    .hint(format!("a channel is declared as `chan {name} = [1] of {{ byte }}`"));
            if let Some(span) = self.declared_at(&r.parts[0].name) {
                diagnostic = diagnostic.related(span, "declared here");
            }
            self.diags.push(diagnostic);
            return None;
        }
        Some(Expr::Load(self.scalar(target, r.span)?))
    }

    /// The place of `_`.
    pub(super) fn nowhere() -> CellRef {
        CellRef::cell(Scope::Nowhere, 0, CellType::Int)
    }

    /// A declared name that is similar to an undeclared one.
    fn similar(&self, name: &str) -> Option<String> {
        let visible = self.symbols.table.iter().filter(|s| {
            matches!(s.kind, Kind::Variable(_))
                && (s.context.is_none() || s.context == self.context)
        });
        let constants = self.system.mtypes.iter().flat_map(|m| &m.names).map(String::as_str);
        let words = ["true", "false", "skip"];
        similar(name, visible.map(|s| &*s.name).chain(constants).chain(words)).map(str::to_owned)
    }

    /// Where a variable is declared.
    pub(super) fn declared_at(&self, name: &ast::Name) -> Option<crate::Span> {
        let id = self.symbols.find(&name.text, self.context, &self.blocks)?;
        Some(self.symbols.table[id].span)
    }
}
