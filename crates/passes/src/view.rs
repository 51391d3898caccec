//! The view of a state that independence is decided on, for any representation of states.

use resy_system::{BinaryOp, CellRef, Expr, LocationId, ProctypeId, Scope, State, System};

/// Read access to a state.
pub trait StateView {
    /// The number of processes.
    fn n_processes(&self) -> usize;
    /// The proctype and the location of a process.
    fn process(&self, pid: usize) -> (ProctypeId, LocationId);
    /// A cell of the globals.
    fn global(&self, cell: usize) -> i32;
    /// A cell of a process's frame.
    fn local(&self, pid: usize, cell: usize) -> i32;
    /// Length and capacity of a channel, by its number from 1; `None` if it does not exist.
    fn channel(&self, number: usize) -> Option<(usize, usize)>;
}

/// The reference representation: a state with its system.
impl StateView for (&System, &State) {
    fn n_processes(&self) -> usize {
        self.1.processes().len()
    }

    fn process(&self, pid: usize) -> (ProctypeId, LocationId) {
        let process = &self.1.processes()[pid];
        (process.proctype, process.location)
    }

    fn global(&self, cell: usize) -> i32 {
        self.1.globals(self.0)[cell]
    }

    fn local(&self, pid: usize, cell: usize) -> i32 {
        self.1.locals(self.0, pid)[cell]
    }

    fn channel(&self, number: usize) -> Option<(usize, usize)> {
        let index = number.checked_sub(1)?;
        let channel = self.1.channels().get(index)?;
        let capacity = self.0.channel_types[channel.ty].capacity as usize;
        Some((self.1.messages(self.0, index).len(), capacity))
    }
}

/// The number of the channel that a variable holds; `None` if it is not easily determined.
pub(crate) fn channel_number(view: &impl StateView, pid: usize, place: &CellRef) -> Option<usize> {
    load(view, pid, place).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0)
}

fn load(view: &impl StateView, pid: usize, place: &CellRef) -> Option<i32> {
    let mut cell = place.offset as usize;
    for term in &place.indices {
        let index = usize::try_from(value(view, pid, &term.index)?).ok()?;
        if index >= term.len as usize {
            return None;
        }
        cell += index * term.stride as usize;
    }
    match place.scope {
        Scope::Global => Some(view.global(cell)),
        Scope::Local => Some(view.local(pid, cell)),
        Scope::Nowhere => None,
    }
}

fn value(view: &impl StateView, pid: usize, expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(c) => Some(*c),
        Expr::Pid => Some(pid as i32),
        Expr::Load(place) => load(view, pid, place),
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(view, pid, a)?, value(view, pid, b)?);
            match op {
                BinaryOp::Add => Some(a.wrapping_add(b)),
                BinaryOp::Sub => Some(a.wrapping_sub(b)),
                BinaryOp::Mul => Some(a.wrapping_mul(b)),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Mod => a.checked_rem(b),
                _ => None,
            }
        }
        _ => None,
    }
}
