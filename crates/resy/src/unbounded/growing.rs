//! Variables that may grow without end: what a search of all states cannot finish with.

use resy_system::{BinaryOp, CellType, Command, Expr, Frame, Instruction, Scope, System};
use std::collections::BTreeSet;

/// The global `int` variables that some statement sets to a sum or a difference of variables.
pub fn growing_variables(system: &System) -> Vec<String> {
    let mut offsets = BTreeSet::new();
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        collect(&edge.command, &mut offsets);
    }
    let Frame { variables, .. } = &system.globals;
    let is_growing =
        |offset: u32, n_cells: u32| offsets.range(offset..offset + n_cells).next().is_some();
    let growing = variables.iter().filter(|v| v.cell == CellType::Int);
    growing.filter(|v| is_growing(v.offset, v.n_cells)).map(|v| v.name.clone()).collect()
}

fn collect(command: &Command, offsets: &mut BTreeSet<u32>) {
    match command {
        Command::Assign(place, value) if place.scope == Scope::Global && grows(value) => {
            offsets.insert(place.offset);
        }
        Command::DStep(d_step) => {
            for instruction in &d_step.code {
                if let Instruction::Run { command, .. } = instruction {
                    collect(command, offsets);
                }
            }
        }
        _ => {}
    }
}

/// Whether an expression is a sum or a difference in which a variable occurs.
fn grows(value: &Expr) -> bool {
    let has_variable = |e: &Expr| e.any(|part| matches!(part, Expr::Load(_)));
    value.any(|e| match e {
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => has_variable(a) || has_variable(b),
        _ => false,
    })
}
