//! Projection of a whole state to the local states of components.

use crate::cut::{Cut, PartId, Role};
use resy_system::{Cell, State};

impl Cut<'_> {
    /// The initial local state of a component.
    pub fn initial_local(&self, part: PartId) -> Vec<i32> {
        self.local(part, &self.initial)
    }

    /// The local state of a component in a whole state. For claims and the event trace it is the
    /// initial one.
    pub fn local(&self, id: PartId, state: &State) -> Vec<i32> {
        let (system, part) = (self.system(), &self.parts[id]);
        match part.role {
            Role::Plain => {}
            Role::Last => return vec![state.last() as i32],
            Role::Trace => return vec![state.event() as i32, 0],
            Role::Claim(claim) => return self.claims[claim].initial.clone(),
            Role::Ends(chan) if chan < state.channels().len() => {
                return vec![0, state.messages(system, chan).len() as i32];
            }
            Role::Ends(_) => return vec![0, 0],
            Role::Slot(chan, slot) => {
                let message = (chan < state.channels().len())
                    .then(|| state.messages(system, chan).get(slot).map(|m| m.to_vec()));
                let width = self.channels[chan].width as usize;
                return message.flatten().unwrap_or_else(|| vec![0; width]);
            }
        }
        let mut local = Vec::new();
        if let Some(pid) = part.process {
            let process = state.processes().get(pid);
            local.push(process.map_or(0, |p| self.code(pid, p.proctype, p.location)));
        }
        for &cell in &part.cells {
            local.push(match cell {
                Cell::Global(offset) => state.globals(system)[offset as usize],
                Cell::Local(pid, offset) if (pid as usize) < state.processes().len() => {
                    // Offsets behind the frame are shares of counters.
                    state.locals(system, pid as usize).get(offset as usize).copied().unwrap_or(0)
                }
                Cell::Local(..) => 0,
            });
        }
        for &chan in &part.channels {
            let n_cells = system.channel_types[self.channels[chan].ty].n_cells();
            let end = local.len() + n_cells;
            if chan < state.channels().len() {
                let messages = state.messages(system, chan);
                local.push(messages.len() as i32);
                messages.into_iter().for_each(|message| local.extend(message));
            }
            local.resize(end, 0);
        }
        local
    }
}
