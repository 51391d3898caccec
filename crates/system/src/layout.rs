//! Cells: the typed words that variables are made of.
//!
//! A variable is a range of cells in a frame; the globals and each process have one frame.
//! Structures and arrays are flattened, so that a reference is an offset plus indices. A cell
//! holds an `i32`, and a store truncates to the type of the cell, as the C types in spin's
//! verifier do.

use crate::Expr;
use crate::system::ChannelInit;

/// The type of a cell: how a store truncates.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellType {
    /// The low `n` bits; `bit` is `Unsigned(1)`.
    Unsigned(u8),
    /// Eight bits without sign: `byte`, `pid`, and elements of `bit` arrays, which spin stores
    /// in bytes and does not truncate to one bit.
    Byte,
    /// Eight bits that name an `mtype` value.
    Mtype,
    /// Sixteen bits with sign.
    Short,
    /// Thirty-two bits with sign.
    Int,
    /// The number of a channel, 0 when unset. Spin keeps it in eight bits; we
    /// keep sixteen, because more than 255 channels are allowed here.
    Chan,
}

impl CellType {
    /// The value of the cell after storing `value`.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Self::Unsigned(32..) | Self::Int => value,
            Self::Unsigned(bits) => value & ((1u32 << bits) - 1) as i32,
            Self::Byte | Self::Mtype => value & 0xff,
            Self::Short => value as i16 as i32,
            Self::Chan => value & 0xffff,
        }
    }

    /// The number of bits that a value needs.
    pub fn bits(self) -> u8 {
        match self {
            Self::Unsigned(bits) => bits,
            Self::Byte | Self::Mtype => 8,
            Self::Short | Self::Chan => 16,
            Self::Int => 32,
        }
    }
}

/// A declared variable: a range of cells of a frame.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name as declared; fields are separated by dots.
    pub name: String,
    /// The first cell.
    pub offset: u32,
    /// The number of cells; an array has one for each element.
    pub n_cells: u32,
    /// Whether it was declared as an array.
    pub is_array: bool,
    /// The type of its cells.
    pub cell: CellType,
    /// Whether it was declared `bool`, so that people read `true` and `false`.
    pub is_bool: bool,
    /// The subtype of an `mtype`.
    pub mtype: Option<String>,
    /// Whether it was declared `hidden`.
    pub hidden: bool,
}

/// The variables of one scope and their initial values.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The type of every cell.
    pub cells: Vec<CellType>,
    /// The variables with scalar cells (fields of structures one by one).
    pub variables: Vec<Variable>,
    /// The first cells hold the arguments of `run`, in order.
    pub n_params: u32,
    /// The stores that initialise the frame, in order. Spin initialises globals by type, not
    /// in the order of declaration.
    pub init: Vec<CellInit>,
}

/// One store at the start of a frame.
#[derive(Clone, Debug)]
pub enum CellInit {
    /// `cell = expr`.
    Value(u32, Expr),
    /// `cell` = a new channel.
    Channel(u32, ChannelInit),
}

#[cfg(test)]
mod tests {
    use super::CellType::*;

    #[test]
    fn a_store_keeps_what_the_type_can_hold() {
        let cases = [
            (Unsigned(1), 2, 0),
            (Unsigned(1), 3, 1),
            (Unsigned(5), -1, 31),
            (Byte, 256, 0),
            (Byte, -1, 255),
            (Mtype, 300, 44),
            (Short, 40_000, -25_536),
            (Int, i32::MIN, i32::MIN),
            (Unsigned(31), -1, i32::MAX),
        ];
        for (ty, value, left) in cases {
            assert_eq!(ty.truncate(value), left, "{ty:?} of {value}");
        }
    }
}
