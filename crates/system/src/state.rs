//! States: the values of all cells, and the frames they belong to.
//!
//! Cells lie on a stack: the globals and their channels, then for each process
//! its variables and its channels. Only the youngest process can end, which removes the
//! top of the stack.

use crate::layout::{CellInit, Frame};
use crate::system::{ChannelTypeId, LocationId, ProctypeId, System};
use resy_index::Id;

/// A state of a system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) cells: Vec<i32>,
    pub(crate) processes: Vec<Process>,
    pub(crate) channels: Vec<Channel>,
    /// `_last`; 0 if the system does not use it.
    pub(crate) last: u32,
    /// The location of the event trace; 0 without one.
    pub(crate) event: u32,
}

/// A process of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// What it runs.
    pub proctype: ProctypeId,
    /// Where it stands.
    pub location: LocationId,
    /// Its priority.
    pub priority: u8,
    /// Its first cell.
    pub(crate) base: u32,
}

/// A channel of a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// Its type.
    pub ty: ChannelTypeId,
    /// The cell that holds its length; its slots follow.
    pub(crate) base: u32,
    /// The number of fields of a message.
    pub(crate) width: u32,
}

impl State {
    /// The processes; the position is the pid.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// The channels; the position is the channel's number less one.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The values of the global variables.
    pub fn globals<'a>(&'a self, system: &System) -> &'a [i32] {
        &self.cells[..system.globals.cells.len()]
    }

    /// The values of the variables of a process.
    pub fn locals<'a>(&'a self, system: &System, pid: usize) -> &'a [i32] {
        let process = &self.processes[pid];
        let base = process.base as usize;
        &self.cells[base..base + system.proctypes[process.proctype].frame.cells.len()]
    }

    /// The position of the first cell of a process among all cells.
    pub fn first_cell(&self, pid: usize) -> usize {
        self.processes[pid].base as usize
    }

    /// All cells: the globals and their channels, then those of each process. A
    /// channel is its length and its slots, oldest message first; free slots are 0.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The cells, to be filled in.
    pub fn cells_mut(&mut self) -> &mut [i32] {
        &mut self.cells
    }

    /// `_last`; 0 if the system does not use it.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// The location of the event trace; 0 without one.
    pub fn event(&self) -> u32 {
        self.event
    }

    /// A state with these processes and all cells 0.
    pub fn blank(
        system: &System,
        heads: impl IntoIterator<Item = (ProctypeId, LocationId, u8)>,
        last: u32,
        event: u32,
    ) -> State {
        let mut state =
            State { cells: Vec::new(), processes: Vec::new(), channels: Vec::new(), last, event };
        state.read_frame(system, &system.globals, &mut || 0);
        for (proctype, location, priority) in heads {
            let base = state.cells.len() as u32;
            state.processes.push(Process { proctype, location, priority, base });
            state.read_frame(system, &system.proctypes[proctype].frame, &mut || 0);
        }
        state
    }

    /// The messages in a channel, oldest first.
    pub fn messages<'a>(&'a self, system: &System, channel: usize) -> Vec<&'a [i32]> {
        let channel = &self.channels[channel];
        let width = system.channel_types[channel.ty].fields.len();
        let base = channel.base as usize;
        let len = self.cells[base] as usize;
        (0..len).map(|i| &self.cells[base + 1 + i * width..base + 1 + (i + 1) * width]).collect()
    }

    /// Writes the state to `bytes`; equal states give equal bytes.
    ///
    /// Small numbers take one byte. Free slots of channels, and the layout, which follows from
    /// the proctypes, are not written.
    pub fn pack(&self, system: &System, bytes: &mut Vec<u8>) {
        put(bytes, self.processes.len() as i32);
        if system.uses_last {
            put(bytes, self.last as i32);
        }
        if system.trace.is_some() {
            put(bytes, self.event as i32);
        }
        for process in &self.processes {
            put(bytes, process.proctype.index() as i32);
            put(bytes, process.location.index() as i32);
            if system.uses_priority {
                put(bytes, i32::from(process.priority));
            }
        }
        self.for_each_used_cell(system, |value| put(bytes, value));
    }

    /// Reads what [`State::pack`] wrote.
    pub fn unpack(system: &System, bytes: &[u8]) -> State {
        let mut input = bytes.iter();
        let mut get = || take(&mut input);
        let n_processes = get();
        let last = if system.uses_last { get() as u32 } else { 0 };
        let event = if system.trace.is_some() { get() as u32 } else { 0 };
        let heads: Vec<(ProctypeId, LocationId, u8)> = (0..n_processes)
            .map(|_| {
                let proctype = ProctypeId::from_index(get() as usize);
                let location = LocationId::from_index(get() as usize);
                (proctype, location, if system.uses_priority { get() as u8 } else { 1 })
            })
            .collect();
        let mut state =
            State { cells: Vec::new(), processes: Vec::new(), channels: Vec::new(), last, event };
        state.read_frame(system, &system.globals, &mut get);
        for (proctype, location, priority) in heads {
            let base = state.cells.len() as u32;
            state.processes.push(Process { proctype, location, priority, base });
            state.read_frame(system, &system.proctypes[proctype].frame, &mut get);
        }
        state
    }

    fn for_each_used_cell(&self, system: &System, mut visit: impl FnMut(i32)) {
        let mut at = 0;
        let mut channel = 0;
        let frames = std::iter::once(&system.globals)
            .chain(self.processes.iter().map(|p| &system.proctypes[p.proctype].frame));
        for frame in frames {
            self.cells[at..at + frame.cells.len()].iter().for_each(|&v| visit(v));
            at += frame.cells.len();
            for ty in channels_of(frame) {
                let ty = &system.channel_types[ty];
                let used = 1 + self.cells[at] as usize * ty.fields.len();
                self.cells[at..at + used].iter().for_each(|&v| visit(v));
                at += ty.n_cells();
                channel += 1;
            }
        }
        debug_assert_eq!(channel, self.channels.len());
    }

    fn read_frame(&mut self, system: &System, frame: &Frame, get: &mut impl FnMut() -> i32) {
        self.cells.extend((0..frame.cells.len()).map(|_| get()));
        for id in channels_of(frame) {
            let ty = &system.channel_types[id];
            let base = self.cells.len();
            let width = ty.fields.len() as u32;
            self.channels.push(Channel { ty: id, base: base as u32, width });
            let len = get();
            self.cells.push(len);
            self.cells.extend((0..len as usize * ty.fields.len()).map(|_| get()));
            self.cells.resize(base + ty.n_cells(), 0);
        }
    }
}

/// The channels that are made with a frame, in the order of their numbers.
pub fn channels_of(frame: &Frame) -> impl Iterator<Item = ChannelTypeId> {
    frame.init.iter().filter_map(|init| match init {
        CellInit::Channel(_, channel) => Some(channel.ty),
        CellInit::Value(..) => None,
    })
}

/// Zigzag encoding with seven bits per byte: small numbers of both signs are short.
fn put(bytes: &mut Vec<u8>, value: i32) {
    let mut rest = ((value << 1) ^ (value >> 31)) as u32;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn take(input: &mut std::slice::Iter<'_, u8>) -> i32 {
    let mut value = 0u32;
    for shift in (0..).step_by(7) {
        let byte = *input.next().expect("a packed state is whole");
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_packing() {
        let values = [0, 1, -1, 63, 64, -64, -65, 127, 255, 8191, 1 << 20, i32::MAX, i32::MIN];
        let mut bytes = Vec::new();
        values.iter().for_each(|&v| put(&mut bytes, v));
        let mut input = bytes.iter();
        assert_eq!(values.map(|_| take(&mut input)), values);
        assert_eq!(input.next(), None);
    }
}
