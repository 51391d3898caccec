//! Declarations: globals, parameters, locals and types.

use super::Lowerer;
use super::flow::Node;
use super::symbols::{Kind, SymbolId, Type, TypedefId, Variable};
use super::types::{Field, Init, MAX_DEPTH, Typedef};
use crate::ast::{self, BasicType, Initialiser, TypeName};
use crate::diagnostic::{Code, Diagnostic};
use resy_system::{CellInit, CellRef, CellType, Command, Expr, Frame, Mtype, Scope};
use std::collections::HashSet;

/// The order in which spin initialises globals, by type.
fn init_rank(ty: &TypeName) -> u8 {
    match ty {
        TypeName::Basic(BasicType::Unsigned, _) => 0,
        TypeName::Basic(BasicType::Bit | BasicType::Bool, _) => 1,
        TypeName::Basic(BasicType::Byte | BasicType::Pid, _) => 2,
        TypeName::Basic(BasicType::Chan, _) => 3,
        TypeName::Basic(BasicType::Mtype, _) => 4,
        TypeName::Basic(BasicType::Short, _) => 5,
        TypeName::Basic(BasicType::Int, _) => 6,
        TypeName::User(_) => 7,
    }
}

impl Lowerer<'_> {
    /// `mtype = { … }`: the last name of a list has the least number, and a
    /// second list continues the numbers of the first.
    pub(super) fn declare_mtype(&mut self, decl: &ast::MtypeDecl) {
        let subtype = decl.subtype.as_ref().map(|s| s.text.to_string());
        let mtypes = &mut self.system.mtypes;
        let index = mtypes.iter().position(|m| m.subtype == subtype).unwrap_or_else(|| {
            mtypes.push(Mtype { subtype, names: Vec::new() });
            mtypes.len() - 1
        });
        for name in decl.names.iter().rev() {
            let names = &mut self.system.mtypes[index].names;
            if names.iter().any(|n| **n == *name.text) {
                let message = format!("`{}` appears twice in an mtype", name.text);
                self.error(Code::Redeclared, name.span, message);
                continue;
            }
            names.push(name.text.to_string());
            let value = names.len() as i32;
            if value == 256 {
                return self.error(Code::Constant, name.span, "an mtype has at most 255 names");
            }
            self.mtype_values.entry(name.text.clone()).or_insert(value);
        }
    }

    /// `typedef`.
    pub(super) fn declare_typedef(&mut self, decl: &ast::Typedef) {
        let (mut fields, mut names) = (Vec::new(), HashSet::new());
        let (mut n_cells, mut depth) = (0u64, 0);
        for part in &decl.fields {
            for var in &part.vars {
                if !self.diags.go_on() {
                    return;
                }
                if !names.insert(var.name.text.clone()) {
                    let message = format!("field `{}` is declared twice", var.name.text);
                    self.error(Code::Redeclared, var.name.span, message);
                    continue;
                }
                let Some(ty) = self.var_type(part, var) else { continue };
                let array = self.array_len(var.array.as_ref());
                let init = self.initialiser(part, var, array);
                let offset = n_cells as u32;
                n_cells += self.n_cells(&ty, array);
                depth = depth.max(self.depth(&ty));
                if depth >= MAX_DEPTH {
                    self.error(Code::Constant, var.name.span, "structures are nested too deeply");
                    return;
                }
                if n_cells > super::types::MAX_CELLS {
                    self.error(Code::Constant, var.name.span, "the structure takes too much room");
                    return;
                }
                fields.push(Field { name: var.name.text.clone(), ty, array, offset, init });
            }
        }
        let name = decl.name.text.clone();
        if self.typedefs_by_name.contains_key(&name) {
            let message = format!("type `{name}` is declared twice");
            self.error(Code::Redeclared, decl.name.span, message);
            return;
        }
        // A structure whose fields are all wrong has room as well: the room bounds how many fields there are.
        let n_cells = n_cells.max(1) as u32;
        let typedef = Typedef { name: name.clone(), fields, n_cells, depth: depth + 1 };
        let id = self.typedefs.push(typedef);
        self.typedefs_by_name.insert(name, id);
    }

    /// Global variables; their initial stores are sorted at the end.
    pub(super) fn declare_globals(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            let init = self.initialiser(decl, var, var.array.as_ref().map(|_| 2));
            let mut frame = std::mem::take(&mut self.system.globals);
            let declared = self.declare(&mut frame, Scope::Global, decl, var);
            self.system.globals = frame;
            if let Some(id) = declared {
                let stores = self.initial_stores(id, init.as_ref());
                self.global_init.push((init_rank(&decl.ty), stores));
            }
        }
    }

    /// The initial stores of the globals, in spin's order.
    pub(super) fn finish_globals(&mut self) {
        self.global_init.sort_by_key(|(rank, _)| *rank);
        self.system.globals.init =
            std::mem::take(&mut self.global_init).into_iter().flat_map(|(_, s)| s).collect();
    }

    /// Parameters: the first cells of the frame.
    pub(super) fn declare_params(&mut self, params: &[ast::Decl]) {
        for decl in params {
            for var in &decl.vars {
                if let Some(init) = &var.init {
                    let span = initialiser_span(init).unwrap_or(var.name.span);
                    self.error(Code::Declaration, span, "a parameter cannot have an initial value");
                }
                if var.array.is_some() {
                    let message = format!("parameter `{}` cannot be an array", var.name.text);
                    self.error(Code::Type, var.name.span, message);
                }
                let mut frame = std::mem::take(&mut self.frame);
                let declared = self.declare(&mut frame, Scope::Local, decl, var);
                self.frame = frame;
                let mtype = matches!(&decl.ty, TypeName::Basic(BasicType::Mtype, _));
                if let Some(id) = declared {
                    self.mark_used(id);
                    let n = self.frame.cells.len() as u32 - self.frame.n_params;
                    self.params.extend((0..n).map(|_| mtype));
                }
                self.frame.n_params = self.frame.cells.len() as u32;
            }
        }
    }

    /// Local variables. At the top of a body a declaration initialises the frame; later it is an
    /// assignment, and a step.
    pub(super) fn declare_locals(&mut self, decl: &ast::Decl) {
        for var in &decl.vars {
            let init = self.initialiser(decl, var, var.array.as_ref().map(|_| 2));
            let mut frame = std::mem::take(&mut self.frame);
            let declared = self.declare(&mut frame, Scope::Local, decl, var);
            self.frame = frame;
            let Some(id) = declared else { continue };
            if decl.visibility == Some(ast::Visibility::Hidden) {
                let message = format!("local variable `{}` cannot be hidden", var.name.text);
                self.error(Code::Declaration, var.name.span, message);
            }
            if self.at_top {
                let stores = self.initial_stores(id, init.as_ref());
                self.frame.init.extend(stores);
            } else {
                self.declare_later(id, var, init);
            }
        }
    }

    /// A declaration that is a step of the process.
    fn declare_later(&mut self, id: SymbolId, var: &ast::VarDecl, init: Option<Init>) {
        let Kind::Variable(variable) = self.symbols.table[id].kind.clone() else { return };
        let span = var.name.span;
        let name = &var.name.text;
        let (command, text) = match (init, &variable.ty) {
            (Some(Init::Channel(_)), _) => {
                let message = format!("channel `{name}` must be declared at the top of the body");
                self.diags.push(
                    Diagnostic::new(Code::Declaration, span, message)
                        .hint("move the declaration before the first statement"),
                );
                return;
            }
            (Some(Init::List(_)), _) => {
                let message = format!("array `{name}` with a list must be declared at the top");
                self.error(Code::Declaration, span, message);
                return;
            }
            // In spin this is a step without effect; the fields are initialised with the process.
            (_, Type::Struct(_)) => {
                let stores = self.initial_stores(id, None);
                self.frame.init.extend(stores);
                (Command::Skip, format!("{name} = 0"))
            }
            (init, Type::Basic { cell, .. }) => {
                let value = match init {
                    Some(Init::Expr(e)) => e,
                    _ => Expr::Const(0),
                };
                let text = match &var.init {
                    Some(Initialiser::Expr(e)) => format!("{name} = {}", crate::print::expr(e)),
                    _ => format!("{name} = 0"),
                };
                // Of an array, the first element only.
                (Command::Assign(CellRef::cell(Scope::Local, variable.offset, *cell), value), text)
            }
        };
        self.add_node(Node::command(command, text, span));
    }

    /// Enters a variable into a frame and into the table of names.
    fn declare(
        &mut self,
        frame: &mut Frame,
        scope: Scope,
        decl: &ast::Decl,
        var: &ast::VarDecl,
    ) -> Option<SymbolId> {
        let ty = self.var_type(decl, var)?;
        let array = self.array_len(var.array.as_ref());
        let name = &var.name;
        let id = self.symbols.mention(&name.text, self.context, &self.blocks, name.span);
        if !matches!(self.symbols.table[id].kind, Kind::Mentioned)
            || self.mtype_values.contains_key(&name.text)
            || super::predefined(&name.text)
        {
            let before = self.symbols.table[id].span;
            let message = format!("`{}` is declared twice", name.text);
            let diagnostic = Diagnostic::new(Code::Redeclared, name.span, message)
                .related(before, "first declared here")
                .hint("in Promela a name cannot be declared again where it is visible");
            self.diags.push(diagnostic);
            return None;
        }
        let hidden = decl.visibility == Some(ast::Visibility::Hidden);
        if hidden && ty.is_chan() {
            self.error(Code::Type, name.span, "a channel cannot be hidden");
        }
        let offset = self.allocate(frame, &name.text, (&ty, array), hidden, name.span)?;
        let constant = match &var.init {
            Some(Initialiser::Expr(e)) => self.constant_value(e),
            None => Some(0),
            _ => None,
        };
        let record = self.message_record(var);
        if let Some(Initialiser::Chan(init)) = &var.init {
            self.carried.insert(id, init.fields.clone());
        }
        let symbol = &mut self.symbols.table[id];
        symbol.kind = Kind::Variable(Variable { scope, offset, ty, array, constant, record });
        symbol.span = name.span;
        Some(id)
    }

    /// The structure that a buffered channel carries, if it carries just one.
    fn message_record(&self, var: &ast::VarDecl) -> Option<TypedefId> {
        match var.init.as_ref()? {
            Initialiser::Chan(init) if init.capacity > 0 => match &init.fields[..] {
                [TypeName::User(name)] => self.typedefs_by_name.get(&name.text).copied(),
                _ => None,
            },
            _ => None,
        }
    }

    fn initial_stores(&self, id: SymbolId, init: Option<&Init>) -> Vec<CellInit> {
        let mut stores = Vec::new();
        if let Kind::Variable(v) = &self.symbols.table[id].kind {
            self.initial(&mut stores, &v.ty, v.array, init, v.offset);
        }
        stores
    }

    /// What follows the `=` of a declaration.
    fn initialiser(
        &mut self,
        decl: &ast::Decl,
        var: &ast::VarDecl,
        array: Option<u32>,
    ) -> Option<Init> {
        let is_chan = matches!(decl.ty, TypeName::Basic(BasicType::Chan, _));
        match var.init.as_ref()? {
            Initialiser::Chan(init) => {
                if !is_chan {
                    let message = format!("`{}` is not a channel", var.name.text);
                    self.error(Code::Type, init.span, message);
                    return None;
                }
                Some(Init::Channel(self.channel_type(&var.name.text, init)))
            }
            Initialiser::List(list) => {
                if array.is_none() {
                    let message = format!("`{}` is not an array", var.name.text);
                    self.error(Code::Type, var.name.span, message);
                }
                Some(Init::List(list.iter().filter_map(|e| self.expr(e)).collect()))
            }
            Initialiser::Expr(e) => {
                let value = self.expr(e)?;
                if let TypeName::Basic(BasicType::Mtype, Some(own)) = &decl.ty {
                    self.check_initial_mtype(own, e);
                }
                if is_chan && matches!(e.kind, ast::ExprKind::Number(_)) {
                    self.error(Code::Type, e.span, "a number is not a channel");
                }
                if value.any(|e| matches!(e, Expr::Run { .. })) {
                    self.error(Code::Declaration, e.span, "`run` cannot start a variable");
                    return None;
                }
                if let TypeName::Basic(ty, _) = &decl.ty {
                    let hidden = decl.visibility == Some(ast::Visibility::Hidden);
                    let cell = self.basic_cell(*ty, var, hidden);
                    self.warn_truncated(cell, &value, e.span);
                }
                Some(Init::Expr(value))
            }
        }
    }

    fn basic_cell(&self, ty: BasicType, var: &ast::VarDecl, hidden: bool) -> CellType {
        Self::cell_type(ty, var.width, var.array.is_some(), hidden)
    }

    /// Warns if a store truncates a constant.
    pub(super) fn warn_truncated(&mut self, cell: CellType, value: &Expr, span: crate::Span) {
        if let Expr::Const(v) = value
            && cell.truncate(*v) != *v
        {
            let left = cell.truncate(*v);
            self.diags.push(
                Diagnostic::new(
                    Code::Truncated,
                    span,
                    format!("the value {v} becomes {left} here"),
                )
                .label(format!("does not fit into {} bits", cell.bits())),
            );
        }
    }
}

fn initialiser_span(init: &Initialiser) -> Option<crate::Span> {
    match init {
        Initialiser::Expr(e) => Some(e.span),
        Initialiser::List(list) => list.first().map(|e| e.span),
        Initialiser::Chan(chan) => Some(chan.span),
    }
}
