//! Values of variables and messages, as people write them: names of an `mtype`, `true` and `false`
//! for what was declared `bool`, names of channels.

use crate::cut::Cut;
use resy_system::{BinaryOp, Cell, CellType, FieldQuery, Frame};

/// How the values of a variable or of a field are written.
#[derive(Copy, Clone)]
struct ValueType<'a> {
    cell: CellType,
    is_bool: bool,
    subtype: Option<&'a str>,
}

impl ValueType<'_> {
    fn write(self, cut: &Cut<'_>, value: i32) -> String {
        match (self.cell, value) {
            _ if self.is_bool && value == 0 => "false".to_owned(),
            _ if self.is_bool && value == 1 => "true".to_owned(),
            (CellType::Mtype, _) => {
                let name = cut.system().mtype_name(self.subtype, value);
                name.map_or_else(|| value.to_string(), str::to_owned)
            }
            (CellType::Chan, 1..) if value as usize <= cut.channels.len() => {
                cut.channel_name(value as usize - 1)
            }
            _ => value.to_string(),
        }
    }
}

/// The type of a cell of a frame.
fn type_of(frame: &Frame, offset: u32) -> ValueType<'_> {
    let variable =
        frame.variables.iter().find(|v| (v.offset..v.offset + v.n_cells).contains(&offset));
    ValueType {
        cell: frame.cells.get(offset as usize).copied().unwrap_or(CellType::Int),
        is_bool: variable.is_some_and(|v| v.is_bool),
        subtype: variable.and_then(|v| v.mtype.as_deref()),
    }
}

/// A comparison without its variable, `==true`. That a `bool` differs from `false` is said so.
fn comparison(cut: &Cut<'_>, ty: ValueType<'_>, op: BinaryOp, value: i32) -> String {
    let (op, value) = match (op, value) {
        (BinaryOp::Ne, 0 | 1) if ty.is_bool => (BinaryOp::Eq, 1 - value),
        other => other,
    };
    format!("{}{}", super::name::symbol(op), ty.write(cut, value))
}

/// A value of a cell of a frame, compared.
pub(super) fn compared_in(
    cut: &Cut<'_>,
    frame: &Frame,
    offset: u32,
    op: BinaryOp,
    value: i32,
) -> String {
    comparison(cut, type_of(frame, offset), op, value)
}

/// A value of a cell, compared: `==red`.
pub(super) fn compared(cut: &Cut<'_>, cell: Cell, op: BinaryOp, value: i32) -> String {
    comparison(cut, cell_type(cut, cell), op, value)
}

/// A value of a cell.
pub(super) fn value_name(cut: &Cut<'_>, cell: Cell, value: i32) -> String {
    cell_type(cut, cell).write(cut, value)
}

fn cell_type<'s>(cut: &Cut<'s>, cell: Cell) -> ValueType<'s> {
    let system = cut.system();
    match cell {
        Cell::Global(offset) => type_of(&system.globals, offset),
        Cell::Local(pid, offset) => {
            type_of(&system.proctypes[cut.proctypes[pid as usize]].frame, offset)
        }
    }
}

/// The fields of a message of a channel.
pub(super) fn message_name(cut: &Cut<'_>, chan: usize, message: &[i32]) -> String {
    let field = |(number, &value)| field_name(cut, chan, number, value);
    message.iter().enumerate().map(field).collect::<Vec<_>>().join(",")
}

/// The fields that a receive wants, with what it finds in the others.
pub(super) fn wish_name(
    cut: &Cut<'_>,
    chan: usize,
    wish: &[FieldQuery],
    found: Option<&[i32]>,
) -> String {
    let field = |(number, field): (usize, &FieldQuery)| match (field, found) {
        (FieldQuery::Ignored, _) | (FieldQuery::Wanted, None) => "_".to_owned(),
        (FieldQuery::Is(value), _) => field_name(cut, chan, number, *value),
        (FieldQuery::Wanted, Some(message)) => field_name(cut, chan, number, message[number]),
    };
    wish.iter().enumerate().map(field).collect::<Vec<_>>().join(",")
}

fn field_name(cut: &Cut<'_>, chan: usize, number: usize, value: i32) -> String {
    let ty = &cut.system().channel_types[cut.channels[chan].ty];
    let cell = ty.fields.get(number).copied().unwrap_or(CellType::Int);
    let is_bool = ty.bools.binary_search(&number).is_ok();
    ValueType { cell, is_bool, subtype: None }.write(cut, value)
}
