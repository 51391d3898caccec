//! Facts about a system that are computed before it is compiled: which channel variables are constant, and
//! which locations are left to the interpreter.

use super::chunks::MOST_EDGES;
use super::frames::constant_frame;
use super::native::MAX_VALUES;
use crate::steps::EdgeNumbers;
use crate::vector::{ChannelPlace, Shapes};
use resy_index::IndexVec;
use resy_system::{
    CellInit, CellRef, Command, DStepGuard, Edge, Expr, Instruction, LocationId, Pattern,
    ProctypeId, Scope, System,
};

/// The facts.
pub struct Facts {
    /// For each cell of the globals, the channel that it always denotes.
    channels: Vec<Option<ChannelPlace>>,
    /// The locations that are left to the interpreter.
    pub slow: IndexVec<ProctypeId, Vec<bool>>,
    /// Whether `timeout` is used.
    pub uses_timeout: bool,
    /// The numbers of the edges.
    pub edges: EdgeNumbers,
}

impl Facts {
    /// Analyses a system.
    pub fn new(system: &System, shapes: &Shapes) -> Facts {
        let mut uses_timeout = false;
        let edges = || system.proctypes.iter().flat_map(|p| p.edges.iter().flatten());
        let mut visit = |e: &Expr| uses_timeout |= matches!(e, Expr::Timeout);
        edges().for_each(|e| e.command.walk(&mut visit));
        system
            .proctypes
            .iter()
            .filter_map(|p| p.provided.as_ref())
            .for_each(|e| e.walk(&mut visit));
        let slow = system.proctypes.iter().map(|p| {
            let location = |edges: &Vec<Edge>| {
                p.deterministic
                    || edges.len() > MOST_EDGES
                    || !p.provided.as_ref().is_none_or(can_eval)
                    || !edges.iter().all(|e| e.escape.is_none() && can_run(system, &e.command))
            };
            p.edges.iter().map(location).collect()
        });
        Facts {
            channels: constant_channels(system, &shapes[shapes.empty()].channels),
            slow: IndexVec::from_vec(slow.collect()),
            uses_timeout,
            edges: EdgeNumbers::new(system),
        }
    }

    /// Leaves these locations of a proctype to the interpreter.
    pub fn leave_out(&mut self, proctype: ProctypeId, locations: &IndexVec<LocationId, bool>) {
        self.slow[proctype].iter_mut().zip(locations).for_each(|(slow, &out)| *slow |= out);
    }

    /// The channel that a cell of the globals always denotes.
    pub fn channel(&self, cell: u32) -> Option<ChannelPlace> {
        self.channels.get(cell as usize).copied().flatten()
    }
}

/// The cells that are initialised with a channel and never written.
fn constant_channels(system: &System, global: &[ChannelPlace]) -> Vec<Option<ChannelPlace>> {
    let mut channels = vec![None; system.globals.cells.len()];
    let made = system.globals.init.iter().filter_map(|init| match init {
        CellInit::Channel(cell, _) => Some(*cell),
        CellInit::Value(..) => None,
    });
    for (cell, &channel) in made.zip(global) {
        channels[cell as usize] = Some(channel);
    }
    let mut written = |place: &CellRef| {
        if place.scope == Scope::Global {
            let reach: u32 = place.indices.iter().map(|t| (t.len - 1) * t.stride).sum();
            let end = (place.offset + reach) as usize;
            channels[place.offset as usize..=end].fill(None);
        }
    };
    for edge in system.proctypes.iter().flat_map(|p| p.edges.iter().flatten()) {
        for_each_written(&edge.command, &mut written);
    }
    channels
}

/// Calls `visit` with every variable that a command can write.
pub fn for_each_written(command: &Command, visit: &mut impl FnMut(&CellRef)) {
    match command {
        Command::Assign(place, _) => visit(place),
        Command::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    visit(place);
                }
            }
        }
        Command::DStep(d_step) => {
            for instruction in &d_step.code {
                match instruction {
                    Instruction::Run { command, .. } => for_each_written(command, visit),
                    Instruction::Choose(options, _) => {
                        let guards = options.iter().filter_map(|o| o.guard.as_ref());
                        guards.for_each(|c| for_each_written(c, visit));
                    }
                    Instruction::Jump(_) | Instruction::End => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether an expression can be compiled.
pub fn can_eval(expr: &Expr) -> bool {
    !expr.any(|e| {
        matches!(
            e,
            Expr::Run { .. }
                | Expr::Enabled(_)
                | Expr::GetPriority(_)
                | Expr::NonProgress
                | Expr::Priority
        )
    })
}

/// Whether a command can be compiled.
fn can_run(system: &System, command: &Command) -> bool {
    let all = |command: &Command| {
        let mut fine = true;
        command.walk(&mut |e| fine &= can_eval(e));
        fine
    };
    match command {
        Command::Skip | Command::Else | Command::Exit => true,
        Command::Guard(Expr::Run { proctype, args, .. })
        | Command::Assign(_, Expr::Run { proctype, args, .. }) => {
            let place = match command {
                Command::Assign(place, _) => place.indices.iter().all(|t| can_eval(&t.index)),
                _ => true,
            };
            args.iter().all(can_eval)
                && place
                && args.len() <= MAX_VALUES
                && constant_frame(system, *proctype)
        }
        Command::Guard(_) | Command::Assign(..) | Command::Assert(..) | Command::Print(_) => {
            all(command)
        }
        Command::Send { args, .. } => {
            system.trace.is_none() && args.len() <= MAX_VALUES && all(command)
        }
        Command::Receive { patterns, .. } => {
            system.trace.is_none()
                && patterns.len() <= MAX_VALUES
                && all(command)
                && !observes_sender(patterns)
        }
        Command::DStep(d_step) => {
            let guard = match &d_step.guard {
                DStepGuard::AnyOf(commands) => commands.iter().all(|c| can_run(system, c)),
                DStepGuard::Always | DStepGuard::Else => true,
            };
            guard
                && d_step.code.iter().all(|i| match i {
                    Instruction::Run { command, .. } => can_run(system, command),
                    Instruction::Choose(options, _) => {
                        options.iter().filter_map(|o| o.guard.as_ref()).all(|c| can_run(system, c))
                    }
                    Instruction::Jump(_) | Instruction::End => true,
                })
        }
        Command::SetPriority(..) | Command::Event { .. } => false,
    }
}

/// In a rendezvous the sender has moved when the receiver matches the message: patterns that can observe
/// this are left to the interpreter.
fn observes_sender(patterns: &[Pattern]) -> bool {
    let mut observes = false;
    for pattern in patterns {
        pattern.walk(&mut |e| {
            observes |= matches!(
                e,
                Expr::Last
                    | Expr::PcValue(_)
                    | Expr::RemoteLocation { .. }
                    | Expr::RemoteLoad { .. }
            );
        });
    }
    observes
}
