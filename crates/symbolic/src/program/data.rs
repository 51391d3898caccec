//! Which cells of a program hold unbounded data.

use resy_system::{Cell, CellType, Expr, Memory, ProctypeId, State, System};
use std::collections::BTreeMap;

/// What kind of data a cell holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DataKind {
    /// A number: any integer if the type is `int`; otherwise it wraps as the type does.
    Integer(CellType),
    /// A clock: a real number that time moves.
    Clock,
    /// A map from all integers to numbers, in the first cell of an array.
    Array,
}

/// A data cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DataCell {
    /// What it holds.
    pub kind: DataKind,
    /// Whether it keeps its initial value, which is any that satisfies the assumptions.
    pub is_parameter: bool,
}

/// A variable whose cells hold data.
#[derive(Clone, Debug)]
pub struct DataVariable {
    /// Its name.
    pub name: String,
    /// The proctype of a local variable.
    pub proctype: Option<ProctypeId>,
    /// Its first cell in its frame.
    pub offset: u32,
    /// The data of a cell.
    pub cell: DataCell,
    /// The number of its cells: elements of a finite array are data each for itself.
    pub n_cells: u32,
}

/// The data of a program, and what is said about it.
#[derive(Clone, Debug, Default)]
pub struct DataDeclarations {
    /// The variables.
    pub variables: Vec<DataVariable>,
    /// What is assumed of every state: trusted.
    pub assumptions: Vec<Expr>,
    /// The conditions under which time passes: they hold after every tick.
    pub progress: Vec<Expr>,
}

/// The data cells by their place in a frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataCells {
    globals: BTreeMap<u32, DataCell>,
    locals: BTreeMap<(ProctypeId, u32), DataCell>,
}

impl DataCells {
    pub fn of(declarations: &DataDeclarations) -> Self {
        let mut cells = Self::default();
        for variable in &declarations.variables {
            let n_cells = if variable.cell.kind == DataKind::Array { 1 } else { variable.n_cells };
            for offset in variable.offset..variable.offset + n_cells {
                match variable.proctype {
                    None => _ = cells.globals.insert(offset, variable.cell),
                    Some(proctype) => _ = cells.locals.insert((proctype, offset), variable.cell),
                }
            }
        }
        cells
    }

    /// The data in a cell of a state.
    pub fn get(&self, state: &State, cell: Cell) -> Option<DataCell> {
        match cell {
            Cell::Global(offset) => self.globals.get(&offset).copied(),
            Cell::Local(pid, offset) => {
                let proctype = state.proctype(pid as usize).ok()??;
                self.locals.get(&(proctype, offset)).copied()
            }
        }
    }

    /// The data cells of a state: their positions among its cells.
    pub fn positions(&self, state: &State) -> BTreeMap<usize, DataCell> {
        let mut all: BTreeMap<usize, DataCell> =
            self.globals.iter().map(|(&offset, &cell)| (offset as usize, cell)).collect();
        for (pid, process) in state.processes().iter().enumerate() {
            let first = (process.proctype, 0)..=(process.proctype, u32::MAX);
            let base = state.first_cell(pid);
            all.extend(
                self.locals.range(first).map(|(&(_, at), &cell)| (base + at as usize, cell)),
            );
        }
        all
    }
}

/// What people call a cell of a state, by its position.
pub(crate) fn name_of(system: &System, state: &State, position: usize) -> String {
    let in_frame = |frame: &resy_system::Frame, at: usize| {
        let holds = |v: &&resy_system::Variable| {
            (v.offset as usize..(v.offset + v.n_cells) as usize).contains(&at)
        };
        let variable = frame.variables.iter().find(holds)?;
        let index = at - variable.offset as usize;
        Some(match variable.is_array && index > 0 {
            true => format!("{}[{index}]", variable.name),
            false => variable.name.clone(),
        })
    };
    if let Some(name) = in_frame(&system.globals, position) {
        return name;
    }
    for (pid, process) in state.processes().iter().enumerate() {
        let (base, proctype) = (state.first_cell(pid), &system.proctypes[process.proctype]);
        let is_inside = (base..base + proctype.frame.cells.len()).contains(&position);
        if let Some(name) = is_inside.then(|| in_frame(&proctype.frame, position - base)).flatten()
        {
            return format!("{}[{pid}]:{name}", proctype.name);
        }
    }
    format!("message[{position}]")
}
