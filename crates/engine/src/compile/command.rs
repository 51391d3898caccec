//! Commands: first the guard, then a copy of the state, then the effect on the copy.

use super::emit::{Emit, flags};
use super::native::{BAIL, at};
use crate::steps::Record;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use resy_index::Id;
use resy_system::{CellRef, Command, Edge, Expr, PrintPart, ProctypeId};
use std::mem::offset_of;

/// The edge for which a command is tried; there is none inside a `d_step`.
#[derive(Copy, Clone)]
pub struct TakenEdge<'e> {
    pub edge: &'e Edge,
    pub index: usize,
    /// The slot of the successor.
    pub next: Value,
    /// Whether an edge before this one could be taken.
    pub moved: Variable,
}

impl Emit<'_, '_> {
    /// Tries an edge of the process, then continues at `after`.
    pub fn edge(&mut self, index: usize, edge: &Edge, moved: Variable, after: Block) {
        self.vector = self.state;
        let next = self.context_pointer(at::NEXT);
        let taken = TakenEdge { edge, index, next, moved };
        self.attempt(&edge.command, after, Some(taken));
        let partner = self.int(-1);
        let actor = self.actor(self.pid, index);
        let number = self.edge_number(index);
        self.finish(edge, next, [actor, partner], [number; 2]);
        let one = self.b.ins().iconst(types::I8, 1);
        self.b.def_var(moved, one);
        self.b.ins().jump(after, &[]);
        self.vector = self.state;
    }

    /// Executes a command if it is enabled, otherwise jumps to `no`. For an edge the effect is on the copy
    /// in its slot, inside a `d_step` on the vector itself.
    pub fn attempt(&mut self, command: &Command, no: Block, taken: Option<TakenEdge<'_>>) {
        match command {
            Command::Skip => self.begin(taken),
            Command::Else => {
                if let Some(taken) = taken {
                    let moved = self.b.use_var(taken.moved);
                    let not = self.b.ins().bxor_imm_u(moved, 1);
                    self.require(not, no);
                }
                self.begin(taken);
            }
            Command::Guard(Expr::Run { proctype, args, .. }) => {
                self.begin(taken);
                self.run(*proctype, args);
            }
            Command::Guard(expr) => {
                let truth = self.holds(expr);
                self.require(truth, no);
                self.begin(taken);
            }
            Command::Assign(place, expr) => {
                self.begin(taken);
                let value = match expr {
                    Expr::Run { proctype, args, .. } => self.run(*proctype, args),
                    _ => self.eval(expr),
                };
                self.store_place(place, value);
            }
            Command::Assert(expr, _) => {
                self.begin(taken);
                let truth = self.holds(expr);
                self.require_or_bail(truth);
            }
            Command::Print(parts) => {
                self.begin(taken);
                parts.iter().for_each(|part| self.print(part));
            }
            Command::Send { chan, sorted, args } => self.send(chan, *sorted, args, no, taken),
            Command::Receive { chan, random, peek, patterns } => {
                self.receive(chan, *random, *peek, patterns, no, taken);
            }
            Command::DStep(d_step) => {
                self.start_d_step(&d_step.guard, no, taken);
                self.begin(taken);
                self.d_step(d_step);
            }
            Command::Exit => {
                let n = self.header(self.layout.count);
                let youngest = self.b.ins().iadd_imm_s(self.pid, 1);
                let last = self.b.ins().icmp(IntCC::Equal, n, youngest);
                self.require(last, no);
                self.begin(taken);
                self.b.ins().call(self.helpers.exit, &[self.context]);
            }
            Command::SetPriority(..) | Command::Event { .. } => {
                self.b.ins().jump(self.bail, &[]);
                let unreachable = self.b.create_block();
                self.b.switch_to_block(unreachable);
            }
        }
    }

    /// Copies the state to the slot, which is read and written from now on.
    pub fn begin(&mut self, taken: Option<TakenEdge<'_>>) {
        let Some(taken) = taken else { return };
        self.copy(taken.next);
        self.vector = taken.next;
        if changes_shape(&taken.edge.command) {
            let shape = self.context_u32(at::SHAPE);
            self.b.ins().store(flags(), shape, self.context, at::NEXT_SHAPE);
        }
    }

    fn copy(&mut self, to: Value) {
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let offset = self.b.append_block_param(head, types::I64);
        let len = self.context_pointer(at::LEN);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        let from = self.b.ins().iadd(self.state, offset);
        let piece = self.b.ins().load(types::I8X16, flags(), from, 0);
        let to = self.b.ins().iadd(to, offset);
        self.b.ins().store(flags(), piece, to, 0);
        let next = self.b.ins().iadd_imm_u(offset, 16);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, next, len);
        self.b.ins().brif(more, head, &[next.into()], done, &[]);
        self.b.switch_to_block(done);
    }

    /// A pid and an edge in one word, as in a record.
    pub fn actor(&mut self, pid: Value, edge: usize) -> Value {
        self.b.ins().bor_imm_u(pid, (edge as i64) << 16)
    }

    /// The number of an edge of the location.
    pub fn edge_number(&mut self, edge: usize) -> Value {
        self.int((self.first_edge + edge as u32) as i32)
    }

    /// Moves the process along the edge and writes the record of the successor: the mover and the edges.
    pub fn finish(&mut self, edge: &Edge, next: Value, movers: [Value; 2], numbers: [Value; 2]) {
        self.arrive(edge, next);
        let record = self.context_pointer(at::RECORD);
        let slots = self.context_pointer(at::SLOTS);
        let start = self.b.ins().isub(next, slots);
        let start = self.b.ins().ireduce(types::I32, start);
        let changes = changes_shape(&edge.command);
        let shape = self.context_u32(if changes { at::NEXT_SHAPE } else { at::SHAPE });
        let control = match edge.atomic {
            true => self.b.ins().iadd_imm_s(self.pid, 1),
            false => self.int(0),
        };
        let mut put = |offset: usize, value: Value| {
            self.b.ins().store(flags(), value, record, offset as i32);
        };
        put(offset_of!(Record, start), start);
        put(offset_of!(Record, shape), shape);
        put(offset_of!(Record, actor), movers[0]);
        put(offset_of!(Record, partner), movers[1]);
        put(offset_of!(Record, control), control);
        put(offset_of!(Record, edges), numbers[0]);
        put(offset_of!(Record, edges) + size_of::<u32>(), numbers[1]);
        let record = self.b.ins().iadd_imm_u(record, size_of::<Record>() as i64);
        self.b.ins().store(flags(), record, self.context, at::RECORD);
        let slot = self.context_pointer(at::SLOT);
        let free = self.b.ins().iadd(next, slot);
        self.b.ins().store(flags(), free, self.context, at::NEXT);
    }

    /// Moves the process along the edge in a vector.
    pub fn arrive(&mut self, edge: &Edge, vector: Value) {
        self.vector = vector;
        if let Some(target) = edge.target {
            let record = self.record();
            let field = self.layout.location;
            let target = self.int(target.index() as i32);
            self.store(field.width, record, field.offset, target);
            self.reset(edge, record);
        }
        if let Some(last) = self.layout.last {
            self.store(last.width, vector, last.offset, self.pid);
        }
    }

    /// Resets the variables that are dead after an edge.
    pub fn reset(&mut self, edge: &Edge, record: Value) {
        let Some(proctype) = self.proctype else { return };
        for &cell in &edge.resets {
            let field = self.layout.proctypes[proctype].cells[cell as usize];
            let zero = self.int(0);
            self.store(field.width, record, field.offset, zero);
        }
    }

    pub fn store_place(&mut self, place: &CellRef, value: Value) {
        if let Some(a) = self.address(place) {
            // A store of the full width needs no truncation.
            let cut = match place.cell {
                resy_system::CellType::Unsigned(8 | 16 | 32) => value,
                resy_system::CellType::Unsigned(_) => self.truncate(place.cell, value),
                _ => value,
            };
            self.store(a.width, a.base, a.offset, cut);
        }
    }

    /// Starts a process; returns its pid.
    fn run(&mut self, proctype: ProctypeId, args: &[Expr]) -> Value {
        let values: Vec<Value> = args.iter().map(|e| self.eval(e)).collect();
        values.into_iter().enumerate().for_each(|(i, v)| self.put_value(i, v));
        let id = self.int(proctype.index() as i32);
        let call = self.b.ins().call(self.helpers.create, &[self.context, id]);
        let pid = self.b.inst_results(call)[0];
        let fine = self.b.ins().icmp_imm_s(IntCC::NotEqual, pid, i64::from(BAIL));
        self.require_or_bail(fine);
        pid
    }

    /// A search prints nothing, but evaluating the arguments may fail.
    fn print(&mut self, part: &PrintPart) {
        match part {
            PrintPart::Text(_) => {}
            PrintPart::Decimal(e)
            | PrintPart::Unsigned(e)
            | PrintPart::Hex(e)
            | PrintPart::Octal(e)
            | PrintPart::Char(e)
            | PrintPart::Mtype(e, _) => {
                self.eval(e);
            }
        }
    }
}

/// Whether a command can create or end processes.
fn changes_shape(command: &Command) -> bool {
    let mut runs = matches!(command, Command::Exit);
    command.walk(&mut |e| runs |= matches!(e, Expr::Run { .. }));
    runs
}
