//! Event traces: an automaton that watches sends and receives.

use crate::command::Command;
use crate::effect::Effect;
use crate::system::{Edge, EventTrace, LocationId};
use crate::violation::ViolationKind;
use resy_index::Id;
use std::cell::RefCell;

impl Effect<'_> {
    /// A message has just been put into a channel.
    pub fn observe_send(&mut self, chan: usize) {
        let messages = self.state.messages(self.interpreter.system, chan);
        // The trace looks at the last slot, also after a sorted send: spin does.
        let message = messages.last().map(|m| m.to_vec()).unwrap_or_default();
        self.observe(true, chan, &message);
    }

    /// A message is about to leave a channel, or passes in a rendezvous.
    pub fn observe_receive(&mut self, chan: usize, rendezvous: Option<&Vec<i32>>) {
        let message = rendezvous.cloned().unwrap_or_else(|| {
            let messages = self.state.messages(self.interpreter.system, chan);
            messages.first().map(|m| m.to_vec()).unwrap_or_default()
        });
        self.observe(false, chan, &message);
    }

    /// Moves the trace automaton over an event, if the event concerns it.
    pub fn observe(&mut self, send: bool, chan: usize, message: &[i32]) {
        let Some(trace) = &self.interpreter.system.trace else {
            return;
        };
        let watched = if send { &trace.sends } else { &trace.receives };
        if !watched.iter().any(|e| self.global_channel(e) == Some(chan)) {
            return;
        }
        let at = LocationId::from_index(self.state.event as usize);
        let next =
            if at == trace.end { None } else { self.match_event(trace, at, send, chan, message) };
        match next {
            Some(target) => {
                self.state.event = target.index() as u32;
                if trace.negated && target == trace.end {
                    self.note(ViolationKind::NoTrace);
                }
            }
            None if trace.negated => self.state.event = trace.end.index() as u32,
            None => self.note(ViolationKind::Trace),
        }
    }

    fn match_event(
        &self,
        trace: &EventTrace,
        at: LocationId,
        send: bool,
        chan: usize,
        message: &[i32],
    ) -> Option<LocationId> {
        let fits = |edge: &&Edge| match &edge.command {
            Command::Event { send: wanted, chan: expr, patterns } => {
                let (runs, notes) = (RefCell::default(), RefCell::default());
                let view = self.interpreter.view(&self.state, self.pid, &runs, &notes);
                *wanted == send
                    && view.channel(expr) == Ok(chan)
                    && view.matches(message, patterns) == Ok(true)
            }
            Command::Skip => true,
            _ => false,
        };
        trace.automaton.edges[at].iter().find(fits).and_then(|edge| edge.target)
    }

    fn global_channel(&self, expr: &crate::Expr) -> Option<usize> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        self.interpreter.view(&self.state, self.pid, &runs, &notes).channel(expr).ok()
    }
}
