//! Names of processes, variables and channels.

use crate::cut::Cut;
use resy_system::{Cell, CellType, ProctypeId, Variable};

impl Cut<'_> {
    /// `name[pid]`, or the name alone if no other process runs the same proctype.
    pub fn process_name(&self, pid: usize) -> String {
        let names: Vec<&str> = self.runs[pid].iter().map(|&id| self.name_of(id)).collect();
        let runs_too =
            |other: &&Vec<ProctypeId>| other.iter().any(|id| self.runs[pid].contains(id));
        let alone = self.runs.iter().filter(runs_too).count() == 1;
        let name = names.join("|");
        if alone { name } else { format!("{name}[{pid}]") }
    }

    /// The name of a process's proctype.
    pub fn proctype_name(&self, pid: usize) -> &str {
        self.name_of(self.proctypes[pid])
    }

    fn name_of(&self, proctype: ProctypeId) -> &str {
        match self.system().proctypes[proctype].name.as_str() {
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
        match self.channel_cell(chan) {
            Some(cell) => self.cell_name(cell),
            None => format!("chan{}", chan + 1),
        }
    }

    /// The cell of the frame of a channel that has its id at the start.
    pub fn channel_cell(&self, chan: usize) -> Option<Cell> {
        let (system, id) = (self.system(), chan as i32 + 1);
        let named = |cells: &[CellType], value: &dyn Fn(u32) -> Option<i32>| {
            let is_id = |ty: &CellType, at: u32| *ty == CellType::Chan && value(at) == Some(id);
            cells.iter().zip(0..).find(|(ty, at)| is_id(ty, *at)).map(|(_, at)| at)
        };
        match self.channels[chan].frame {
            None => {
                let values = self.initial.globals(system);
                let value = |at: u32| values.get(at as usize).copied();
                named(&system.globals.cells, &value).map(Cell::Global)
            }
            Some(pid) => {
                let cells = &system.proctypes[self.proctypes[pid]].frame.cells;
                named(cells, &|at| self.first_value(pid, at)).map(|at| Cell::Local(pid as u32, at))
            }
        }
    }
}
