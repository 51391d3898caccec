//! What the reduction asks of a state, whatever its representation.

use resy_system::{BinaryOp, Expr, LocationId, Place, ProctypeId, Scope, State, System};

/// A state to be looked at.
pub trait Look {
    /// The number of processes.
    fn n_processes(&self) -> usize;
    /// What a process runs, and where it stands.
    fn process(&self, pid: usize) -> (ProctypeId, LocationId);
    /// A cell of the globals.
    fn global(&self, cell: usize) -> i32;
    /// A cell of a process's frame.
    fn local(&self, pid: usize, cell: usize) -> i32;
    /// Length and capacity of a channel, by its number from 1; `None` if it does not exist.
    fn channel(&self, number: usize) -> Option<(usize, usize)>;
}

/// The reference representation: a state with its system.
impl Look for (&System, &State) {
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

/// The number of the channel that a variable holds. `None` if it cannot be told easily.
pub(crate) fn channel_number(look: &impl Look, pid: usize, place: &Place) -> Option<usize> {
    load(look, pid, place).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0)
}

fn load(look: &impl Look, pid: usize, place: &Place) -> Option<i32> {
    let mut cell = place.offset as usize;
    for term in &place.indices {
        let index = usize::try_from(value(look, pid, &term.index)?).ok()?;
        if index >= term.len as usize {
            return None;
        }
        cell += index * term.stride as usize;
    }
    match place.scope {
        Scope::Global => Some(look.global(cell)),
        Scope::Local => Some(look.local(pid, cell)),
        Scope::Nowhere => None,
    }
}

fn value(look: &impl Look, pid: usize, expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(c) => Some(*c),
        Expr::Pid => Some(pid as i32),
        Expr::Load(place) => load(look, pid, place),
        Expr::Binary(op, a, b) => {
            let (a, b) = (value(look, pid, a)?, value(look, pid, b)?);
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
