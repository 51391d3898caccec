//! Channel changes inside a `d_step`. A message may be sent and received within one such step, which the
//! states before and after it do not show.
//!
//! The step is executed again by the interpreter, on a state that records the changes of its channels.

use resy_system::{
    Attempt, Cell, ChannelTypeId, Command, FoundMessage, Interpreter, LocationId, Memory,
    MessageQuery, Offer, ProctypeId, State, Step, System, Value,
};

/// A change of a channel: its contents before and after.
#[derive(Clone)]
pub(super) struct Change {
    pub channel: usize,
    pub old: Vec<Vec<i32>>,
    pub new: Vec<Vec<i32>>,
}

/// The channel changes of a step without rendezvous, in order.
pub(super) fn changes(interpreter: &Interpreter<'_>, before: &State, step: &Step) -> Vec<Change> {
    let Some((after, _)) = &step.next else {
        return inside(interpreter, before, step).unwrap_or_default();
    };
    inside(interpreter, before, step).unwrap_or_else(|| {
        let system = interpreter.system();
        let n_both = before.channels().len().min(after.channels().len());
        let is_changed = |&i: &usize| before.messages(system, i) != after.messages(system, i);
        let changed = (0..n_both).filter(is_changed);
        let change = |i| Change { channel: i, old: contents(before, i), new: contents(after, i) };
        changed.map(change).collect()
    })
}

/// The channel changes inside a `d_step`; `None` for other steps.
fn inside(interpreter: &Interpreter<'_>, before: &State, step: &Step) -> Option<Vec<Change>> {
    let edge = interpreter.edge(before, step.actor);
    if !matches!(edge.command, Command::DStep(_)) {
        return None;
    }
    let listener = Listener { state: before.clone(), heard: Vec::new() };
    // The step does not record whether it depended on `timeout`.
    [false, true].into_iter().find_map(|timeout| {
        let notes = &mut Vec::new();
        let attempt = interpreter.attempt(&listener, step.actor, edge, false, timeout, notes);
        let Attempt::Done(again) = attempt else { return None };
        let next = again.next.map(|(listener, _)| listener);
        let is_same = next.as_ref().map(|n| &n.state) == step.next.as_ref().map(|(state, _)| state);
        let heard = next.or(again.wreck).map(|listener| listener.heard);
        heard.filter(|_| is_same)
    })
}

fn contents(memory: &impl Memory, channel: usize) -> Vec<Vec<i32>> {
    (0..).map_while(|slot| memory.message(channel, slot).ok().flatten()).collect()
}

/// A state that records the changes of its channels.
#[derive(Clone)]
struct Listener {
    state: State,
    heard: Vec<Change>,
}

impl Listener {
    fn listen(&mut self, channel: usize, act: impl FnOnce(&mut State) -> Value<()>) -> Value<()> {
        let old = contents(&self.state, channel);
        act(&mut self.state)?;
        self.heard.push(Change { channel, old, new: contents(&self.state, channel) });
        Ok(())
    }
}

impl Memory for Listener {
    fn n_processes(&self) -> Value<usize> {
        self.state.n_processes()
    }
    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        self.state.proctype(pid)
    }
    fn location(&self, pid: usize) -> Value<LocationId> {
        self.state.location(pid)
    }
    fn priority(&self, pid: usize) -> Value<u8> {
        self.state.priority(pid)
    }
    fn last(&self) -> Value {
        Memory::last(&self.state)
    }
    fn load(&self, cell: Cell) -> Value {
        self.state.load(cell)
    }
    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        self.state.channel_type(chan)
    }
    fn channel_len(&self, chan: usize) -> Value<usize> {
        self.state.channel_len(chan)
    }
    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        self.state.message(chan, slot)
    }
    fn find(&self, chan: usize, wish: &MessageQuery) -> Value<Option<FoundMessage>> {
        self.state.find(chan, wish)
    }
    fn is_welcome(
        &self,
        interpreter: &Interpreter<'_>,
        sender: usize,
        offer: &Offer,
    ) -> Value<bool> {
        self.state.is_welcome(interpreter, sender, offer)
    }
    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        self.state.store(cell, value)
    }
    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()> {
        self.listen(chan, |state| state.insert(chan, message, sorted_by))
    }
    fn remove(
        &mut self,
        chan: usize,
        wish: Option<&MessageQuery>,
        found: &FoundMessage,
    ) -> Value<()> {
        self.listen(chan, |state| state.remove(chan, wish, found))
    }
    fn move_to(&mut self, pid: usize, location: LocationId) -> Value<()> {
        self.state.move_to(pid, location)
    }
    fn set_priority(&mut self, pid: usize, priority: u8) -> Value<()> {
        Memory::set_priority(&mut self.state, pid, priority)
    }
    fn set_last(&mut self, pid: usize) -> Value<()> {
        self.state.set_last(pid)
    }
    fn add_process(&mut self, system: &System, proctype: ProctypeId, priority: u8) -> Value<usize> {
        Memory::add_process(&mut self.state, system, proctype, priority)
    }
    fn add_channel(&mut self, system: &System, ty: ChannelTypeId) -> Value {
        Memory::add_channel(&mut self.state, system, ty)
    }
    fn remove_youngest(&mut self) -> Value<()> {
        self.state.remove_youngest()
    }
    fn event(&self) -> Value<LocationId> {
        Memory::event(&self.state)
    }
    fn set_event(&mut self, location: LocationId) -> Value<()> {
        self.state.set_event(location)
    }
}
