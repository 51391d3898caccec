//! Event traces: an automaton that watches sends and receives.

use crate::command::Command;
use crate::effect::Effect;
use crate::interpreter::Interpreter;
use crate::memory::{Memory, Value};
use crate::system::{Edge, EventTrace, LocationId};
use crate::violation::ViolationKind;
use std::cell::RefCell;

impl<M: Memory> Effect<'_, M> {
    /// A message has just been put into a channel.
    pub fn observe_send(&mut self, chan: usize) -> Value<()> {
        if self.is_watched(true, chan) {
            // As in spin, the trace sees the last slot, even after a sorted send.
            let last = self.memory.channel_len(chan)?.saturating_sub(1);
            let message = self.memory.message(chan, last)?.unwrap_or_default();
            self.observe(true, chan, &message)?;
        }
        Ok(())
    }

    /// A message is about to leave a channel, or passes in a rendezvous.
    pub fn observe_receive(&mut self, chan: usize, rendezvous: Option<&[i32]>) -> Value<()> {
        if self.is_watched(false, chan) {
            let message = match rendezvous {
                Some(message) => message.to_vec(),
                None => self.memory.message(chan, 0)?.unwrap_or_default(),
            };
            self.observe(false, chan, &message)?;
        }
        Ok(())
    }

    /// Moves the trace automaton over an event on a channel that it watches.
    pub fn observe(&mut self, send: bool, chan: usize, message: &[i32]) -> Value<()> {
        if !self.is_watched(send, chan) || self.memory.tell(send, chan, message)? {
            return Ok(());
        }
        let (next, violation) =
            self.interpreter.follow_event(&self.memory, self.memory.event()?, send, chan, message);
        self.memory.set_event(next)?;
        if let Some(kind) = violation {
            self.note(kind);
        }
        Ok(())
    }

    fn is_watched(&self, send: bool, chan: usize) -> bool {
        let Some(trace) = &self.interpreter.system.trace else {
            return false;
        };
        let watched = if send { &trace.sends } else { &trace.receives };
        let (runs, notes) = (RefCell::default(), RefCell::default());
        let view = self.interpreter.view(&self.memory, self.pid, &runs, &notes);
        watched.iter().any(|e| view.channel(e) == Ok(chan))
    }
}

impl Interpreter<'_> {
    /// The location of the trace after an event on a channel that it watches, and the
    /// violation, if there is one.
    pub fn follow_event<M: Memory>(
        &self,
        memory: &M,
        at: LocationId,
        send: bool,
        chan: usize,
        message: &[i32],
    ) -> (LocationId, Option<ViolationKind>) {
        let Some(trace) = &self.system.trace else {
            return (at, None);
        };
        if at == trace.end {
            return if trace.negated { (at, None) } else { (at, Some(ViolationKind::Trace)) };
        }
        let mut targets = self.match_event(memory, trace, at, send, chan, message);
        match targets.next() {
            Some(target) if trace.negated && target == trace.end => {
                (target, Some(ViolationKind::NoTrace))
            }
            Some(target) => (target, targets.next().map(|_| ViolationKind::AmbiguousTrace)),
            None if trace.negated => (trace.end, None),
            None => (at, Some(ViolationKind::Trace)),
        }
    }

    /// The targets of the trace's edges that match an event, in the order of the text. One
    /// event must not match two of them: the trace is then ambiguous.
    fn match_event<M: Memory>(
        &self,
        memory: &M,
        trace: &EventTrace,
        at: LocationId,
        send: bool,
        chan: usize,
        message: &[i32],
    ) -> impl Iterator<Item = LocationId> {
        let fits = move |edge: &&Edge| match &edge.command {
            Command::Event { send: wanted, chan: expr, patterns } => {
                let (runs, notes) = (RefCell::default(), RefCell::default());
                let view = self.view(memory, 0, &runs, &notes);
                *wanted == send
                    && view.channel(expr) == Ok(chan)
                    && view.matches(message, patterns) == Ok(true)
            }
            Command::Skip => true,
            _ => false,
        };
        trace.automaton.edges[at].iter().filter(fits).filter_map(|edge| edge.target)
    }
}
