//! Expressions.

use super::emit::{Emit, flags};
use super::native::at;
use crate::vector::Width;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use resy_index::Id;
use resy_system::{BinaryOp, CellRef, Expr, Probe, ProctypeId, Scope, UnaryOp};

/// The location of a variable: an address with a constant offset, and its width.
pub struct Address {
    pub base: Value,
    pub offset: u32,
    pub width: Width,
}

impl Emit<'_, '_> {
    /// The value of an expression.
    pub fn eval(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Const(value) => self.int(*value),
            Expr::Load(place) => self.load_place(place),
            Expr::Unary(op, e) => self.unary(*op, e),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Cond(c, a, b) => self.cond(c, a, b),
            Expr::Len(chan) => {
                let chan = self.channel(chan);
                self.channel_len(chan)
            }
            Expr::Probe(probe, chan) => self.probe(*probe, chan),
            Expr::Poll { chan, random, patterns } => self.poll(chan, *random, patterns),
            Expr::PcValue(pid) => {
                let pid = self.eval(pid);
                self.location_of(pid)
            }
            Expr::RemoteLocation { proctype, pid } => match pid {
                Some(pid) => {
                    let pid = self.eval(pid);
                    self.location_of(pid)
                }
                None => {
                    let pid = self.first_of(*proctype);
                    self.location_of(pid)
                }
            },
            Expr::RemoteLoad { proctype, pid, place } => {
                let pid = match pid {
                    Some(pid) => self.eval(pid),
                    None => self.first_of(*proctype),
                };
                self.remote_load(*proctype, pid, place)
            }
            Expr::Timeout => self.timeout,
            Expr::Pid => self.pid,
            Expr::ProcessCount => self.header(self.layout.count),
            Expr::Last => match self.layout.last {
                Some(field) => self.header(field),
                None => self.int(0),
            },
            // `Facts` leaves these to the interpreter.
            Expr::Run { .. }
            | Expr::Enabled(_)
            | Expr::GetPriority(_)
            | Expr::NonProgress
            | Expr::Priority => {
                let never = self.b.ins().iconst(types::I8, 0);
                self.require_or_bail(never);
                self.int(0)
            }
        }
    }

    /// Whether an expression is not zero, as a truth value.
    pub fn holds(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Binary(op, a, b) if let Some(cc) = comparison(*op) => {
                let (a, b) = (self.eval(a), self.eval(b));
                self.b.ins().icmp(cc, a, b)
            }
            Expr::Unary(UnaryOp::Not, e) => {
                let e = self.holds(e);
                self.b.ins().bxor_imm_u(e, 1)
            }
            _ => {
                let value = self.eval(expr);
                self.truth(value)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, e: &Expr) -> Value {
        match op {
            UnaryOp::Not => {
                let e = self.eval(e);
                let not = self.b.ins().icmp_imm_s(IntCC::Equal, e, 0);
                self.number(not)
            }
            UnaryOp::Neg => {
                let e = self.eval(e);
                self.b.ins().ineg(e)
            }
            UnaryOp::BitNot => {
                let e = self.eval(e);
                self.b.ins().bnot(e)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        if let BinaryOp::And | BinaryOp::Or = op {
            return self.lazy(op, a, b);
        }
        let (x, y) = (self.eval(a), self.eval(b));
        if let Some(cc) = comparison(op) {
            let truth = self.b.ins().icmp(cc, x, y);
            return self.number(truth);
        }
        match op {
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            BinaryOp::Div | BinaryOp::Mod => self.divide(op, x, y, b),
            BinaryOp::BitAnd => self.b.ins().band(x, y),
            BinaryOp::BitXor => self.b.ins().bxor(x, y),
            BinaryOp::BitOr => self.b.ins().bor(x, y),
            BinaryOp::Shl => self.b.ins().ishl(x, y),
            _ => self.b.ins().sshr(x, y),
        }
    }

    /// The divisors 0 and -1 are left to the interpreter: 0 is an error, and -1 can overflow, which the
    /// machine traps.
    fn divide(&mut self, op: BinaryOp, x: Value, y: Value, divisor: &Expr) -> Value {
        if !matches!(divisor, Expr::Const(c) if *c != 0 && *c != -1) {
            let shifted = self.b.ins().iadd_imm_s(y, 1);
            let usual = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, shifted, 1);
            self.require_or_bail(usual);
        }
        match op {
            BinaryOp::Div => self.b.ins().sdiv(x, y),
            _ => self.b.ins().srem(x, y),
        }
    }

    /// `&&` and `||` evaluate their right side only if necessary.
    fn lazy(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        let (more, done) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, types::I32);
        let first = self.holds(a);
        match op {
            BinaryOp::And => {
                let zero = self.int(0);
                self.b.ins().brif(first, more, &[], done, &[zero.into()]);
            }
            _ => {
                let one = self.int(1);
                self.b.ins().brif(first, done, &[one.into()], more, &[]);
            }
        }
        self.b.switch_to_block(more);
        let second = self.holds(b);
        let second = self.number(second);
        self.b.ins().jump(done, &[second.into()]);
        self.b.switch_to_block(done);
        result
    }

    fn cond(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Value {
        let (yes, no, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, types::I32);
        let c = self.holds(c);
        self.b.ins().brif(c, yes, &[], no, &[]);
        for (block, e) in [(yes, a), (no, b)] {
            self.b.switch_to_block(block);
            let value = self.eval(e);
            self.b.ins().jump(done, &[value.into()]);
        }
        self.b.switch_to_block(done);
        result
    }

    fn probe(&mut self, probe: Probe, chan: &Expr) -> Value {
        let chan = self.channel(chan);
        let len = self.channel_len(chan);
        let truth = match probe {
            Probe::Empty => self.b.ins().icmp_imm_s(IntCC::Equal, len, 0),
            Probe::NotEmpty => self.b.ins().icmp_imm_s(IntCC::NotEqual, len, 0),
            Probe::Full | Probe::NotFull => {
                let full = self.channel_full(chan);
                if probe == Probe::Full { full } else { self.b.ins().bxor_imm_u(full, 1) }
            }
        };
        self.number(truth)
    }

    fn load_place(&mut self, place: &CellRef) -> Value {
        match self.address(place) {
            Some(a) => self.load(a.width, a.base, a.offset),
            None => self.int(0),
        }
    }

    /// The address of a variable in the vector that is read; `None` for `_`.
    pub fn address(&mut self, place: &CellRef) -> Option<Address> {
        let (base, fields) = match (place.scope, self.proctype) {
            (Scope::Global, _) => (self.vector, &self.layout.globals.cells),
            (Scope::Local, Some(p)) => {
                let record = self.record();
                (record, &self.layout.proctypes[p].cells)
            }
            (Scope::Local, None) | (Scope::Nowhere, _) => return None,
        };
        Some(self.indexed(base, fields, place))
    }

    /// Adds the indices, each checked against its bound.
    fn indexed(
        &mut self,
        base: Value,
        fields: &[crate::vector::VectorField],
        place: &CellRef,
    ) -> Address {
        let first = fields[place.offset as usize];
        let (mut base, mut offset) = (base, first.offset);
        for term in &place.indices {
            let next = fields.get((place.offset + term.stride) as usize);
            let stride = next.map_or(0, |f| f.offset - first.offset);
            if let Expr::Const(i) = term.index
                && (0..term.len as i32).contains(&i)
            {
                offset += i as u32 * stride;
                continue;
            }
            let index = self.eval(&term.index);
            let inside =
                self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, i64::from(term.len));
            self.require_or_bail(inside);
            let index = self.widen(index);
            let distance = self.b.ins().imul_imm_u(index, i64::from(stride));
            base = self.b.ins().iadd(base, distance);
        }
        Address { base, offset, width: first.width }
    }

    /// The record of a process. If it does not exist, the interpreter decides.
    fn record_of(&mut self, pid: Value) -> Value {
        let n = self.context_u32(at::N_PROCESSES);
        let there = self.b.ins().icmp(IntCC::UnsignedLessThan, pid, n);
        self.require_or_bail(there);
        let table = self.context_pointer(at::PROCESSES);
        let index = self.widen(pid);
        let entry = self.b.ins().imul_imm_u(index, 4);
        let entry = self.b.ins().iadd(table, entry);
        let start = self.b.ins().load(types::I32, flags(), entry, 0);
        let start = self.widen(start);
        self.b.ins().iadd(self.vector, start)
    }

    fn location_of(&mut self, pid: Value) -> Value {
        let record = self.record_of(pid);
        let field = self.layout.location;
        self.load(field.width, record, field.offset)
    }

    fn remote_load(&mut self, proctype: ProctypeId, pid: Value, place: &CellRef) -> Value {
        let record = self.record_of(pid);
        let field = self.layout.proctype;
        let actual = self.load(field.width, record, field.offset);
        let right = self.b.ins().icmp_imm_s(IntCC::Equal, actual, proctype.index() as i64);
        self.require_or_bail(right);
        let fields = &self.layout.proctypes[proctype].cells;
        let a = self.indexed(record, fields, place);
        self.load(a.width, a.base, a.offset)
    }

    /// The first process of a proctype. If there is none, the interpreter decides.
    fn first_of(&mut self, proctype: ProctypeId) -> Value {
        let (head, body, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let pid = self.b.append_block_param(head, types::I32);
        let zero = self.int(0);
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        let record = self.record_of(pid);
        let field = self.layout.proctype;
        let actual = self.load(field.width, record, field.offset);
        let right = self.b.ins().icmp_imm_s(IntCC::Equal, actual, proctype.index() as i64);
        self.b.ins().brif(right, done, &[], body, &[]);
        self.b.switch_to_block(body);
        let next = self.b.ins().iadd_imm_s(pid, 1);
        self.b.ins().jump(head, &[next.into()]);
        self.b.switch_to_block(done);
        pid
    }
}

fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}
