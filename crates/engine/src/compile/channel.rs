//! Channels: their addresses, their contents, and matching of messages.
//!
//! The address and the type of a global channel that is never assigned are known at compile time. Any other
//! channel is looked up by its number in the shape's table, and the code has a branch for each type that it
//! could have.

use super::emit::{Emit, flags};
use super::native::at;
use crate::vector::{ChannelLayout, ChannelPlace};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use resy_index::Id;
use resy_system::{CellRef, ChannelTypeId, Expr, Pattern, Scope};

/// A channel, as far as it is known at compile time.
#[derive(Copy, Clone)]
pub struct Chan {
    /// Its first byte in a vector, as a 64-bit value.
    pub at: Value,
    ty: Type,
}

#[derive(Copy, Clone)]
enum Type {
    Known(ChannelTypeId),
    /// The numbers of the type and of the slots.
    Looked {
        ty: Value,
        capacity: Value,
    },
}

impl<'a> Emit<'a, '_> {
    /// The channel that an expression denotes. A number that is no channel is left to the interpreter.
    pub fn channel(&mut self, expr: &Expr) -> Chan {
        if let Expr::Load(place) = expr
            && let Some(chan) = self.constant_channel(place)
        {
            return chan;
        }
        let id = self.eval(expr);
        let index = self.b.ins().iadd_imm_s(id, -1);
        let n = self.context_u32(at::N_CHANNELS);
        let there = self.b.ins().icmp(IntCC::UnsignedLessThan, index, n);
        self.require_or_bail(there);
        let table = self.context_pointer(at::CHANNELS);
        let index = self.widen(index);
        let entry = self.b.ins().imul_imm_u(index, size_of::<ChannelPlace>() as i64);
        let entry = self.b.ins().iadd(table, entry);
        let mut part = |offset: usize| self.b.ins().load(types::I32, flags(), entry, offset as i32);
        let start = part(std::mem::offset_of!(ChannelPlace, at));
        let ty = part(std::mem::offset_of!(ChannelPlace, ty));
        let capacity = part(std::mem::offset_of!(ChannelPlace, capacity));
        let only = (self.layout.channels.len() == 1).then(|| ChannelTypeId::from_index(0));
        let ty = only.map_or(Type::Looked { ty, capacity }, Type::Known);
        Chan { at: self.widen(start), ty }
    }

    /// A global channel, or an element of an array of them, that no statement changes.
    fn constant_channel(&mut self, place: &CellRef) -> Option<Chan> {
        if place.scope != Scope::Global {
            return None;
        }
        let first = self.facts.channel(place.offset)?;
        let reach: u32 = place.indices.iter().map(|t| (t.len - 1) * t.stride).sum();
        let same = |d: u32| {
            let channel = self.facts.channel(place.offset + d);
            channel.is_some_and(|c| c.ty == first.ty && c.at == first.at + d * self.len_of(c.ty))
        };
        if !(0..=reach).all(same) {
            return None;
        }
        let mut start = self.b.ins().iconst(types::I64, i64::from(first.at));
        for term in &place.indices {
            let index = self.eval(&term.index);
            let inside =
                self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, i64::from(term.len));
            self.require_or_bail(inside);
            let index = self.widen(index);
            let bytes = i64::from(term.stride * self.len_of(first.ty));
            let distance = self.b.ins().imul_imm_u(index, bytes);
            start = self.b.ins().iadd(start, distance);
        }
        let ty = ChannelTypeId::from_index(first.ty as usize);
        Some(Chan { at: start, ty: Type::Known(ty) })
    }

    fn len_of(&self, ty: u32) -> u32 {
        self.layout.channels[ChannelTypeId::from_index(ty as usize)].len
    }

    /// The address of a channel in the vector that is read.
    pub fn channel_address(&mut self, chan: Chan) -> Value {
        self.b.ins().iadd(self.vector, chan.at)
    }

    /// The number of messages.
    pub fn channel_len(&mut self, chan: Chan) -> Value {
        let address = self.channel_address(chan);
        self.load(self.layout.length, address, 0)
    }

    /// Whether a channel is full; a rendezvous channel never is.
    pub fn channel_full(&mut self, chan: Chan) -> Value {
        let capacity = match chan.ty {
            Type::Known(ty) => {
                let capacity = self.layout.channels[ty].capacity;
                if capacity == 0 {
                    return self.b.ins().iconst(types::I8, 0);
                }
                self.int(capacity as i32)
            }
            Type::Looked { capacity, .. } => capacity,
        };
        let len = self.channel_len(chan);
        let full = self.b.ins().icmp(IntCC::Equal, len, capacity);
        let buffered = self.b.ins().icmp_imm_s(IntCC::NotEqual, capacity, 0);
        self.b.ins().band(full, buffered)
    }

    /// Emits `body` for each type of channel whose messages have `n_fields` fields; other numbers of fields
    /// are left to the interpreter. The body must end its last block.
    pub fn by_type(
        &mut self,
        chan: Chan,
        n_fields: usize,
        mut body: impl FnMut(&mut Self, ChannelTypeId, &'a ChannelLayout),
    ) {
        let layout = self.layout;
        let fits = |ty: ChannelTypeId| layout.channels[ty].fields.len() == n_fields;
        match chan.ty {
            Type::Known(ty) if fits(ty) => return body(self, ty, &layout.channels[ty]),
            Type::Known(_) => {}
            Type::Looked { ty, .. } => {
                for id in (0..layout.channels.len()).map(ChannelTypeId::from_index) {
                    if !fits(id) {
                        continue;
                    }
                    let (yes, no) = (self.b.create_block(), self.b.create_block());
                    let equal = self.b.ins().icmp_imm_s(IntCC::Equal, ty, id.index() as i64);
                    self.b.ins().brif(equal, yes, &[], no, &[]);
                    self.b.switch_to_block(yes);
                    body(self, id, &layout.channels[id]);
                    self.b.switch_to_block(no);
                }
            }
        }
        self.b.ins().jump(self.bail, &[]);
    }

    /// The address and the number of the slot of the first message that matches: only the oldest message is
    /// tried, or all for `random`. Jumps to `none` if no message matches.
    pub fn find_message(
        &mut self,
        chan: Chan,
        channel: &ChannelLayout,
        random: bool,
        patterns: &[Pattern],
        none: cranelift_codegen::ir::Block,
    ) -> (Value, Value) {
        let len = self.channel_len(chan);
        let first = self.channel_address(chan);
        let first = self.b.ins().iadd_imm_u(first, i64::from(self.layout.length.bytes()));
        if !random {
            let some = self.truth(len);
            self.require(some, none);
            self.matches(first, channel, patterns, none);
            return (first, self.int(0));
        }
        let (head, body, other) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let slot = self.b.append_block_param(head, types::I32);
        let zero = self.int(0);
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, slot, len);
        self.b.ins().brif(more, body, &[], none, &[]);
        self.b.switch_to_block(other);
        let next = self.b.ins().iadd_imm_s(slot, 1);
        self.b.ins().jump(head, &[next.into()]);
        self.b.switch_to_block(body);
        let distance = self.widen(slot);
        let distance = self.b.ins().imul_imm_u(distance, i64::from(channel.stride));
        let address = self.b.ins().iadd(first, distance);
        self.matches(address, channel, patterns, other);
        (address, slot)
    }

    /// Continues only if the message in a slot has the given values.
    fn matches(
        &mut self,
        slot: Value,
        channel: &ChannelLayout,
        patterns: &[Pattern],
        otherwise: cranelift_codegen::ir::Block,
    ) {
        for (pattern, field) in patterns.iter().zip(&channel.fields) {
            if let Pattern::Match(expr) = pattern {
                let wanted = self.eval(expr);
                let actual = self.load(field.width, slot, field.offset);
                let equal = self.b.ins().icmp(IntCC::Equal, wanted, actual);
                self.require(equal, otherwise);
            }
        }
    }

    /// Whether a message could be received: 1, or its position for `??`.
    pub fn poll(&mut self, chan: &Expr, random: bool, patterns: &[Pattern]) -> Value {
        let chan = self.channel(chan);
        let (none, done) = (self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(done, types::I32);
        let positional = random && patterns.iter().any(|p| matches!(p, Pattern::Match(_)));
        self.by_type(chan, patterns.len(), |emit, _, channel| {
            if channel.capacity == 0 {
                emit.b.ins().jump(emit.bail, &[]);
                return;
            }
            let (_, slot) = emit.find_message(chan, channel, random, patterns, none);
            let value = if positional { emit.b.ins().iadd_imm_s(slot, 1) } else { emit.int(1) };
            emit.b.ins().jump(done, &[value.into()]);
        });
        self.b.switch_to_block(none);
        let zero = self.int(0);
        self.b.ins().jump(done, &[zero.into()]);
        self.b.switch_to_block(done);
        result
    }
}
