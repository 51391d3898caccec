//! What a command reads and writes.

use resy_system::{CellRef, Command, DStepGuard, Expr, Instruction, Pattern};

/// Calls `visit` on a command and, for a `d_step`, on the commands inside.
pub(crate) fn each_command<'a>(command: &'a Command, visit: &mut dyn FnMut(&'a Command)) {
    visit(command);
    let Command::DStep(d_step) = command else { return };
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

/// The variables that a command stores to, except those inside a `d_step`.
pub(crate) fn stores(command: &Command) -> Vec<&CellRef> {
    match command {
        Command::Assign(place, _) => vec![place],
        Command::Receive { patterns, .. } => patterns.iter().filter_map(bound).collect(),
        _ => Vec::new(),
    }
}

fn bound(pattern: &Pattern) -> Option<&CellRef> {
    match pattern {
        Pattern::Bind(place) => Some(place),
        Pattern::Match(_) => None,
    }
}

/// The cells that a reference may denote, for all values of the indices.
pub(crate) fn cells(place: &CellRef) -> std::ops::RangeInclusive<usize> {
    let reach: u32 = place.indices.iter().map(|t| (t.len - 1) * t.stride).sum();
    place.offset as usize..=(place.offset + reach) as usize
}

/// Whether an expression is a function of the process's own variables and its pid.
pub(crate) fn is_local(expr: &Expr) -> bool {
    use resy_system::Scope;
    !expr.any(|e| match e {
        Expr::Load(place) => place.scope == Scope::Global,
        Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) | Expr::Pid => false,
        _ => true,
    })
}
