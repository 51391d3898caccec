//! Replies: from the local state of one component and nothing else.

use crate::cut::ring::{ends_reply, place_reply};
use crate::cut::{ChannelHome, Cut, Home, Part, PartId, Role};
use crate::step::half::Half;
use crate::step::request::{Exchange, Reply, Request};
use crate::step::script::could_move;
use resy_index::Id;
use resy_system::{Cell, LocationId, MessageQuery, Offer};
use std::rc::Rc;

/// The location of a process that is dead.
pub const DEAD: i32 = 0;

impl Cut<'_> {
    /// The reply of a component to a request that changes nothing.
    pub fn read(&self, part: PartId, local: &[i32], request: &Request) -> Reply {
        if let Role::Ends(_) | Role::Slot(..) = self.parts[part].role {
            return self.reply(part, &mut local.to_vec(), request);
        }
        match request {
            Request::Load(cell) => Reply::Number(local[self.position(*cell)]),
            Request::Test(cell, op, value) => {
                Reply::Bool(op.compares(local[self.position(*cell)], *value))
            }
            Request::Alive => Reply::Bool(local[0] != DEAD),
            Request::Runs => Reply::Number(self.running(part, local)),
            Request::Location => Reply::Number(self.place(part, local)),
            Request::TestLocation(op, value) => {
                Reply::Bool(op.compares(self.place(part, local), *value))
            }
            Request::Len(chan) => Reply::Number(local[self.channels[*chan].base as usize]),
            Request::TestLen(chan, op, value) => {
                Reply::Bool(op.compares(local[self.channels[*chan].base as usize], *value))
            }
            Request::Slot(chan, slot) => Reply::Message(
                messages(local, self.channels[*chan]).nth(*slot).map(<[i32]>::to_vec),
            ),
            Request::Find(chan, wish) => {
                let channel = self.channels[*chan];
                let slot = find(local, channel, wish);
                Reply::Message(slot.map(|slot| wish.wanted(message(local, channel, slot))))
            }
            Request::Ready(offer, known) => self.ready(part, local, offer, known),
            Request::Stuck(known) => self.stuck(part, local, known),
            Request::Last => Reply::Number(local[0]),
            writing => {
                debug_assert!(writing.writes());
                Reply::Done
            }
        }
    }

    /// The reply to any request, with its effect on the local state.
    pub fn reply(&self, part: PartId, local: &mut [i32], request: &Request) -> Reply {
        match self.parts[part].role {
            Role::Ends(chan) => {
                let capacity = self.system().channel_types[self.channels[chan].ty].capacity;
                return ends_reply(local, capacity as i32, request);
            }
            Role::Slot(..) => return place_reply(local, request),
            _ => {}
        }
        match request {
            Request::Store(cell, value) => local[self.position(*cell)] = *value,
            Request::Compute(cell, place, value) => {
                let pid = match *cell {
                    Cell::Global(_) => usize::MAX,
                    Cell::Local(pid, _) => pid as usize,
                };
                let half = Half::new(self, part, local, Vec::new());
                // Expressions that can fail are not sent to other components.
                let value = self.interpreter.evaluate(&half, pid, value).unwrap_or(0);
                local[self.position(*cell)] = place.cell.truncate(value);
            }
            Request::Insert(chan, message, sorted_by) => {
                insert(local, self.channels[*chan], message, sorted_by.as_deref());
            }
            Request::Remove(chan, wish) => {
                let channel = self.channels[*chan];
                if let Some(slot) = find(local, channel, wish) {
                    remove(local, channel, slot);
                }
            }
            Request::RemoveSlot(chan, slot) => remove(local, self.channels[*chan], *slot),
            Request::Clear(chan) => {
                let channel = self.channels[*chan];
                let base = channel.base as usize;
                local[base..base + self.system().channel_types[channel.ty].n_cells()].fill(0);
            }
            Request::SetLast(pid) => local[0] = *pid,
            Request::Born(proctype) => {
                let start = self.system().proctypes[*proctype].start;
                let pid = self.parts[part].process.unwrap_or_default();
                local[0] = self.code(pid, *proctype, start);
            }
            Request::Event(send, chan, message) => self.follow_event(local, *send, *chan, message),
            Request::Claim(changes) => self.follow_claim(&self.parts[part], local, changes),
            question => return self.read(part, local, question),
        }
        Reply::Done
    }

    /// The location of a process in its proctype; 0 if it is dead.
    fn place(&self, part: PartId, local: &[i32]) -> i32 {
        let place = self.parts[part].process.map(|pid| self.at(pid, local[0]).1.index() as i32);
        place.unwrap_or(local[0])
    }

    /// The number of the proctype that a process runs, plus 1; 0 if it is dead.
    fn running(&self, part: PartId, local: &[i32]) -> i32 {
        let pid = self.parts[part].process.filter(|_| local[0] != DEAD);
        pid.map_or(0, |pid| self.at(pid, local[0]).0.index() as i32 + 1)
    }

    /// The position of a cell in its owner's local state.
    fn position(&self, cell: Cell) -> usize {
        match self.home(cell) {
            Home::At(_, position) => position as usize,
            Home::Constant(_) | Home::Sum(_) => unreachable!("requests name cells with an owner"),
        }
    }

    /// Whether a process is ready to accept an offer. If that depends on another component, the
    /// reply names the request; the driver sends it, and asks again with the reply.
    fn ready(&self, part: PartId, local: &[i32], offer: &Offer, known: &[Rc<Exchange>]) -> Reply {
        let Some(pid) = self.parts[part].process.filter(|_| local[0] != DEAD) else {
            return Reply::Bool(false);
        };
        let half = Half::new(self, part, local, known.to_vec());
        let ready = self.interpreter.would_accept(&half, pid, offer);
        match half.take_gap() {
            Some(gap) => Reply::Depends(gap.part, Box::new(gap.request)),
            None => Reply::Bool(ready != Ok(false)),
        }
    }

    /// Whether no edge of a process is executable while `timeout` is false. As for
    /// [`ready`](Self::ready), the reply may name a request.
    fn stuck(&self, part: PartId, local: &[i32], known: &[Rc<Exchange>]) -> Reply {
        let Some(pid) = self.parts[part].process.filter(|_| local[0] != DEAD) else {
            return Reply::Bool(true);
        };
        let half = Half::new(self, part, local, known.to_vec());
        let moves = could_move(self, &half, pid);
        match half.take_gap() {
            Some(gap) => Reply::Depends(gap.part, Box::new(gap.request)),
            None => Reply::Bool(moves == Ok(false)),
        }
    }

    /// Moves the event trace, and records a violation.
    fn follow_event(&self, local: &mut [i32], send: bool, chan: usize, message: &[i32]) {
        let at = LocationId::from_index(local[0] as usize);
        let (next, violation) =
            self.interpreter.follow_event(&self.initial, at, send, chan, message);
        local[0] = next.index() as i32;
        local[1] |= i32::from(violation.is_some());
    }

    /// Moves the monitor of a claim by the next state's valuation.
    fn follow_claim(&self, part: &Part, local: &mut [i32], changes: &[(u32, bool)]) {
        let Role::Claim(claim) = part.role else {
            return;
        };
        let monitor = &self.claims[claim].monitor;
        let set = join(local[2], local[3]);
        if monitor.is_bad(set) {
            return;
        }
        let mut valuation = join(local[0], local[1]);
        for &(condition, holds) in changes {
            valuation = valuation & !(1 << condition) | u64::from(holds) << condition;
        }
        (local[0], local[1]) = split(valuation);
        if monitor.tracked().is_none() {
            (local[2], local[3]) = split(monitor.step(set, valuation));
        }
    }
}

/// Joins two values of a local state to one word.
pub fn join(low: i32, high: i32) -> u64 {
    u64::from(low as u32) | u64::from(high as u32) << 32
}

/// Splits a word into two values of a local state.
pub fn split(value: u64) -> (i32, i32) {
    (value as u32 as i32, (value >> 32) as u32 as i32)
}

fn message(local: &[i32], channel: ChannelHome, slot: usize) -> &[i32] {
    let (base, width) = (channel.base as usize + 1, channel.width as usize);
    &local[base + slot * width..base + (slot + 1) * width]
}

/// The messages in a channel, oldest first.
pub fn messages(local: &[i32], channel: ChannelHome) -> impl Iterator<Item = &[i32]> {
    let len = local[channel.base as usize] as usize;
    (0..len).map(move |slot| message(local, channel, slot))
}

fn find(local: &[i32], channel: ChannelHome, wish: &MessageQuery) -> Option<usize> {
    let depth = if wish.random { usize::MAX } else { 1 };
    messages(local, channel).take(depth).position(|message| wish.fits(message))
}

fn insert(local: &mut [i32], channel: ChannelHome, new: &[i32], sorted_by: Option<&[i32]>) {
    let (base, width) = (channel.base as usize, channel.width as usize);
    let len = local[base] as usize;
    let slot = sorted_by
        .and_then(|raw| messages(local, channel).position(|message| raw < message))
        .unwrap_or(len);
    let (at, end) = (base + 1 + slot * width, base + 1 + len * width);
    // The driver has tested the length before: a message that does not fit belongs to an impossible
    // step.
    if end + width > local.len() {
        return;
    }
    local.copy_within(at..end, at + width);
    local[at..at + width].copy_from_slice(new);
    local[base] += 1;
}

fn remove(local: &mut [i32], channel: ChannelHome, slot: usize) {
    let (base, width) = (channel.base as usize, channel.width as usize);
    let len = local[base] as usize;
    if slot >= len {
        return;
    }
    let (first, end) = (base + 1, base + 1 + len * width);
    local.copy_within(first + (slot + 1) * width..end, first + slot * width);
    local[end - width..end].fill(0);
    local[base] -= 1;
}
