//! A counter in shares.
//!
//! Programs count how many processes are somewhere: `busy++`, and later `busy--`. As one component,
//! the counter does not know where the processes are, and its values run to the end of its type. If
//! all writes add or subtract, each process can keep what it has added itself, and the value is the
//! sum of the shares. The product then has one state for each way to form the sum, and is otherwise
//! the same.

use crate::cut::support::Item;
use crate::cut::uses::{offsets, reachable};
use crate::cut::{Cut, Home, SharedCounter};
use crate::step::half::Half;
use resy_index::Id;
use resy_system::{
    BinaryOp, Cell, CellRef, Command, Expr, Memory, Scope, Value, ViolationKind, for_each_command,
    for_each_write,
};

/// The maximal number of writers: reading a counter needs a request to each of them.
const MOST_WRITERS: usize = 4;

impl Half<'_> {
    /// The value of a counter in shares.
    pub(crate) fn sum(&self, sum: &SharedCounter) -> Value {
        let mut total = sum.start;
        for &share in &sum.shares {
            total = total.wrapping_add(self.load(share)?);
        }
        Ok(sum.ty.truncate(total))
    }

    /// Adds to this process's share of a counter.
    pub(crate) fn add_share(&mut self, sum: &SharedCounter, value: &Expr) -> Value<()> {
        let pid = self.cut.parts[self.part].process.map(|pid| pid as u32);
        let own = |cell: &&Cell| matches!(cell, Cell::Local(owner, _) if Some(*owner) == pid);
        let change = change(value).ok_or(ViolationKind::Unanswered)?;
        let &share = sum.shares.iter().find(own).ok_or(ViolationKind::Unanswered)?;
        let new = self.load(share)?.wrapping_add(change);
        self.store(share, new)
    }
}

/// The constant that is added to the old value, which is the only variable of the expression.
pub(crate) fn change(value: &Expr) -> Option<i32> {
    match value {
        Expr::Binary(BinaryOp::Add, a, b) => match (&**a, &**b) {
            (Expr::Load(_), Expr::Const(change)) | (Expr::Const(change), Expr::Load(_)) => {
                Some(*change)
            }
            _ => None,
        },
        Expr::Binary(BinaryOp::Sub, a, b) => match (&**a, &**b) {
            (Expr::Load(_), Expr::Const(change)) => Some(change.wrapping_neg()),
            _ => None,
        },
        _ => None,
    }
}

impl Cut<'_> {
    /// Whether a shared cell is a counter: few processes write it, and they only add and subtract.
    pub fn is_counter(&self, cell: Cell) -> bool {
        let n_writers = self.users.get(&Item::Cell(cell)).map_or(0, |users| users.writers.len());
        (2..=MOST_WRITERS).contains(&n_writers) && self.is_only_added_to(cell)
    }

    /// Whether all processes that write a shared cell only add and subtract.
    pub(crate) fn is_only_added_to(&self, cell: Cell) -> bool {
        let (Cell::Global(offset), Some(users)) = (cell, self.users.get(&Item::Cell(cell))) else {
            return false;
        };
        users.writers.iter().all(|&pid| self.only_adds(pid, offset))
    }

    fn only_adds(&self, pid: usize, offset: u32) -> bool {
        let Some(process) = self.initial.processes().get(pid) else { return false };
        let proctype = &self.system().proctypes[process.proctype];
        let means = |place: &CellRef| {
            place.scope == Scope::Global && offsets(place, &mut |_| None).contains(&offset)
        };
        let mut only = true;
        for location in reachable(proctype, process.location) {
            for edge in &proctype.edges[location] {
                let (mut writes, mut adds) = (0, 0);
                for_each_write(&edge.command, &mut |place| writes += u32::from(means(place)));
                for_each_command(&edge.command, &mut |command| {
                    if let Command::Assign(place, value) = command {
                        adds += u32::from(means(place) && is_addition(place, value));
                    }
                });
                only &= writes == adds;
            }
        }
        only
    }

    /// The counter that a share belongs to.
    pub fn counter_of(&self, share: Cell) -> Option<Cell> {
        self.sums.iter().find(|sum| sum.shares.contains(&share)).map(|sum| sum.cell)
    }

    /// Gives every process that writes a counter its own share.
    pub(crate) fn share_out(&mut self, cell: Cell) {
        let Cell::Global(offset) = cell else {
            return;
        };
        let writers = self.users.get(&Item::Cell(cell)).map_or(&[][..], |users| &users.writers);
        let ty = self.system().globals.cells[offset as usize];
        let start = self.initial.globals(self.system())[offset as usize];
        let mut sum = SharedCounter { cell, start, ty, shares: Vec::new() };
        for &pid in writers {
            let part = self.processes[pid];
            let share = Cell::Local(pid as u32, self.locals[pid].len() as u32);
            self.locals[pid].push(Home::At(part, self.parts[part].width));
            self.parts[part].width += 1;
            self.parts[part].cells.push(share);
            sum.shares.push(share);
        }
        self.globals[offset as usize] = Home::Sum(self.sums.len() as u32);
        self.sums.push(sum);
        debug_assert!(self.processes.iter().all(|part| part.index() < self.parts.len()));
    }
}

/// `x = x + e`, `x = e + x` or `x = x - e`, where `e` has no `x`.
fn is_addition(place: &CellRef, value: &Expr) -> bool {
    let old = |e: &Expr| matches!(e, Expr::Load(other) if other == place);
    let rest = |e: &Expr| {
        !e.any(|e| matches!(e, Expr::Load(other) if other.scope == place.scope && other.offset == place.offset))
    };
    !value.can_fail()
        && match value {
            Expr::Binary(BinaryOp::Add, a, b) => old(a) && rest(b) || rest(a) && old(b),
            Expr::Binary(BinaryOp::Sub, a, b) => old(a) && rest(b),
            _ => false,
        }
}
