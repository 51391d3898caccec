//! Names of processes, variables and channels.

use crate::cut::Cut;
use resy_system::{Cell, CellType, Variable};

impl Cut<'_> {
    /// `name[pid]`, or the name alone if no other process runs the same proctype.
    pub fn process_name(&self, pid: usize) -> String {
        let (proctype, name) = (self.proctypes[pid], self.proctype_name(pid));
        let alone = self.proctypes.iter().filter(|&&p| p == proctype).count() == 1;
        if alone { name.to_owned() } else { format!("{name}[{pid}]") }
    }

    /// The name of a process's proctype.
    pub fn proctype_name(&self, pid: usize) -> &str {
        match self.system().proctypes[self.proctypes[pid]].name.as_str() {
            ":init:" => "init",
            name => name,
        }
    }

    /// The variable that contains a cell.
    pub fn variable(&self, cell: Cell) -> Option<&Variable> {
        let system = self.system();
        let (frame, offset) = match cell {
            Cell::Global(offset) => (&system.globals, offset),
            Cell::Local(pid, offset) => {
                (&system.proctypes[self.proctypes[pid as usize]].frame, offset)
            }
        };
        let holds = |v: &&Variable| (v.offset..v.offset + v.n_cells).contains(&offset);
        frame.variables.iter().find(holds)
    }

    /// The name of a cell: its variable, with the index if that is an array.
    pub fn cell_name(&self, cell: Cell) -> String {
        if let Some(counter) = self.counter_of(cell) {
            let Cell::Local(pid, _) = cell else {
                return self.cell_name(counter);
            };
            return format!("{}'s {}", self.process_name(pid as usize), self.cell_name(counter));
        }
        let (offset, prefix) = match cell {
            Cell::Global(offset) => (offset, String::new()),
            Cell::Local(pid, offset) => (offset, format!("{}.", self.process_name(pid as usize))),
        };
        match self.variable(cell) {
            Some(v) if v.is_array => format!("{prefix}{}[{}]", v.name, offset - v.offset),
            Some(v) => format!("{prefix}{}", v.name),
            None => format!("{prefix}cell{offset}"),
        }
    }

    /// The name of the variable that declares a channel.
    pub fn channel_name(&self, chan: usize) -> String {
        let id = chan as i32 + 1;
        let system = self.system();
        let (cells, values, local) = match self.channels[chan].frame {
            None => (&system.globals.cells, self.initial.globals(system), None),
            Some(pid) => {
                let frame = &system.proctypes[self.proctypes[pid]].frame;
                (&frame.cells, self.initial.locals(system, pid), Some(pid as u32))
            }
        };
        let named =
            cells.iter().zip(values).position(|(ty, &value)| *ty == CellType::Chan && value == id);
        match (named, local) {
            (Some(offset), None) => self.cell_name(Cell::Global(offset as u32)),
            (Some(offset), Some(pid)) => self.cell_name(Cell::Local(pid, offset as u32)),
            (None, _) => format!("chan{id}"),
        }
    }
}
