//! Live variables: which variables of a process may still be read, by the classic backward analysis.

use crate::access::{cells, each_command, stores};
use crate::bits::extend;
use fixedbitset::FixedBitSet;
use resy_index::IndexVec;
use resy_system::{
    CellRef, Command, DStep, DStepGuard, Edge, Expr, Instruction, LocationId, Proctype, Scope,
};

/// The cells of the frame that may be read from a location before they are written. The cells of `always`
/// may be read by others at any time. `None` if `go_on` ends the computation.
pub(crate) fn live(
    proctype: &Proctype,
    always: &FixedBitSet,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<IndexVec<LocationId, FixedBitSet>> {
    let mut live: IndexVec<LocationId, FixedBitSet> =
        proctype.edges.iter().map(|_| always.clone()).collect();
    loop {
        let mut changed = false;
        // Later locations mostly have higher numbers, so that the reverse order converges faster.
        for at in proctype.edges.ids().collect::<Vec<_>>().into_iter().rev() {
            for edge in &proctype.edges[at] {
                let after = edge.target.map_or(always, |target| &live[target]);
                let before = before_edge(edge, after);
                changed |= extend(&mut live[at], &before);
            }
            if !go_on() {
                return None;
            }
        }
        if !changed {
            return Some(live);
        }
    }
}

fn before_edge(edge: &Edge, after: &FixedBitSet) -> FixedBitSet {
    match &edge.command {
        Command::DStep(d_step) => before_d_step(d_step, after),
        command => before(command, after),
    }
}

/// What is live before a command: what it reads, and what is live after it and not written by it.
fn before(command: &Command, after: &FixedBitSet) -> FixedBitSet {
    let mut live = after.clone();
    for place in stores(command) {
        if place.scope == Scope::Local && place.indices.is_empty() {
            live.remove(place.offset as usize);
        }
    }
    command.walk(&mut |e| add_read(e, &mut live));
    live
}

/// Like `before`, for a `d_step`, whose instructions are a flow graph of their own.
fn before_d_step(d_step: &DStep, after: &FixedBitSet) -> FixedBitSet {
    let mut live: Vec<FixedBitSet> = d_step
        .code
        .iter()
        .map(|i| match i {
            Instruction::End => after.clone(),
            _ => FixedBitSet::with_capacity(after.len()),
        })
        .collect();
    loop {
        let mut changed = false;
        for at in (0..d_step.code.len()).rev() {
            let here = match &d_step.code[at] {
                Instruction::Run { command, next, .. } => before(command, &live[*next]),
                Instruction::Choose(options, _) => {
                    let mut all = FixedBitSet::with_capacity(after.len());
                    for option in options {
                        all.union_with(&match &option.guard {
                            Some(command) => before(command, &live[option.next]),
                            None => live[option.next].clone(),
                        });
                    }
                    all
                }
                Instruction::Jump(next) => live[*next].clone(),
                Instruction::End => continue,
            };
            changed |= extend(&mut live[at], &here);
        }
        if !changed {
            break;
        }
    }
    let mut start = live.into_iter().next().unwrap_or_else(|| after.clone());
    if let DStepGuard::AnyOf(guards) = &d_step.guard {
        guards.iter().for_each(|g| g.walk(&mut |e| add_read(e, &mut start)));
    }
    start
}

/// Adds the local cells that an expression itself reads, without its subexpressions.
pub(crate) fn add_read(expr: &Expr, live: &mut FixedBitSet) {
    if let Expr::Load(place) = expr {
        add_cells(place, live);
    }
}

/// Adds the local cells that a reference may denote.
pub(crate) fn add_cells(place: &CellRef, set: &mut FixedBitSet) {
    if place.scope == Scope::Local {
        cells(place).for_each(|c| set.insert(c));
    }
}

/// The local cells that a command may write.
pub(crate) fn written(command: &Command, n_cells: usize) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(n_cells);
    each_command(command, &mut |c| stores(c).iter().for_each(|p| add_cells(p, &mut set)));
    set
}
