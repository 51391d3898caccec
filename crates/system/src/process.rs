//! Birth and death of processes and their channels.

use crate::eval::View;
use crate::interpreter::Interpreter;
use crate::layout::{CellInit, Frame};
use crate::size::{MAX_CELLS, MAX_CHANNELS};
use crate::state::{Channel, Process, State};
use crate::system::{ChannelTypeId, ProctypeId};
use crate::violation::ViolationKind;
use std::cell::RefCell;

/// Processes cost memory in every state: a program that creates them without
/// end is stopped here. (Spin stops at 255.)
const MAX_PROCESSES: usize = 10_000;

impl Interpreter<'_> {
    /// The first state: globals, then the processes of the start.
    pub fn initial(&self) -> Result<State, ViolationKind> {
        let event =
            self.system.trace.as_ref().map_or(0, |t| resy_index::Id::index(t.automaton.start));
        let mut state = State {
            cells: vec![0; self.system.globals.cells.len()],
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            event: event as u32,
        };
        self.init_frame(&mut state, &self.system.globals, 0, 0)?;
        for instance in &self.system.instances {
            self.create(&mut state, instance.proctype, &[], instance.priority)?;
        }
        Ok(state)
    }

    /// Creates a process and returns its pid.
    pub(crate) fn create(
        &self,
        state: &mut State,
        proctype: ProctypeId,
        args: &[i32],
        priority: i32,
    ) -> Result<i32, ViolationKind> {
        let pid = state.processes.len();
        if pid >= MAX_PROCESSES {
            return Err(ViolationKind::TooManyProcesses);
        }
        let declared = &self.system.proctypes[proctype];
        let base = state.cells.len();
        state.cells.resize(base + declared.frame.cells.len(), 0);
        for (i, &value) in args.iter().enumerate() {
            state.cells[base + i] = declared.frame.cells[i].truncate(value);
        }
        let priority = priority as u8;
        state.processes.push(Process {
            proctype,
            location: declared.start,
            priority,
            base: base as u32,
        });
        self.init_frame(state, &declared.frame, base, pid)?;
        let (n_cells, n_channels) = (state.cells.len() as u64, state.channels.len() as u64);
        if n_cells > MAX_CELLS || n_channels > MAX_CHANNELS {
            return Err(ViolationKind::TooLarge);
        }
        Ok(pid as i32)
    }

    /// Removes the youngest process with its channels.
    pub(crate) fn remove_youngest(state: &mut State) {
        if let Some(process) = state.processes.pop() {
            state.cells.truncate(process.base as usize);
            state.channels.retain(|c| c.base < process.base);
        }
    }

    fn init_frame(
        &self,
        state: &mut State,
        frame: &Frame,
        base: usize,
        pid: usize,
    ) -> Result<(), ViolationKind> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        for init in &frame.init {
            let (cell, value) = match init {
                CellInit::Value(cell, expr) => {
                    (*cell, self.view(state, pid, &runs, &notes).eval(expr)?)
                }
                CellInit::Channel(cell, channel) => (*cell, self.add_channel(state, channel.ty)),
            };
            state.cells[base + cell as usize] = frame.cells[cell as usize].truncate(value);
        }
        Ok(())
    }

    fn add_channel(&self, state: &mut State, ty: ChannelTypeId) -> i32 {
        let base = state.cells.len();
        state.cells.resize(base + self.system.channel_types[ty].n_cells(), 0);
        state.channels.push(Channel { ty, base: base as u32 });
        state.channels.len() as i32
    }

    pub(crate) fn view<'a>(
        &'a self,
        state: &'a State,
        pid: usize,
        runs: &'a RefCell<Vec<i32>>,
        notes: &'a RefCell<Vec<ViolationKind>>,
    ) -> View<'a> {
        View {
            system: self.system,
            options: &self.options,
            state,
            pid,
            timeout: false,
            moved: false,
            offer: None,
            runs,
            notes,
            enabled_depth: 0,
        }
    }
}
