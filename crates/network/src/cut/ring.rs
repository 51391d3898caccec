//! A channel in pieces.
//!
//! As one component, a channel has one local state per content: with ten slots and three messages,
//! 88,573. As a ring buffer it becomes one small component per slot, and one for its ends: the
//! position of the oldest message and the length. The product has each content once for each
//! position of the oldest message, and is otherwise the same.

use crate::cut::{ChannelHome, Cut, PartId};
use crate::step::half::Half;
use crate::step::request::{Reply, Request};
use resy_index::Id;
use resy_system::{BinaryOp, FieldQuery, FoundMessage, Memory, MessageQuery, Value};

/// The reply of the ends of a ring: `local[0]` is the position of the oldest message, `local[1]`
/// the length.
pub fn ends_reply(local: &mut [i32], capacity: i32, request: &Request) -> Reply {
    match request {
        Request::Head(_) => return Reply::Number(local[0]),
        Request::Len(_) => return Reply::Number(local[1]),
        Request::TestLen(_, op, value) => return Reply::Bool(op.compares(local[1], *value)),
        Request::Push(_) => local[1] = (local[1] + 1).min(capacity),
        Request::Pop(_) => {
            local[0] = (local[0] + 1) % capacity;
            local[1] = (local[1] - 1).max(0);
        }
        Request::Shrink(_) => local[1] = (local[1] - 1).max(0),
        _ => local.fill(0),
    }
    if local[1] == 0 {
        // The position in an empty ring is irrelevant: normalise it.
        local[0] = 0;
    }
    Reply::Done
}

/// The reply of the component of one slot.
pub fn place_reply(local: &mut [i32], request: &Request) -> Reply {
    match request {
        Request::Find(_, wish) => {
            return Reply::Message(wish.fits(local).then(|| wish.wanted(local)));
        }
        Request::Put(_, _, message) => local.copy_from_slice(message),
        _ => local.fill(0),
    }
    Reply::Done
}

impl<'a> Half<'a> {
    /// The component and the number of the slot that holds the message at a position, counted from
    /// the oldest.
    fn place(&self, chan: usize, position: usize) -> Value<(PartId, usize)> {
        let channel = self.cut().channels[chan];
        let capacity = self.cut().system().channel_types[channel.ty].capacity as usize;
        let head = self.ask_number(channel.part, Request::Head(chan))? as usize;
        let slot = (head + position) % capacity;
        Ok((self.cut().place_part(channel, slot), slot))
    }

    /// The message of a ring at a position, if there is one that fits.
    pub(crate) fn ring_find_at(
        &self,
        chan: usize,
        position: usize,
        wish: &MessageQuery,
    ) -> Value<Option<Vec<i32>>> {
        let (part, _) = self.place(chan, position)?;
        let here = MessageQuery { random: false, fields: wish.fields.clone() };
        self.ask_message(part, Request::Find(chan, here))
    }

    pub(crate) fn ring_message(&self, chan: usize, position: usize) -> Value<Option<Vec<i32>>> {
        if !self.test_len(chan, BinaryOp::Gt, position as i32)? {
            return Ok(None);
        }
        let width = self.cut().channels[chan].width as usize;
        let all = MessageQuery { random: false, fields: vec![FieldQuery::Wanted; width] };
        self.ring_find_at(chan, position, &all)
    }

    pub(crate) fn ring_find(
        &self,
        chan: usize,
        wish: &MessageQuery,
    ) -> Value<Option<FoundMessage>> {
        let mut slot = 0;
        while self.test_len(chan, BinaryOp::Gt, slot as i32)? {
            if let Some(message) = self.ring_find_at(chan, slot, wish)? {
                return Ok(Some(FoundMessage { slot, message }));
            }
            if !wish.random {
                break;
            }
            slot += 1;
        }
        Ok(None)
    }

    fn ring_put(&mut self, chan: usize, position: usize, message: Vec<i32>) -> Value<()> {
        let (part, slot) = self.place(chan, position)?;
        self.tell_part(part, Request::Put(chan, slot, message));
        Ok(())
    }

    pub(crate) fn ring_insert(
        &mut self,
        chan: usize,
        message: &[i32],
        sorted_by: Option<&[i32]>,
    ) -> Value<()> {
        let len = self.channel_len(chan)?;
        let mut position = len;
        if let Some(raw) = sorted_by {
            position = 0;
            while self.ring_message(chan, position)?.is_some_and(|m| raw >= &m[..]) {
                position += 1;
            }
            for later in (position..len).rev() {
                let moved = self.ring_message(chan, later)?.unwrap_or_default();
                self.ring_put(chan, later + 1, moved)?;
            }
        }
        self.ring_put(chan, position, message.to_vec())?;
        self.tell_part(self.cut().channels[chan].part, Request::Push(chan));
        Ok(())
    }

    pub(crate) fn ring_remove(&mut self, chan: usize, position: usize) -> Value<()> {
        let ends = self.cut().channels[chan].part;
        if position == 0 {
            let (part, slot) = self.place(chan, 0)?;
            self.tell_part(part, Request::Free(chan, slot));
            self.tell_part(ends, Request::Pop(chan));
            return Ok(());
        }
        let len = self.channel_len(chan)?;
        for earlier in position..len - 1 {
            let moved = self.ring_message(chan, earlier + 1)?.unwrap_or_default();
            self.ring_put(chan, earlier, moved)?;
        }
        let (part, slot) = self.place(chan, len - 1)?;
        self.tell_part(part, Request::Free(chan, slot));
        self.tell_part(ends, Request::Shrink(chan));
        Ok(())
    }

    pub(crate) fn ring_clear(&mut self, chan: usize) {
        let (cut, channel) = (self.cut(), self.cut().channels[chan]);
        for slot in 0..cut.system().channel_types[channel.ty].capacity as usize {
            self.tell_part(cut.place_part(channel, slot), Request::Free(chan, slot));
        }
        self.tell_part(channel.part, Request::Clear(chan));
    }
}

impl Cut<'_> {
    /// The component of a slot of a ring.
    pub fn place_part(&self, channel: ChannelHome, slot: usize) -> PartId {
        let first = channel.ring.map_or(channel.part, |first| first);
        PartId::from_index(first.index() + slot)
    }
}
