//! The shared variables that a statement reads. A value that another process changes afterwards is how
//! races come about, so charts show it.

use super::values;
use resy_system::{CellRef, Command, Edge, Expr, Interpreter, Move, Scope, State};
use serde_json::Value;

/// The shared variables that a move reads, each once. What a `d_step` reads is not told.
pub(super) fn shared(
    interpreter: &Interpreter<'_>,
    before: &State,
    taken: Move,
) -> Vec<(String, Value)> {
    let system = interpreter.system();
    let process = &before.processes()[taken.pid];
    let beside = &system.proctypes[process.proctype].edges[process.location];
    let mut found = Vec::new();
    let mut note = |e: &Expr| {
        if let Expr::Load(place) = e
            && place.scope == Scope::Global
            && let Some(cell) = cell(interpreter, before, taken.pid, place)
            && let Some(read) = values::global(system, before, cell)
            && !found.contains(&read)
        {
            found.push(read);
        }
    };
    match &interpreter.edge(before, taken).command {
        Command::DStep(_) => {}
        // It is taken because the conditions beside it are false.
        Command::Else => beside.iter().filter_map(guard).for_each(|e| e.walk(&mut note)),
        command => command.walk(&mut note),
    }
    found
}

fn guard(edge: &Edge) -> Option<&Expr> {
    match &edge.command {
        Command::Guard(condition) => Some(condition),
        _ => None,
    }
}

/// The cell of a reference; `None` if an index is out of range.
fn cell(interpreter: &Interpreter<'_>, state: &State, pid: usize, place: &CellRef) -> Option<u32> {
    place.indices.iter().try_fold(place.offset, |cell, term| {
        let index = interpreter.evaluate(state, pid, &term.index).ok()?;
        let index = u32::try_from(index).ok().filter(|index| *index < term.len)?;
        Some(cell + index * term.stride)
    })
}
