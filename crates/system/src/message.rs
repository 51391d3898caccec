//! Channels: what is in them, what matches, what goes in and out.

use crate::command::Pattern;
use crate::eval::{Value, View};
use crate::expr::Expr;
use crate::state::{Channel, State};
use crate::system::{ChannelType, System};
use crate::violation::ViolationKind;

/// A message offered on a rendezvous channel, for one step.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    /// The position of the channel.
    pub chan: usize,
    /// The fields, cut to their types.
    pub message: Vec<i32>,
}

impl<'a> View<'a> {
    /// The position of the channel that `expr` names.
    pub fn channel(&self, expr: &Expr) -> Value<usize> {
        let id = self.eval(expr)?;
        match usize::try_from(id) {
            Ok(id) if id >= 1 && id <= self.state.channels.len() => Ok(id - 1),
            _ => Err(ViolationKind::NoChannel),
        }
    }

    pub fn channel_type(&self, chan: usize) -> &'a ChannelType {
        &self.system.channel_types[self.state.channels[chan].ty]
    }

    pub fn is_rendezvous(&self, chan: usize) -> bool {
        self.channel_type(chan).capacity == 0
    }

    pub fn chan_len(&self, chan: usize) -> usize {
        self.state.cells[self.state.channels[chan].base as usize] as usize
    }

    /// A rendezvous channel is never full: its slot is free between steps.
    pub fn chan_full(&self, chan: usize) -> bool {
        let capacity = self.channel_type(chan).capacity as usize;
        capacity > 0 && self.chan_len(chan) == capacity
    }

    /// The slot of the message that a receive with these patterns takes: the
    /// oldest one if it matches, or the oldest that matches for `??`.
    pub fn find_message(
        &self,
        chan: usize,
        random: bool,
        patterns: &[Pattern],
    ) -> Value<Option<usize>> {
        let len = self.chan_len(chan);
        let slots = if random { len } else { len.min(1) };
        for slot in 0..slots {
            if self.matches(self.slot(chan, slot), patterns)? {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// The fields of the message in a slot.
    pub fn slot(&self, chan: usize, slot: usize) -> &'a [i32] {
        let width = self.channel_type(chan).fields.len();
        let base = self.state.channels[chan].base as usize + 1 + slot * width;
        &self.state.cells[base..base + width]
    }

    /// Whether `message` has the values that the patterns ask for.
    pub fn matches(&self, message: &[i32], patterns: &[Pattern]) -> Value<bool> {
        for (i, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(expr) = pattern {
                let Some(&field) = message.get(i) else {
                    return Err(ViolationKind::ReceiveFields(patterns.len(), message.len()));
                };
                if self.eval(expr)? != field {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The message of a send: as many fields as the channel has, and the values
    /// before they were cut to the types (sorted sends compare those).
    pub fn message(&self, chan: usize, args: &[Expr]) -> Value<(Vec<i32>, Vec<i32>)> {
        let fields = &self.channel_type(chan).fields;
        let mut raw = args.iter().map(|e| self.eval(e)).collect::<Value<Vec<i32>>>()?;
        if raw.len() != fields.len() {
            self.notes.borrow_mut().push(ViolationKind::SendFields(raw.len(), fields.len()));
            raw.resize(fields.len(), 0);
        }
        let cut = fields.iter().zip(&raw).map(|(ty, &v)| ty.truncate(v)).collect();
        Ok((cut, raw))
    }
}

impl State {
    /// Puts a message at the end, or before the first greater one.
    pub(crate) fn insert_message(
        &mut self,
        system: &System,
        chan: usize,
        message: &[i32],
        sorted_by: Option<&[i32]>,
    ) {
        let Channel { ty, base } = self.channels[chan];
        let width = system.channel_types[ty].fields.len();
        let (len, first) = (self.cells[base as usize] as usize, base as usize + 1);
        let slot = sorted_by.map_or(len, |raw| {
            let greater =
                |&slot: &usize| raw < &self.cells[first + slot * width..first + (slot + 1) * width];
            (0..len).find(greater).unwrap_or(len)
        });
        let at = first + slot * width;
        self.cells.copy_within(at..first + len * width, at + width);
        self.cells[at..at + width].copy_from_slice(message);
        self.cells[base as usize] += 1;
    }

    /// Takes the message of a slot out; what is free is zero.
    pub(crate) fn remove_message(&mut self, system: &System, chan: usize, slot: usize) {
        let Channel { ty, base } = self.channels[chan];
        let width = system.channel_types[ty].fields.len();
        let (len, first) = (self.cells[base as usize] as usize, base as usize + 1);
        let end = first + len * width;
        self.cells.copy_within(first + (slot + 1) * width..end, first + slot * width);
        self.cells[end - width..end].fill(0);
        self.cells[base as usize] -= 1;
    }
}
