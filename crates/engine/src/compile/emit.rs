//! What all parts of the compiler use: the function being built, its values, and small idioms of emitting
//! code.

use super::facts::Facts;
use super::native::at;
use crate::vector::{Layout, VectorField, Width};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::FunctionBuilder;
use resy_system::{CellType, Options, ProctypeId, System};

/// The Rust functions that compiled code calls.
#[derive(Copy, Clone)]
pub struct Helpers {
    pub offer: FuncRef,
    pub create: FuncRef,
    pub exit: FuncRef,
    pub remove: FuncRef,
    pub insert_sorted: FuncRef,
}

/// A function being built.
pub struct Emit<'a, 'b> {
    pub b: &'a mut FunctionBuilder<'b>,
    pub system: &'a System,
    pub options: Options,
    pub layout: &'a Layout,
    pub facts: &'a Facts,
    pub helpers: Helpers,
    /// The proctype whose locals are accessed; `None` outside a process.
    pub proctype: Option<ProctypeId>,
    /// The context.
    pub context: Value,
    /// The state before the step.
    pub state: Value,
    /// The start of the process's record in a vector, as a 64-bit value.
    pub record_at: Value,
    pub pid: Value,
    pub timeout: Value,
    /// The number of the first edge of the location.
    pub first_edge: u32,
    /// The block that leaves the state to the interpreter.
    pub bail: Block,
    /// The vector that is read: the state, or the successor being written.
    pub vector: Value,
}

/// Vectors are bytes without alignment, and every access is in bounds.
pub fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Emit<'_, '_> {
    pub fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    /// Reads a field at an address.
    pub fn load(&mut self, width: Width, address: Value, offset: u32) -> Value {
        let offset = offset as i32;
        match width {
            Width::U8 => self.b.ins().uload8(types::I32, flags(), address, offset),
            Width::U16 => self.b.ins().uload16(types::I32, flags(), address, offset),
            Width::I16 => self.b.ins().sload16(types::I32, flags(), address, offset),
            Width::I32 => self.b.ins().load(types::I32, flags(), address, offset),
        }
    }

    /// Writes a field at an address.
    pub fn store(&mut self, width: Width, address: Value, offset: u32, value: Value) {
        let offset = offset as i32;
        match width {
            Width::U8 => self.b.ins().istore8(flags(), value, address, offset),
            Width::U16 | Width::I16 => self.b.ins().istore16(flags(), value, address, offset),
            Width::I32 => self.b.ins().store(flags(), value, address, offset),
        };
    }

    /// Reads a field of the header.
    pub fn header(&mut self, field: VectorField) -> Value {
        self.load(field.width, self.vector, field.offset)
    }

    /// The value after a store to a cell of this type.
    pub fn truncate(&mut self, ty: CellType, value: Value) -> Value {
        match ty {
            CellType::Unsigned(32..) | CellType::Int => value,
            CellType::Unsigned(bits) => {
                self.b.ins().band_imm_u(value, i64::from((1u32 << bits) - 1))
            }
            CellType::Byte | CellType::Mtype => self.b.ins().band_imm_u(value, 0xff),
            CellType::Short => {
                let low = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, low)
            }
            CellType::Chan => self.b.ins().band_imm_u(value, 0xffff),
        }
    }

    /// A value of the context.
    pub fn context_u32(&mut self, offset: i32) -> Value {
        self.b.ins().load(types::I32, flags(), self.context, offset)
    }

    pub fn context_pointer(&mut self, offset: i32) -> Value {
        self.b.ins().load(types::I64, flags(), self.context, offset)
    }

    /// Writes a value into the context's list of values.
    pub fn put_value(&mut self, i: usize, value: Value) {
        self.b.ins().store(flags(), value, self.context, at::VALUES + 4 * i as i32);
    }

    /// Widens an unsigned number to the size of an address.
    pub fn widen(&mut self, value: Value) -> Value {
        self.b.ins().uextend(types::I64, value)
    }

    /// A truth value as a number.
    pub fn number(&mut self, truth: Value) -> Value {
        self.b.ins().uextend(types::I32, truth)
    }

    /// Whether a number is not zero.
    pub fn truth(&mut self, number: Value) -> Value {
        self.b.ins().icmp_imm_s(IntCC::NotEqual, number, 0)
    }

    /// Continues in a new block if `truth` holds, otherwise at `otherwise`.
    pub fn require(&mut self, truth: Value, otherwise: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(truth, next, &[], otherwise, &[]);
        self.b.switch_to_block(next);
    }

    /// Bails out to the interpreter unless `truth` holds.
    pub fn require_or_bail(&mut self, truth: Value) {
        self.require(truth, self.bail);
    }

    /// The address of the process's record in the vector that is read.
    pub fn record(&mut self) -> Value {
        self.b.ins().iadd(self.vector, self.record_at)
    }
}
