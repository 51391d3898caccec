//! Commands inside commands, and what they write.

use crate::{CellRef, Command, DStepGuard, Instruction, Pattern};

/// Calls `visit` on a command and on all commands inside it.
pub fn for_each_command(command: &Command, visit: &mut dyn FnMut(&Command)) {
    visit(command);
    let Command::DStep(d_step) = command else {
        return;
    };
    if let DStepGuard::AnyOf(commands) = &d_step.guard {
        commands.iter().for_each(&mut *visit);
    }
    for instruction in &d_step.code {
        match instruction {
            Instruction::Run { command, .. } => visit(command),
            Instruction::Choose(options, _) => {
                options.iter().filter_map(|o| o.guard.as_ref()).for_each(&mut *visit);
            }
            Instruction::Jump(_) | Instruction::End => {}
        }
    }
}

/// Calls `visit` on all places that a command may write.
pub fn for_each_write(command: &Command, visit: &mut dyn FnMut(&CellRef)) {
    for_each_command(command, &mut |command| match command {
        Command::Assign(place, _) => visit(place),
        Command::Receive { patterns, .. } => {
            for pattern in patterns {
                if let Pattern::Bind(place) = pattern {
                    visit(place);
                }
            }
        }
        _ => {}
    });
}
