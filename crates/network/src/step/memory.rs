//! A half as the memory of the reference semantics: own items directly, others by requests.

use crate::cut::{Home, Role};
use crate::step::half::Half;
use crate::step::reply::DEAD;
use crate::step::request::Request;
use resy_index::Id;
use resy_system::{
    BinaryOp, Cell, CellRef, ChannelTypeId, Expr, FoundMessage, Interpreter, LocationId, Memory,
    MessageQuery, Offer, ProctypeId, Scope, System, Value, ViolationKind,
};

impl Memory for Half<'_> {
    fn n_processes(&self) -> Value<usize> {
        for pid in (0..self.cut.proctypes.len()).rev() {
            if self.is_alive(pid)? {
                return Ok(pid + 1);
            }
        }
        Ok(0)
    }

    fn is_youngest(&self, pid: usize) -> Value<bool> {
        // If deaths are not modelled, no process dies.
        Ok(self.cut.deaths && !self.is_alive(pid + 1)?)
    }

    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        if pid < self.cut.runs.len() && self.cut.runs[pid].len() > 1 {
            let runs = self.ask_number(self.cut.processes[pid], Request::Runs)?;
            return Ok((runs > 0).then(|| ProctypeId::from_index(runs as usize - 1)));
        }
        Ok(if self.is_alive(pid)? { Some(self.cut.proctypes[pid]) } else { None })
    }

    fn location(&self, pid: usize) -> Value<LocationId> {
        let location = self.ask_number(self.cut.processes[pid], Request::Location)?;
        Ok(LocationId::from_index(location as usize))
    }

    fn test_location(&self, pid: usize, op: BinaryOp, value: i32) -> Value<bool> {
        let request = Request::TestLocation(op, value);
        self.ask_bool(self.cut.processes[pid], request)
    }

    fn priority(&self, pid: usize) -> Value<u8> {
        // Programs that change priorities are not cut.
        Ok(self.cut.initial.processes().get(pid).map_or(1, |process| process.priority))
    }

    fn first_of(&self, proctype: ProctypeId) -> Value<Option<usize>> {
        for (pid, runs) in self.cut.runs.iter().enumerate() {
            if runs.contains(&proctype) && self.proctype(pid)? == Some(proctype) {
                return Ok(Some(pid));
            }
        }
        Ok(None)
    }

    fn last(&self) -> Value {
        match self.cut.last {
            Some(part) => self.ask_number(part, Request::Last),
            None => Ok(0),
        }
    }

    fn load(&self, cell: Cell) -> Value {
        match self.cut.home(cell) {
            Home::Constant(value) => Ok(value),
            Home::At(part, _) => self.ask_number(part, Request::Load(cell)),
            Home::Sum(sum) => self.sum(&self.cut.sums[sum as usize]),
        }
    }

    fn test(&self, cell: Cell, op: BinaryOp, value: i32) -> Value<bool> {
        match self.cut.home(cell) {
            Home::Constant(constant) => Ok(op.compares(constant, value)),
            Home::At(part, _) => self.ask_bool(part, Request::Test(cell, op, value)),
            Home::Sum(sum) => Ok(op.compares(self.sum(&self.cut.sums[sum as usize])?, value)),
        }
    }

    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        let Some(channel) = self.cut.channels.get(chan) else {
            return Ok(None);
        };
        match channel.frame {
            Some(pid) if !self.is_alive(pid)? => Ok(None),
            _ => Ok(Some(channel.ty)),
        }
    }

    fn channel_len(&self, chan: usize) -> Value<usize> {
        Ok(self.ask_number(self.cut.channels[chan].part, Request::Len(chan))? as usize)
    }

    fn test_len(&self, chan: usize, op: BinaryOp, value: i32) -> Value<bool> {
        let request = Request::TestLen(chan, op, value);
        self.ask_bool(self.cut.channels[chan].part, request)
    }

    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        if self.is_ring(chan) {
            return self.ring_message(chan, slot);
        }
        self.ask_message(self.cut.channels[chan].part, Request::Slot(chan, slot))
    }

    fn find(&self, chan: usize, wish: &MessageQuery) -> Value<Option<FoundMessage>> {
        if self.is_ring(chan) {
            return self.ring_find(chan, wish);
        }
        let request = Request::Find(chan, wish.clone());
        let message = self.ask_message(self.cut.channels[chan].part, request)?;
        Ok(message.map(|message| FoundMessage { slot: 0, message }))
    }

    fn is_welcome(&self, _: &Interpreter<'_>, sender: usize, offer: &Offer) -> Value<bool> {
        for &pid in self.cut.receivers[offer.chan].iter().filter(|&&pid| pid != sender) {
            if self.is_ready(pid, offer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn computes(&self, cell: Cell) -> bool {
        match self.cut.home(cell) {
            Home::At(part, _) => part != self.part,
            Home::Sum(_) => true,
            Home::Constant(_) => false,
        }
    }

    fn compute(&mut self, cell: Cell, place: &CellRef, value: &Expr) -> Value<()> {
        if let Home::Sum(sum) = self.cut.home(cell) {
            return self.add_share(&self.cut.sums[sum as usize], value);
        }
        // The place without its indices, whose values the driver knows.
        let exact = match cell {
            Cell::Global(offset) => CellRef::cell(Scope::Global, offset, place.cell),
            Cell::Local(_, offset) => CellRef::cell(Scope::Local, offset, place.cell),
        };
        let value = value.with_place(place, &exact);
        if let Home::At(part, _) = self.cut.home(cell) {
            self.tell_part(part, Request::Compute(cell, exact, value));
        }
        Ok(())
    }

    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        // The cut has checked all writes: a constant is only written with its own value, and a
        // counter in shares is only added to.
        debug_assert!(!matches!(self.cut.home(cell), Home::Sum(_)));
        match (self.cut.home(cell), cell) {
            (Home::At(part, _), _) => self.tell_part(part, Request::Store(cell, value)),
            // A process that is created has another argument than those that were seen.
            (Home::Constant(known), Cell::Local(pid, _))
                if known != value && Some(pid as usize) == self.born.map(|(pid, _)| pid) =>
            {
                return Err(ViolationKind::Beyond);
            }
            (Home::Constant(_) | Home::Sum(_), _) => {}
        }
        Ok(())
    }

    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()> {
        if self.is_ring(chan) {
            return self.ring_insert(chan, message, sorted_by);
        }
        let request = Request::Insert(chan, message.to_vec(), sorted_by.map(<[i32]>::to_vec));
        self.tell_part(self.cut.channels[chan].part, request);
        Ok(())
    }

    fn remove(
        &mut self,
        chan: usize,
        wish: Option<&MessageQuery>,
        found: &FoundMessage,
    ) -> Value<()> {
        if self.is_ring(chan) {
            return self.ring_remove(chan, found.slot);
        }
        let request = match wish {
            Some(wish) => Request::Remove(chan, wish.clone()),
            None => Request::RemoveSlot(chan, found.slot),
        };
        self.tell_part(self.cut.channels[chan].part, request);
        Ok(())
    }

    fn move_to(&mut self, _pid: usize, location: LocationId) -> Value<()> {
        let pid = self.cut.parts[self.part].process.unwrap_or_default();
        let (proctype, _) = self.cut.at(pid, self.local[0]);
        self.local_mut()[0] = self.cut.code(pid, proctype, location);
        Ok(())
    }

    fn set_priority(&mut self, _pid: usize, _priority: u8) -> Value<()> {
        Err(ViolationKind::Unanswered)
    }

    fn set_last(&mut self, pid: usize) -> Value<()> {
        if let Some(part) = self.cut.last {
            self.tell_part(part, Request::SetLast(pid as i32));
        }
        Ok(())
    }

    fn add_process(&mut self, _: &System, proctype: ProctypeId, _: u8) -> Value<usize> {
        let pid = self.n_processes()?;
        if self.cut.runs.get(pid).is_none_or(|runs| !runs.contains(&proctype)) {
            return Err(ViolationKind::Beyond);
        }
        self.tell_part(self.cut.processes[pid], Request::Born(proctype));
        self.born = Some((pid, 0));
        Ok(pid)
    }

    fn add_channel(&mut self, _: &System, _: ChannelTypeId) -> Value {
        let (pid, n_before) = self.born.ok_or(ViolationKind::Beyond)?;
        let mut own =
            self.cut.channels.iter().zip(1..).filter(|(channel, _)| channel.frame == Some(pid));
        self.born = Some((pid, n_before + 1));
        own.nth(n_before).map(|(_, id)| id).ok_or(ViolationKind::Beyond)
    }

    fn remove_youngest(&mut self) -> Value<()> {
        let cut = self.cut;
        let part = &cut.parts[self.part];
        let pid = part.process.unwrap_or_default();
        let (proctype, _) = cut.at(pid, self.local[0]);
        self.local_mut()[0] = DEAD;
        // The shares of counters are behind the frame, and outlive it.
        let n_cells = cut.system().proctypes[proctype].frame.cells.len();
        for offset in 0..n_cells {
            self.store(Cell::Local(pid as u32, offset as u32), 0)?;
        }
        for (chan, channel) in cut.channels.iter().enumerate() {
            if channel.frame.is_none() || channel.frame != part.process {
                continue;
            }
            if channel.ring.is_some() {
                self.ring_clear(chan);
            } else {
                self.tell_part(channel.part, Request::Clear(chan));
            }
        }
        Ok(())
    }

    fn event(&self) -> Value<LocationId> {
        Err(ViolationKind::Unanswered)
    }

    fn set_event(&mut self, _: LocationId) -> Value<()> {
        Err(ViolationKind::Unanswered)
    }

    fn tell(&mut self, send: bool, chan: usize, message: &[i32]) -> Value<bool> {
        if let Some(part) = self.cut.trace {
            debug_assert_eq!(self.cut.parts[part].role, Role::Trace);
            self.tell_part(part, Request::Event(send, chan, message.to_vec()));
        }
        Ok(true)
    }
}
