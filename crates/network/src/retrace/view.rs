//! What the local states of components say about the whole state.
//!
//! The local states of all components determine a state of the program, except for two things that
//! the program does not know: the position of the oldest message of a channel in pieces, and the
//! shares of a counter. A view leaves both out, so that views can be compared.

use crate::cut::{Cut, Home, PartId, Role};
use resy_index::{Id, IndexVec};
use resy_system::{Cell, State};

/// The local states of all components except the claims, and the values of the counters in shares.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    locals: Vec<Vec<i32>>,
    counters: Vec<i32>,
}

impl View {
    /// The view of a state of the program.
    pub fn of_state(cut: &Cut<'_>, state: &State) -> Self {
        let locals = cut.parts.iter_enumerated();
        let locals = locals.map(|(id, part)| seen(part.role, cut.local(id, state)));
        let globals = state.globals(cut.system());
        let counters = cut.sums.iter().filter_map(|sum| match sum.cell {
            Cell::Global(offset) => Some(globals[offset as usize]),
            Cell::Local(..) => None,
        });
        Self { locals: locals.collect(), counters: counters.collect() }
    }

    /// The view of the local states of all components.
    pub fn of_locals(cut: &Cut<'_>, mut locals: IndexVec<PartId, Vec<i32>>) -> Self {
        let mut counters = Vec::new();
        for sum in &cut.sums {
            let mut total = sum.start;
            for &share in &sum.shares {
                if let Home::At(part, position) = cut.home(share) {
                    total =
                        total.wrapping_add(std::mem::take(&mut locals[part][position as usize]));
                }
            }
            counters.push(sum.ty.truncate(total));
        }
        for channel in cut.channels.iter().filter(|c| c.ring.is_some()) {
            let slot = |i| cut.place_part(*channel, i);
            let capacity = cut.system().channel_types[channel.ty].capacity as usize;
            let head = std::mem::take(&mut locals[channel.part][0]) as usize;
            let turned: Vec<Vec<i32>> =
                (0..capacity).map(|i| locals[slot((head + i) % capacity)].clone()).collect();
            turned.into_iter().enumerate().for_each(|(i, message)| locals[slot(i)] = message);
        }
        let locals = locals.iter().zip(cut.parts.iter());
        let locals = locals.map(|(local, part)| seen(part.role, local.clone())).collect();
        Self { locals, counters }
    }

    /// Removes the components that `keep` rejects.
    #[must_use]
    pub fn restricted_to(mut self, keep: impl Fn(PartId) -> bool) -> Self {
        for (index, local) in self.locals.iter_mut().enumerate() {
            if !keep(Id::from_index(index)) {
                local.clear();
            }
        }
        self
    }
}

/// The part of a local state that is visible in a program state: the location of a trace, nothing
/// of a claim.
fn seen(role: Role, mut local: Vec<i32>) -> Vec<i32> {
    match role {
        Role::Trace => local.truncate(1),
        Role::Claim(_) => local.clear(),
        _ => {}
    }
    local
}
