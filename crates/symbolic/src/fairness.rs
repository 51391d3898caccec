//! What is assumed about the scheduler: processes and statements that are treated fairly.

use crate::program::{CommandKind, GuardedCommand};
use resy_system::{Fairness, LocationId, ProctypeId};

/// What is assumed about the scheduler.
#[derive(Clone, Debug, Default)]
pub struct FairnessAssumptions {
    /// For each process.
    pub processes: Fairness,
    /// Statements that are not enabled for ever without being taken.
    pub just: Vec<(ProctypeId, LocationId)>,
    /// Statements that are not enabled again and again without being taken.
    pub compassionate: Vec<(ProctypeId, LocationId)>,
}

/// Something that is treated fairly: a process, or a statement of one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FairAction {
    /// A process, by its pid.
    Process(usize),
    /// A statement: the pid, the proctype, and where it stands.
    Statement(usize, ProctypeId, LocationId),
}

impl FairAction {
    /// Whether a command begins with it: where the command is enabled, the action is.
    pub fn is_begun_by(self, command: &GuardedCommand) -> bool {
        let CommandKind::Step { pid, proctype, from } = command.kind else { return false };
        match self {
            Self::Process(actor) => actor == pid,
            Self::Statement(actor, p, l) => (actor, p, l) == (pid, proctype, from),
        }
    }

    /// Whether a command takes it. A process that receives by rendezvous moves too, as does one that goes on inside
    /// an `atomic`.
    pub fn is_taken_by(self, command: &GuardedCommand) -> bool {
        let takes_part = |pid: usize| {
            let mut moves = command.moves.iter();
            moves.any(|(actor, partner)| {
                actor.pid == pid || partner.is_some_and(|partner| partner.pid == pid)
            })
        };
        self.is_begun_by(command) || matches!(self, Self::Process(pid) if takes_part(pid))
    }
}

impl FairnessAssumptions {
    /// Whether an action is assumed to be treated justly, or with compassion.
    pub fn includes(&self, action: FairAction, compassionate: bool) -> bool {
        let (list, of_processes) = match compassionate {
            true => (&self.compassionate, Fairness::Strong),
            false => (&self.just, Fairness::Weak),
        };
        match action {
            FairAction::Process(_) => self.processes == of_processes,
            FairAction::Statement(_, proctype, location) => list.contains(&(proctype, location)),
        }
    }
}
