//! Commands: guard first, then a copy of the state, then the effect on the copy.

use super::emit::{Emit, flags};
use super::native::{BAIL, at};
use crate::steps::Record;
use crate::vector::ChannelLayout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;
use resy_index::Id;
use resy_system::{Command, DStepGuard, Edge, Expr, Pattern, Place, PrintPart, ProctypeId};
use std::mem::offset_of;

/// The edge for which a command is tried; inside a `d_step` there is none.
#[derive(Copy, Clone)]
pub struct Taken<'e> {
    pub edge: &'e Edge,
    pub index: usize,
    /// The slot of the successor.
    pub next: Value,
    /// Whether an edge before this one could be taken.
    pub moved: Variable,
}

impl Emit<'_, '_> {
    /// Tries an edge of the process and goes on at `after`.
    pub fn edge(&mut self, index: usize, edge: &Edge, moved: Variable, after: Block) {
        self.vector = self.state;
        let next = self.context_pointer(at::NEXT);
        let taken = Taken { edge, index, next, moved };
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

    /// Carries out a command if it is possible, else goes to `no`. For an edge the
    /// effect is on the copy in its slot, inside a `d_step` on the vector itself.
    pub fn attempt(&mut self, command: &Command, no: Block, taken: Option<Taken<'_>>) {
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

    /// Copies the state to the slot, and reads and writes there from now on.
    pub fn begin(&mut self, taken: Option<Taken<'_>>) {
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

    /// Moves the process along the edge and writes the record of the successor: who moves,
    /// and by which edges.
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

    /// Sets the variables to 0 that are dead behind an edge.
    fn reset(&mut self, edge: &Edge, record: Value) {
        let Some(proctype) = self.proctype else { return };
        for &cell in &edge.resets {
            let field = self.layout.proctypes[proctype].cells[cell as usize];
            let zero = self.int(0);
            self.store(field.width, record, field.offset, zero);
        }
    }

    /// The same for the sender of a rendezvous, in every successor since `first`.
    fn reset_sender(&mut self, edge: &Edge, first: Value) {
        if edge.resets.is_empty() {
            return;
        }
        let (head, body, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[first.into()]);
        self.b.switch_to_block(head);
        let end = self.context_pointer(at::NEXT);
        let more = self.b.ins().icmp(IntCC::NotEqual, at, end);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let record = self.b.ins().iadd(at, self.record_at);
        self.reset(edge, record);
        let slot = self.context_pointer(at::SLOT);
        let next = self.b.ins().iadd(at, slot);
        self.b.ins().jump(head, &[next.into()]);
        self.b.switch_to_block(done);
    }

    pub fn store_place(&mut self, place: &Place, value: Value) {
        if let Some(a) = self.address(place) {
            // A store of the full width needs no cutting.
            let cut = match place.cell {
                resy_system::CellType::Unsigned(8 | 16 | 32) => value,
                resy_system::CellType::Unsigned(_) => self.truncate(place.cell, value),
                _ => value,
            };
            self.store(a.width, a.base, a.offset, cut);
        }
    }

    /// Starts a process and gives its pid.
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

    /// Nothing is printed in a search, but the arguments may fail.
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

    fn send(
        &mut self,
        chan: &Expr,
        sorted: bool,
        args: &[Expr],
        no: Block,
        taken: Option<Taken<'_>>,
    ) {
        let from = self.vector;
        let expr = chan;
        let chan = self.channel(expr);
        if !self.options.loss {
            let full = self.channel_full(chan);
            let free = self.b.ins().bxor_imm_u(full, 1);
            self.require(free, no);
        }
        let done = self.b.create_block();
        self.by_type(chan, args.len(), |emit, ty, channel| {
            emit.vector = from;
            if channel.capacity == 0 {
                return emit.rendezvous(expr, channel, args, no, taken);
            }
            emit.begin(taken);
            let values: Vec<Value> = args.iter().map(|e| emit.eval(e)).collect();
            if emit.options.loss {
                let full = emit.channel_full(chan);
                let free = emit.b.ins().bxor_imm_u(full, 1);
                emit.require(free, done);
            }
            if sorted {
                values.into_iter().enumerate().for_each(|(i, v)| emit.put_value(i, v));
                let at = emit.b.ins().ireduce(types::I32, chan.at);
                let ty = emit.int(ty.index() as i32);
                // The helper writes to the slot that the context names.
                emit.b.ins().call(emit.helpers.insert_sorted, &[emit.context, at, ty]);
            } else {
                emit.append(chan, channel, &values);
            }
            emit.b.ins().jump(done, &[]);
        });
        self.b.switch_to_block(done);
        if let Some(taken) = taken {
            self.vector = taken.next;
        }
    }

    /// Puts a message behind the others.
    fn append(&mut self, chan: super::channel::Chan, channel: &ChannelLayout, values: &[Value]) {
        let address = self.channel_address(chan);
        let len = self.load(self.layout.length, address, 0);
        let slot = self.widen(len);
        let distance = self.b.ins().imul_imm_u(slot, i64::from(channel.stride));
        let slot = self.b.ins().iadd(address, distance);
        let first = self.layout.length.bytes();
        for ((field, &ty), &value) in channel.fields.iter().zip(&channel.types).zip(values) {
            let cut = self.truncate(ty, value);
            self.store(field.width, slot, first + field.offset, cut);
        }
        let more = self.b.ins().iadd_imm_s(len, 1);
        self.store(self.layout.length, address, 0, more);
    }

    /// Offers a message to the other processes; what follows is written by them.
    fn rendezvous(
        &mut self,
        chan: &Expr,
        channel: &ChannelLayout,
        args: &[Expr],
        no: Block,
        taken: Option<Taken<'_>>,
    ) {
        let Some(taken) = taken else {
            self.b.ins().jump(self.bail, &[]);
            return;
        };
        for (i, (e, &ty)) in args.iter().zip(&channel.types).enumerate() {
            let value = self.eval(e);
            let value = self.truncate(ty, value);
            self.put_value(i, value);
        }
        let id = self.eval(chan);
        let n = self.int(args.len() as i32);
        let target = self.int(taken.edge.target.map_or(0, Id::index) as i32);
        let start = self.b.ins().ireduce(types::I32, self.record_at);
        let actor = self.actor(self.pid, taken.index);
        let number = self.edge_number(taken.index);
        let stores = [
            (at::OFFER_CHAN, id),
            (at::N_VALUES, n),
            (at::SENDER_TARGET, target),
            (at::SENDER_AT, start),
            (at::SENDER, actor),
            (at::SENDER_EDGE, number),
        ];
        for (offset, value) in stores {
            self.b.ins().store(flags(), value, self.context, offset);
        }
        let call = self.b.ins().call(self.helpers.offer, &[self.context, self.state, self.pid]);
        let accepted = self.b.inst_results(call)[0];
        let fine = self.b.ins().icmp_imm_s(IntCC::NotEqual, accepted, i64::from(BAIL));
        self.require_or_bail(fine);
        self.reset_sender(taken.edge, taken.next);
        let before = self.b.use_var(taken.moved);
        let accepted = self.b.ins().ireduce(types::I8, accepted);
        let moved = self.b.ins().bor(before, accepted);
        self.b.def_var(taken.moved, moved);
        self.b.ins().jump(no, &[]);
    }

    fn receive(
        &mut self,
        chan: &Expr,
        random: bool,
        peek: bool,
        patterns: &[Pattern],
        no: Block,
        taken: Option<Taken<'_>>,
    ) {
        let from = self.vector;
        let chan = self.channel(chan);
        let done = self.b.create_block();
        self.by_type(chan, patterns.len(), |emit, _, channel| {
            emit.vector = from;
            if channel.capacity == 0 {
                let to = if peek { emit.bail } else { no };
                emit.b.ins().jump(to, &[]);
                return;
            }
            let (slot, number) = emit.find_message(chan, channel, random, patterns, no);
            let fields = channel.fields.iter().map(|f| emit.load(f.width, slot, f.offset));
            let values: Vec<Value> = fields.collect();
            emit.begin(taken);
            emit.bind(patterns, &values);
            if !peek {
                emit.take_out(chan, channel, number);
            }
            emit.b.ins().jump(done, &[]);
        });
        self.b.switch_to_block(done);
        if let Some(taken) = taken {
            self.vector = taken.next;
        }
    }

    /// Stores the fields of a message one after the other: `q?i,a[i]` uses the new `i`.
    pub fn bind(&mut self, patterns: &[Pattern], values: &[Value]) {
        for (pattern, &value) in patterns.iter().zip(values) {
            if let Pattern::Bind(place) = pattern {
                self.store_place(place, value);
            }
        }
    }

    fn take_out(&mut self, chan: super::channel::Chan, channel: &ChannelLayout, slot: Value) {
        let address = self.channel_address(chan);
        let len = self.load(self.layout.length, address, 0);
        let less = self.b.ins().iadd_imm_s(len, -1);
        self.store(self.layout.length, address, 0, less);
        let first = self.b.ins().iadd_imm_u(address, i64::from(self.layout.length.bytes()));
        if channel.capacity == 1 {
            let zero = self.int(0);
            for field in &channel.fields {
                self.store(field.width, first, field.offset, zero);
            }
            return;
        }
        let stride = self.int(channel.stride as i32);
        let capacity = self.int(channel.capacity as i32);
        self.b.ins().call(self.helpers.remove, &[first, slot, stride, capacity]);
    }

    /// Whether a `d_step` can start.
    fn start_d_step(&mut self, guard: &DStepGuard, no: Block, taken: Option<Taken<'_>>) {
        match guard {
            DStepGuard::Always => {}
            DStepGuard::Else => {
                if let Some(taken) = taken {
                    let moved = self.b.use_var(taken.moved);
                    let not = self.b.ins().bxor_imm_u(moved, 1);
                    self.require(not, no);
                }
            }
            DStepGuard::AnyOf(commands) => {
                let start = self.b.create_block();
                for command in commands {
                    let other = self.b.create_block();
                    self.possible(command, other);
                    self.b.ins().jump(start, &[]);
                    self.b.switch_to_block(other);
                }
                self.b.ins().jump(no, &[]);
                self.b.switch_to_block(start);
            }
        }
    }

    /// Goes on if a command is possible, else to `no`; nothing is changed.
    fn possible(&mut self, command: &Command, no: Block) {
        match command {
            Command::Guard(Expr::Run { .. }) => {}
            Command::Guard(expr) => {
                let truth = self.holds(expr);
                self.require(truth, no);
            }
            Command::Send { chan, .. } => {
                let chan = self.channel(chan);
                if !self.options.loss {
                    let full = self.channel_full(chan);
                    let free = self.b.ins().bxor_imm_u(full, 1);
                    self.require(free, no);
                }
            }
            Command::Receive { chan, random, peek, patterns } => {
                let chan = self.channel(chan);
                let done = self.b.create_block();
                self.by_type(chan, patterns.len(), |emit, _, channel| {
                    if channel.capacity == 0 {
                        let to = if *peek { emit.bail } else { no };
                        emit.b.ins().jump(to, &[]);
                        return;
                    }
                    emit.find_message(chan, channel, *random, patterns, no);
                    emit.b.ins().jump(done, &[]);
                });
                self.b.switch_to_block(done);
            }
            Command::DStep(d_step) => self.start_d_step(&d_step.guard, no, None),
            Command::Exit => {
                self.b.ins().jump(self.bail, &[]);
                let unreachable = self.b.create_block();
                self.b.switch_to_block(unreachable);
            }
            _ => {}
        }
    }
}

/// Whether a command can create or end processes.
fn changes_shape(command: &Command) -> bool {
    let mut runs = matches!(command, Command::Exit);
    command.walk(&mut |e| runs |= matches!(e, Expr::Run { .. }));
    runs
}
