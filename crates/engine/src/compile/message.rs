//! Messages: sending to a channel, offering a rendezvous, receiving.

use super::channel::Chan;
use super::command::TakenEdge;
use super::emit::{Emit, flags};
use super::native::{BAIL, at};
use crate::vector::ChannelLayout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use resy_index::Id;
use resy_system::{Edge, Expr, Pattern};

impl Emit<'_, '_> {
    /// Sends a message, if the channel has room.
    pub fn send(
        &mut self,
        chan: &Expr,
        sorted: bool,
        args: &[Expr],
        no: Block,
        taken: Option<TakenEdge<'_>>,
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

    /// Appends a message to a channel.
    fn append(&mut self, chan: Chan, channel: &ChannelLayout, values: &[Value]) {
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

    /// Offers a message to the other processes, which write the successors.
    fn rendezvous(
        &mut self,
        chan: &Expr,
        channel: &ChannelLayout,
        args: &[Expr],
        no: Block,
        taken: Option<TakenEdge<'_>>,
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

    /// Receives a matching message, if there is one.
    pub fn receive(
        &mut self,
        chan: &Expr,
        random: bool,
        peek: bool,
        patterns: &[Pattern],
        no: Block,
        taken: Option<TakenEdge<'_>>,
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

    /// Stores the fields of a message in order: `q?i,a[i]` uses the new `i`.
    pub fn bind(&mut self, patterns: &[Pattern], values: &[Value]) {
        for (pattern, &value) in patterns.iter().zip(values) {
            if let Pattern::Bind(place) = pattern {
                self.store_place(place, value);
            }
        }
    }

    /// Removes the message of a slot from its channel.
    fn take_out(&mut self, chan: Chan, channel: &ChannelLayout, slot: Value) {
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

    /// Resets what is dead after the edge of the sender of a rendezvous, in every successor from `first`
    /// on.
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
}
