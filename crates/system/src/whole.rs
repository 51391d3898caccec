//! A whole state as the memory of a step.

use crate::interpreter::Interpreter;
use crate::memory::{Cell, FieldQuery, FoundMessage, Memory, MessageQuery, Value};
use crate::message::Offer;
use crate::size::{MAX_CELLS, MAX_CHANNELS};
use crate::state::{Channel, Process, State};
use crate::system::{ChannelTypeId, LocationId, ProctypeId, System};
use crate::violation::ViolationKind;
use resy_index::Id;

impl State {
    fn address(&self, cell: Cell) -> Value<usize> {
        match cell {
            Cell::Global(offset) => Ok(offset as usize),
            Cell::Local(pid, offset) => match self.processes.get(pid as usize) {
                Some(process) => Ok((process.base + offset) as usize),
                None => Err(ViolationKind::NoProcess(pid as i32)),
            },
        }
    }

    fn head(&self, pid: usize) -> Value<&Process> {
        self.processes.get(pid).ok_or(ViolationKind::NoProcess(pid as i32))
    }

    /// Processes that are created later may need more than the declarations of the start.
    fn check_size(&self) -> Value<()> {
        let too_large =
            self.cells.len() as u64 > MAX_CELLS || self.channels.len() as u64 > MAX_CHANNELS;
        if too_large { Err(ViolationKind::TooLarge) } else { Ok(()) }
    }

    fn slot(&self, channel: Channel, slot: usize) -> &[i32] {
        let base = channel.base as usize + 1 + slot * channel.width as usize;
        &self.cells[base..base + channel.width as usize]
    }
}

impl MessageQuery {
    /// Whether a message is what is looked for.
    pub fn fits(&self, message: &[i32]) -> bool {
        self.fields.iter().zip(message).all(|(field, value)| match field {
            FieldQuery::Is(wanted) => wanted == value,
            FieldQuery::Wanted | FieldQuery::Ignored => true,
        })
    }
}

impl MessageQuery {
    /// The fields of a message that a query uses; the others are 0.
    pub fn wanted(&self, message: &[i32]) -> Vec<i32> {
        let fields = self.fields.iter().zip(message);
        fields
            .map(|(field, &value)| if *field == FieldQuery::Ignored { 0 } else { value })
            .collect()
    }
}

impl Memory for State {
    fn n_processes(&self) -> Value<usize> {
        Ok(self.processes.len())
    }

    fn proctype(&self, pid: usize) -> Value<Option<ProctypeId>> {
        Ok(self.processes.get(pid).map(|p| p.proctype))
    }

    fn location(&self, pid: usize) -> Value<LocationId> {
        Ok(self.head(pid)?.location)
    }

    fn priority(&self, pid: usize) -> Value<u8> {
        Ok(self.head(pid)?.priority)
    }

    fn last(&self) -> Value {
        Ok(self.last as i32)
    }

    fn load(&self, cell: Cell) -> Value {
        Ok(self.cells[self.address(cell)?])
    }

    fn channel_type(&self, chan: usize) -> Value<Option<ChannelTypeId>> {
        Ok(self.channels.get(chan).map(|c| c.ty))
    }

    fn channel_len(&self, chan: usize) -> Value<usize> {
        Ok(self.cells[self.channels[chan].base as usize] as usize)
    }

    fn message(&self, chan: usize, slot: usize) -> Value<Option<Vec<i32>>> {
        let taken = slot < self.channel_len(chan)?;
        Ok(taken.then(|| self.slot(self.channels[chan], slot).to_vec()))
    }

    fn find(&self, chan: usize, query: &MessageQuery) -> Value<Option<FoundMessage>> {
        let len = self.channel_len(chan)?;
        let channel = self.channels[chan];
        let mut slots = 0..if query.random { len } else { len.min(1) };
        let slot = slots.find(|&slot| query.fits(self.slot(channel, slot)));
        Ok(slot.map(|slot| FoundMessage { slot, message: self.slot(channel, slot).to_vec() }))
    }

    fn is_welcome(
        &self,
        interpreter: &Interpreter<'_>,
        sender: usize,
        offer: &Offer,
    ) -> Value<bool> {
        let mut others = (0..self.processes.len()).filter(|&pid| pid != sender);
        Ok(others.any(|pid| interpreter.would_accept(self, pid, offer) != Ok(false)))
    }

    fn store(&mut self, cell: Cell, value: i32) -> Value<()> {
        let address = self.address(cell)?;
        self.cells[address] = value;
        Ok(())
    }

    fn insert(&mut self, chan: usize, message: &[i32], sorted_by: Option<&[i32]>) -> Value<()> {
        let channel = self.channels[chan];
        let (base, width) = (channel.base as usize, channel.width as usize);
        let (len, first) = (self.cells[base] as usize, base + 1);
        let slot = sorted_by.map_or(len, |raw| {
            (0..len).find(|&slot| raw < self.slot(channel, slot)).unwrap_or(len)
        });
        let at = first + slot * width;
        self.cells.copy_within(at..first + len * width, at + width);
        self.cells[at..at + width].copy_from_slice(message);
        self.cells[base] += 1;
        Ok(())
    }

    fn remove(
        &mut self,
        chan: usize,
        _query: Option<&MessageQuery>,
        found: &FoundMessage,
    ) -> Value<()> {
        let channel = self.channels[chan];
        let (base, width) = (channel.base as usize, channel.width as usize);
        let (len, first) = (self.cells[base] as usize, base + 1);
        let end = first + len * width;
        self.cells.copy_within(first + (found.slot + 1) * width..end, first + found.slot * width);
        // What is free is zero.
        self.cells[end - width..end].fill(0);
        self.cells[base] -= 1;
        Ok(())
    }

    fn move_to(&mut self, pid: usize, location: LocationId) -> Value<()> {
        if let Some(process) = self.processes.get_mut(pid) {
            process.location = location;
        }
        Ok(())
    }

    fn set_priority(&mut self, pid: usize, priority: u8) -> Value<()> {
        if let Some(process) = self.processes.get_mut(pid) {
            process.priority = priority;
        }
        Ok(())
    }

    fn set_last(&mut self, pid: usize) -> Value<()> {
        self.last = pid as u32;
        Ok(())
    }

    fn add_process(&mut self, system: &System, proctype: ProctypeId, priority: u8) -> Value<usize> {
        let (pid, base) = (self.processes.len(), self.cells.len());
        let declared = &system.proctypes[proctype];
        self.cells.resize(base + declared.frame.cells.len(), 0);
        let (location, base) = (declared.start, base as u32);
        self.processes.push(Process { proctype, location, priority, base });
        self.check_size()?;
        Ok(pid)
    }

    fn add_channel(&mut self, system: &System, ty: ChannelTypeId) -> Value {
        let base = self.cells.len();
        self.cells.resize(base + system.channel_types[ty].n_cells(), 0);
        let width = system.channel_types[ty].fields.len() as u32;
        self.channels.push(Channel { ty, base: base as u32, width });
        self.check_size()?;
        Ok(self.channels.len() as i32)
    }

    fn remove_youngest(&mut self) -> Value<()> {
        if let Some(process) = self.processes.pop() {
            self.cells.truncate(process.base as usize);
            self.channels.retain(|c| c.base < process.base);
        }
        Ok(())
    }

    fn event(&self) -> Value<LocationId> {
        Ok(LocationId::from_index(self.event as usize))
    }

    fn set_event(&mut self, location: LocationId) -> Value<()> {
        self.event = location.index() as u32;
        Ok(())
    }
}
