//! Variables that may grow without end: what a search of all states cannot finish with.

use resy_system::{BinaryOp, CellType, Command, Expr, Frame, Instruction, Scope, System, Variable};
use std::collections::BTreeSet;

/// The `int` variables that some statement sets to a sum or a difference of variables: `x`, and `P:x` in a proctype.
pub fn growing_variables(system: &System) -> Vec<String> {
    let (mut globals, mut names) = (BTreeSet::new(), Vec::new());
    for proctype in &system.proctypes {
        let mut locals = BTreeSet::new();
        for edge in proctype.edges.iter().flatten() {
            collect(&edge.command, Scope::Global, &mut globals);
            collect(&edge.command, Scope::Local, &mut locals);
        }
        let own = named(&proctype.frame, &locals);
        names.extend(own.map(|name| format!("{}:{name}", proctype.name)));
    }
    named(&system.globals, &globals).map(str::to_owned).chain(names).collect()
}

/// The `int` variables with these cells; the counters of `select` and `for` are named by people, too.
fn named<'f>(frame: &'f Frame, offsets: &BTreeSet<u32>) -> impl Iterator<Item = &'f str> {
    let is_growing = |v: &&Variable| {
        v.cell == CellType::Int && offsets.range(v.offset..v.offset + v.n_cells).next().is_some()
    };
    frame.variables.iter().filter(is_growing).map(|v| v.name.as_str())
}

fn collect(command: &Command, scope: Scope, offsets: &mut BTreeSet<u32>) {
    match command {
        Command::Assign(place, value) if place.scope == scope && grows(value) => {
            offsets.insert(place.offset);
        }
        Command::DStep(d_step) => {
            for instruction in &d_step.code {
                if let Instruction::Run { command, .. } = instruction {
                    collect(command, scope, offsets);
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
