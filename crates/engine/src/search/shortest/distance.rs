//! A lower bound of the number of transitions to a violated assertion, by control flow alone.
//!
//! An assertion is violated by a step of the process that contains it, so some process must reach one. Its locations are
//! joined by edges, and it takes at most one transition to follow an edge, or all edges of a path that keeps
//! control. The bound of a location is the least number of transitions on a path to an edge with an assertion, with the
//! one that takes that edge; the bound of a state is the least bound of its processes.
//!
//! *It is admissible.* Take the shortest run from a state to a violated assertion, and the process that violates it.
//! - A transition moves that process along one edge, or along several of which all but the last keep control: these cost
//!   1 together here. Paths that others block on the way only take longer.
//! - The exception is the receiver of a rendezvous, which is moved by another: several times perhaps, if that one keeps
//!   control. Such receives cost nothing here.
//! - A process that does not exist yet must be created, on a path of another that is counted in the same way, and begins
//!   in a later transition.
//!
//! *It is consistent*: it decreases by at most 1 in a transition, for the same reasons. So a state that is expanded with
//! the least sum of depth and bound has its least depth.

use resy_index::{Id, IndexVec};
use resy_system::{Command, DStepGuard, Edge, Expr, Instruction, ProctypeId, State, System};

/// No path leads there.
const NEVER: u32 = u32::MAX;

/// The bound of a state from which no assertion can be reached: it is expanded last.
pub(super) const FAR: u32 = 1 << 20;

/// The bounds of all locations.
pub(super) struct Distances {
    /// For a process at the beginning of a transition.
    fresh: IndexVec<ProctypeId, Vec<u32>>,
    /// For a process that has kept control.
    inside: IndexVec<ProctypeId, Vec<u32>>,
}

impl Distances {
    /// The distances to assertions.
    pub fn to_assertions(system: &System) -> Self {
        let never: IndexVec<ProctypeId, Vec<u32>> =
            system.proctypes.iter().map(|p| vec![NEVER; p.edges.len()]).collect();
        let mut distances = Self { fresh: never.clone(), inside: never };
        // The bounds only decrease, and there are finitely many.
        while distances.improve(system) {}
        distances
    }

    fn improve(&mut self, system: &System) -> bool {
        let mut changed = false;
        for (id, proctype) in system.proctypes.iter_enumerated() {
            for (at, edges) in proctype.edges.iter_enumerated() {
                let (mut fresh, mut inside) = (NEVER, NEVER);
                for edge in edges {
                    let (begins, goes_on) = self.along(system, id, edge);
                    (fresh, inside) = (fresh.min(begins), inside.min(goes_on));
                }
                let at = at.index();
                changed |= fresh < self.fresh[id][at] || inside < self.inside[id][at];
                self.fresh[id][at] = fresh.min(self.fresh[id][at]);
                self.inside[id][at] = inside.min(self.inside[id][at]);
            }
        }
        changed
    }

    /// The bounds of an edge: if it begins a transition, and if control was kept.
    fn along(&self, system: &System, id: ProctypeId, edge: &Edge) -> (u32, u32) {
        let mut rest = match edge.target {
            _ if asserts(&edge.command) => 0,
            Some(target) if edge.atomic => self.inside[id][target.index()],
            Some(target) => self.fresh[id][target.index()],
            None => NEVER,
        };
        edge.command.walk(&mut |e| {
            if let Expr::Run { proctype, .. } = e {
                let start = system.proctypes[*proctype].start;
                rest = rest.min(self.fresh[*proctype][start.index()]);
            }
        });
        // It may be a rendezvous, in which another process moves this one.
        let is_moved = matches!(edge.command, Command::Receive { .. });
        (rest.saturating_add(u32::from(!is_moved)), rest)
    }

    /// The bound of a state.
    pub fn of(&self, state: &State) -> u32 {
        let bound = |p: &resy_system::Process| self.fresh[p.proctype][p.location.index()];
        // The violation itself takes a transition.
        state.processes().iter().map(bound).min().unwrap_or(FAR).clamp(1, FAR)
    }
}

/// Whether a command may violate an assertion.
fn asserts(command: &Command) -> bool {
    match command {
        Command::Assert(..) => true,
        Command::DStep(d_step) => {
            let guards = match &d_step.guard {
                DStepGuard::AnyOf(commands) => commands.iter().any(asserts),
                _ => false,
            };
            guards
                || d_step.code.iter().any(|instruction| match instruction {
                    Instruction::Run { command, .. } => asserts(command),
                    Instruction::Choose(options, _) => {
                        options.iter().filter_map(|o| o.guard.as_ref()).any(asserts)
                    }
                    Instruction::Jump(_) | Instruction::End => false,
                })
        }
        _ => false,
    }
}
