//! Types and layout: how many cells a variable takes, and of which types.

use super::Lowerer;
use super::symbols::{Type, TypedefId};
use crate::ast::{self, BasicType, Size, TypeName};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use resy_system::{CellInit, CellType, ChannelInit, ChannelType, ChannelTypeId, Expr, Frame};
use std::rc::Rc;

/// The maximal number of cells of a frame: every state contains all of them.
pub(super) const MAX_CELLS: u64 = 1 << 20;

/// The maximal number of fields of a message.
pub(super) const MAX_FIELDS: u64 = 1 << 12;

/// The maximal number of structures inside each other: names are as long as they are deep.
pub(super) const MAX_DEPTH: u32 = 256;

/// A `typedef` with its fields laid out one after the other.
#[derive(Clone, Debug)]
pub(super) struct Typedef {
    pub name: Rc<str>,
    pub fields: Vec<Field>,
    pub n_cells: u32,
    /// The number of structures inside each other, with this one.
    pub depth: u32,
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: Rc<str>,
    pub ty: Type,
    pub array: Option<u32>,
    /// The first cell, counted from the start of the structure.
    pub offset: u32,
    pub init: Option<Init>,
}

/// The initial value of a variable.
#[derive(Clone, Debug)]
pub(super) enum Init {
    /// Every element with this value.
    Expr(Expr),
    /// The elements with these values; the last one for all that follow.
    List(Vec<Expr>),
    /// Every element with a channel of its own.
    Channel(ChannelTypeId),
}

impl Lowerer<'_> {
    /// The cell type of a declared basic type. Elements of `bit` arrays and
    /// hidden `unsigned` variables are bytes for spin.
    pub(super) fn cell_type(
        ty: BasicType,
        width: Option<i64>,
        is_array: bool,
        hidden: bool,
    ) -> CellType {
        match ty {
            BasicType::Bit | BasicType::Bool if is_array => CellType::Byte,
            BasicType::Bit | BasicType::Bool => CellType::Unsigned(1),
            BasicType::Unsigned if hidden => CellType::Byte,
            BasicType::Unsigned => CellType::Unsigned(width.unwrap_or(16).clamp(1, 32) as u8),
            BasicType::Byte | BasicType::Pid => CellType::Byte,
            BasicType::Mtype => CellType::Mtype,
            BasicType::Short => CellType::Short,
            BasicType::Int => CellType::Int,
            BasicType::Chan => CellType::Chan,
        }
    }

    /// The type of one declared variable.
    pub(super) fn var_type(&mut self, decl: &ast::Decl, var: &ast::VarDecl) -> Option<Type> {
        let hidden = decl.visibility == Some(ast::Visibility::Hidden);
        self.check_width(&decl.ty, var);
        match &decl.ty {
            TypeName::Basic(basic, subtype) => {
                if hidden && matches!(basic, BasicType::Bit | BasicType::Bool) {
                    let message = format!("bit variable `{}` cannot be hidden", var.name.text);
                    self.error(Code::Type, var.name.span, message);
                }
                Some(Type::Basic {
                    cell: Self::cell_type(*basic, var.width, var.array.is_some(), hidden),
                    in_message: Self::cell_type(*basic, var.width, false, false),
                    is_chan: *basic == BasicType::Chan,
                    is_bool: *basic == BasicType::Bool,
                    mtype: (*basic == BasicType::Mtype)
                        .then(|| subtype.as_ref().map(|s| s.text.clone())),
                })
            }
            TypeName::User(name) => match self.typedefs_by_name.get(&name.text) {
                Some(&id) => Some(Type::Struct(id)),
                None => {
                    self.error(Code::Type, name.span, format!("`{}` is not a type", name.text));
                    None
                }
            },
        }
    }

    fn check_width(&mut self, ty: &TypeName, var: &ast::VarDecl) {
        let is_unsigned = matches!(ty, TypeName::Basic(BasicType::Unsigned, _));
        let message = match var.width {
            None if is_unsigned => "an unsigned needs a width, as in `unsigned x : 4`",
            Some(_) if !is_unsigned => "only an unsigned can have a width",
            Some(w) if !(1..=31).contains(&w) => "the width of an unsigned must be 1 to 31",
            _ => return,
        };
        self.error(Code::Type, var.name.span, message);
    }

    /// The length of an array.
    pub(super) fn array_len(&mut self, size: Option<&Size>) -> Option<u32> {
        let (value, span) = match size? {
            Size::Value(value, span) => (*value, *span),
            Size::Name(name) => (self.size_by_name(name), name.span),
        };
        if !(1..=MAX_CELLS as i64).contains(&value) {
            self.error(Code::Constant, span, format!("an array cannot have {value} elements"));
            return Some(1);
        }
        Some(value as u32)
    }

    /// Spin takes the initial value of a variable as a size, and 8 if that is
    /// not positive.
    fn size_by_name(&mut self, name: &ast::Name) -> i64 {
        let constant = self.find_variable(name).and_then(|v| v.constant);
        let value = constant.filter(|&v| v > 0).unwrap_or(8);
        let message = format!("the variable `{}` gives an array its size", name.text);
        let hint = format!("spin takes its initial value: {value}");
        self.diags.push(Diagnostic::new(Code::Suspicious, name.span, message).hint(hint));
        value
    }

    /// Cells that a variable of this type takes.
    pub(super) fn n_cells(&self, ty: &Type, array: Option<u32>) -> u64 {
        let one = match ty {
            Type::Basic { .. } => 1,
            Type::Struct(id) => u64::from(self.typedefs[*id].n_cells),
        };
        one * u64::from(array.unwrap_or(1))
    }

    /// The number of structures inside each other in a variable of this type.
    pub(super) fn depth(&self, ty: &Type) -> u32 {
        match ty {
            Type::Basic { .. } => 0,
            Type::Struct(id) => self.typedefs[*id].depth,
        }
    }

    /// Appends a variable to a frame and returns its first cell.
    pub(super) fn allocate(
        &mut self,
        frame: &mut Frame,
        name: &str,
        (ty, array): (&Type, Option<u32>),
        hidden: bool,
        span: Span,
    ) -> Option<u32> {
        let offset = frame.cells.len() as u64;
        if offset + self.n_cells(ty, array) > MAX_CELLS {
            self.error(Code::Constant, span, "the variables take too much room");
            return None;
        }
        self.lay_out(frame, name, ty, array, hidden);
        Some(offset as u32)
    }

    fn lay_out(&self, frame: &mut Frame, name: &str, ty: &Type, array: Option<u32>, hidden: bool) {
        match ty {
            Type::Basic { cell, mtype, is_bool, .. } => {
                let n_cells = array.unwrap_or(1);
                frame.variables.push(resy_system::Variable {
                    name: name.to_string(),
                    offset: frame.cells.len() as u32,
                    n_cells,
                    is_array: array.is_some(),
                    cell: *cell,
                    is_bool: *is_bool,
                    mtype: mtype.clone().flatten().map(|s| s.to_string()),
                    hidden,
                });
                frame.cells.extend((0..n_cells).map(|_| *cell));
            }
            Type::Struct(id) => {
                for i in 0..array.unwrap_or(1) {
                    let prefix = match array {
                        Some(_) => format!("{name}[{i}]"),
                        None => name.to_string(),
                    };
                    for field in &self.typedefs[*id].fields {
                        if !self.diags.go_on() {
                            return;
                        }
                        let name = format!("{prefix}.{}", field.name);
                        self.lay_out(frame, &name, &field.ty, field.array, hidden);
                    }
                }
            }
        }
    }

    /// The stores that initialise a variable at `offset`.
    pub(super) fn initial(
        &self,
        out: &mut Vec<CellInit>,
        ty: &Type,
        array: Option<u32>,
        init: Option<&Init>,
        offset: u32,
    ) {
        let n = array.unwrap_or(1);
        match (ty, init) {
            (Type::Struct(id), _) => {
                let typedef = &self.typedefs[*id];
                for i in 0..n {
                    for f in &typedef.fields {
                        let at = offset + i * typedef.n_cells + f.offset;
                        self.initial(out, &f.ty, f.array, f.init.as_ref(), at);
                    }
                }
            }
            (_, None) => {}
            (_, Some(Init::Expr(e))) => {
                out.extend((0..n).map(|i| CellInit::Value(offset + i, e.clone())));
            }
            (_, Some(Init::List(list))) => {
                let value = |i: u32| list.get(i as usize).or(list.last());
                let store = |i| value(i).map(|e| CellInit::Value(offset + i, e.clone()));
                out.extend((0..n).filter_map(store));
            }
            (_, Some(Init::Channel(ty))) => {
                let channel = |i| CellInit::Channel(offset + i, ChannelInit { ty: *ty });
                out.extend((0..n).map(channel));
            }
        }
    }

    /// The channel type of `[n] of { … }`.
    pub(super) fn channel_type(&mut self, name: &str, init: &ast::ChanInit) -> ChannelTypeId {
        let (mut fields, mut bools) = (Vec::new(), Vec::new());
        for field in &init.fields {
            match field {
                TypeName::Basic(BasicType::Unsigned, _) => {
                    self.error(Code::Type, init.span, "unsigned cannot be the type of a field");
                }
                TypeName::Basic(ty, _) => {
                    bools.extend((*ty == BasicType::Bool).then_some(fields.len()));
                    fields.push(Self::cell_type(*ty, None, false, false));
                }
                TypeName::User(name) => match self.typedefs_by_name.get(&name.text) {
                    Some(&id) if self.too_many_fields(&fields, id) => {
                        self.error(
                            Code::Constant,
                            init.span,
                            "a message cannot have so many fields",
                        );
                        break;
                    }
                    Some(&id) => self.message_fields(id, init.span, &mut fields, &mut bools),
                    None => {
                        self.error(Code::Type, name.span, format!("`{}` is not a type", name.text));
                    }
                },
            }
        }
        // Spin stores a single bit in a byte.
        if let [only @ CellType::Unsigned(1)] = &mut fields[..] {
            *only = CellType::Byte;
        }
        let capacity = match u32::try_from(init.capacity) {
            Ok(n) if u64::from(n) * fields.len().max(1) as u64 <= MAX_CELLS => n,
            _ => {
                let message = format!("a channel cannot have {} slots", init.capacity);
                self.error(Code::Constant, init.span, message);
                1
            }
        };
        let name = name.to_string();
        self.system.channel_types.push(ChannelType { name, capacity, fields, bools })
    }

    fn too_many_fields(&self, fields: &[CellType], id: TypedefId) -> bool {
        fields.len() as u64 + u64::from(self.typedefs[id].n_cells) > MAX_FIELDS
    }

    fn message_fields(
        &mut self,
        id: TypedefId,
        span: Span,
        out: &mut Vec<CellType>,
        bools: &mut Vec<usize>,
    ) {
        for field in self.typedefs[id].fields.clone() {
            match field.ty {
                Type::Struct(_) if field.array.is_some() => {
                    let message = format!("array of structures `{}` in a message", field.name);
                    self.error(Code::Type, span, message);
                }
                Type::Struct(inner) => self.message_fields(inner, span, out, bools),
                Type::Basic { in_message, is_bool, .. } => {
                    let n_fields = field.array.unwrap_or(1) as usize;
                    bools.extend((out.len()..out.len() + n_fields).filter(|_| is_bool));
                    out.extend((0..n_fields).map(|_| in_message));
                }
            }
        }
    }
}
