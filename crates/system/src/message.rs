//! Channels: matching receives, and the messages of sends.

use crate::command::Pattern;
use crate::eval::View;
use crate::expr::{BinaryOp, Expr, Scope};
use crate::memory::{FieldQuery, FoundMessage, Memory, MessageQuery, Value};
use crate::system::ChannelType;
use crate::violation::ViolationKind;

/// A message offered on a rendezvous channel, for one step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offer {
    /// The position of the channel.
    pub chan: usize,
    /// The fields, truncated to their types.
    pub message: Vec<i32>,
}

impl<'a, M: Memory> View<'a, M> {
    /// The position of the channel that `expr` names.
    pub fn channel(&self, expr: &Expr) -> Value<usize> {
        let id = self.memory.number(self.eval(expr)?)?;
        let chan = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let chan = chan.ok_or(ViolationKind::NoChannel)?;
        match self.memory.channel_type(chan)? {
            Some(_) => Ok(chan),
            None => Err(ViolationKind::NoChannel),
        }
    }

    /// The type of a channel that exists.
    pub fn channel_type(&self, chan: usize) -> Value<&'a ChannelType> {
        let ty = self.memory.channel_type(chan)?.ok_or(ViolationKind::NoChannel)?;
        Ok(&self.system.channel_types[ty])
    }

    pub fn is_rendezvous(&self, chan: usize) -> Value<bool> {
        Ok(self.channel_type(chan)?.capacity == 0)
    }

    /// A rendezvous channel is never full: its slot is free between steps.
    pub fn is_full(&self, chan: usize) -> Value<bool> {
        let capacity = self.channel_type(chan)?.capacity;
        Ok(capacity > 0 && self.memory.test_len(chan, BinaryOp::Eq, capacity as i32)?)
    }

    /// The query of a receive with these patterns. `None` if a pattern may fail: such patterns
    /// are evaluated slot by slot, only as far as needed.
    fn query(
        &self,
        chan: usize,
        random: bool,
        patterns: &[Pattern],
    ) -> Value<Option<MessageQuery>> {
        let n_fields = self.channel_type(chan)?.fields.len();
        if patterns.len() > n_fields || patterns.iter().any(can_fail) {
            return Ok(None);
        }
        let mut fields = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            fields.push(match pattern {
                Pattern::Match(expr) => FieldQuery::Is(self.eval(expr)?),
                Pattern::Bind(place) if place.scope == Scope::Nowhere => FieldQuery::Ignored,
                Pattern::Bind(_) => FieldQuery::Wanted,
            });
        }
        Ok(Some(MessageQuery { random, fields }))
    }

    /// The message that a receive with these patterns takes: the oldest one if it
    /// matches, or the oldest that matches for `??`. The query is returned with it.
    pub fn find_message(
        &self,
        chan: usize,
        random: bool,
        patterns: &[Pattern],
    ) -> Value<Option<(FoundMessage, Option<MessageQuery>)>> {
        let query = self.query(chan, random, patterns)?;
        let found = match &query {
            Some(query) => self.memory.find(chan, query)?,
            None => self.find_by_slots(chan, random, patterns)?,
        };
        Ok(found.map(|found| (found, query)))
    }

    /// Like `find_message`, matching one message after the other.
    pub fn find_by_slots(
        &self,
        chan: usize,
        random: bool,
        patterns: &[Pattern],
    ) -> Value<Option<FoundMessage>> {
        let mut slot = 0;
        while let Some(message) = self.memory.message(chan, slot)? {
            if self.matches(&message, patterns)? {
                return Ok(Some(FoundMessage { slot, message }));
            }
            if !random {
                break;
            }
            slot += 1;
        }
        Ok(None)
    }

    /// Whether `message` matches the patterns.
    pub fn matches(&self, message: &[i32], patterns: &[Pattern]) -> Value<bool> {
        for (i, pattern) in patterns.iter().enumerate() {
            if let Pattern::Match(expr) = pattern {
                let Some(&field) = message.get(i) else {
                    return Err(ViolationKind::ReceiveFields(patterns.len(), message.len()));
                };
                if !self.memory.compare(BinaryOp::Eq, self.eval(expr)?, field)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The message of a send, with as many fields as the channel has, and the values before
    /// truncation, which sorted sends compare.
    pub fn outgoing(&self, chan: usize, args: &[Expr]) -> Value<(Vec<i32>, Vec<i32>)> {
        let fields = &self.channel_type(chan)?.fields;
        let mut raw = args.iter().map(|e| self.eval(e)).collect::<Value<Vec<i32>>>()?;
        if raw.len() != fields.len() {
            self.notes.borrow_mut().push(ViolationKind::SendFields(raw.len(), fields.len()));
            raw.resize(fields.len(), 0);
        }
        let cut = fields.iter().zip(&raw).map(|(ty, &v)| self.memory.fit(*ty, v));
        Ok((cut.collect::<Value<_>>()?, raw))
    }
}

fn can_fail(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Match(expr) if expr.can_fail())
}
