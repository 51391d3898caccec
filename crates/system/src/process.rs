//! Creation of processes and their channels.

use crate::eval::View;
use crate::interpreter::Interpreter;
use crate::layout::{CellInit, Frame};
use crate::memory::{Cell, Memory, Value};
use crate::state::State;
use crate::system::ProctypeId;
use crate::violation::ViolationKind;
use std::cell::RefCell;

/// The limit for programs that create processes without end: every process takes memory in
/// every state. (Spin's limit is 255.)
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
        self.init_frame(&mut state, &self.system.globals, None)?;
        for instance in &self.system.instances {
            self.create(&mut state, instance.proctype, &[], instance.priority)?;
        }
        Ok(state)
    }

    /// Creates a process and returns its pid.
    pub(crate) fn create<M: Memory>(
        &self,
        memory: &mut M,
        proctype: ProctypeId,
        args: &[i32],
        priority: i32,
    ) -> Value {
        if memory.n_processes()? >= MAX_PROCESSES {
            return Err(ViolationKind::TooManyProcesses);
        }
        let frame = &self.system.proctypes[proctype].frame;
        let pid = memory.add_process(self.system, proctype, priority as u8)?;
        for (i, &value) in args.iter().enumerate() {
            let value = memory.fit(frame.cells[i], value)?;
            memory.store(Cell::Local(pid as u32, i as u32), value)?;
        }
        self.init_frame(memory, frame, Some(pid))?;
        Ok(pid as i32)
    }

    fn init_frame<M: Memory>(
        &self,
        memory: &mut M,
        frame: &Frame,
        owner: Option<usize>,
    ) -> Value<()> {
        let (runs, notes) = (RefCell::default(), RefCell::default());
        for init in &frame.init {
            let (cell, value) = match init {
                CellInit::Value(cell, expr) => {
                    let view = self.view(memory, owner.unwrap_or(0), &runs, &notes);
                    (*cell, view.eval(expr)?)
                }
                CellInit::Channel(cell, channel) => {
                    (*cell, memory.add_channel(self.system, channel.ty)?)
                }
            };
            let value = memory.fit(frame.cells[cell as usize], value)?;
            memory.store(
                owner.map_or(Cell::Global(cell), |pid| Cell::Local(pid as u32, cell)),
                value,
            )?;
        }
        Ok(())
    }

    pub(crate) fn view<'a, M: Memory>(
        &'a self,
        memory: &'a M,
        pid: usize,
        runs: &'a RefCell<Vec<i32>>,
        notes: &'a RefCell<Vec<ViolationKind>>,
    ) -> View<'a, M> {
        View {
            system: self.system,
            options: &self.options,
            memory,
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
