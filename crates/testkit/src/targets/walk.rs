//! A walk through the states of a system, which the bytes of an input choose.

use super::features::Features;
use resy_system::{CellInit, Control, Frame, Interpreter, Options, State, System};

const MAX_STEPS: usize = 50;
/// Larger states, and more processes, are slow to copy and teach nothing.
const MAX_CELLS: usize = 20_000;
const MAX_PROCESSES: usize = 100;

/// Follows a path from the first state.
pub fn walk(system: &System, choices: &[u8], features: &mut Features) {
    if initial_cells(system) > MAX_CELLS {
        return;
    }
    let flags = choices.first().copied().unwrap_or(0);
    let options = Options { loss: flags & 1 != 0, empty_channels: flags & 2 != 0 };
    let interpreter = Interpreter::new(system, options);
    let Ok(mut state) = interpreter.initial() else { return };
    let mut control = Control::Free;
    for i in 0..MAX_STEPS {
        check_state(&interpreter, &state);
        let steps = interpreter.steps(&state, control).steps;
        for step in &steps {
            interpreter.edge(&state, step.actor);
            for violation in &step.violations {
                let kind = violation.kind.to_string();
                assert!(!kind.is_empty());
                features.message(&kind);
            }
        }
        features.size("steps", steps.len());
        let mut next: Vec<_> = steps.into_iter().filter_map(|step| step.next).collect();
        if next.is_empty() {
            match control {
                Control::Free => return,
                Control::Atomic(_) => control = Control::Free,
            }
            continue;
        }
        let choice = choices.get(i + 1).map_or(i, |&b| usize::from(b));
        (state, control) = next.swap_remove(choice % next.len());
        if state.processes().len() > MAX_PROCESSES {
            return;
        }
    }
}

/// A state can be packed and read back, and looked at.
fn check_state(interpreter: &Interpreter<'_>, state: &State) {
    let system = interpreter.system();
    let mut bytes = Vec::new();
    state.pack(system, &mut bytes);
    let mut again = Vec::new();
    State::unpack(system, &bytes).pack(system, &mut again);
    assert_eq!(bytes, again);
    interpreter.is_valid_end(state);
    state.globals(system);
    (0..state.processes().len()).for_each(|pid| assert!(state.locals(system, pid).len() < 1 << 24));
    (0..state.channels().len()).for_each(|channel| drop(state.messages(system, channel)));
}

fn initial_cells(system: &System) -> usize {
    let channel_cells = |frame: &Frame| -> usize {
        let sizes = frame.init.iter().map(|init| match init {
            CellInit::Channel(_, channel) => system.channel_types[channel.ty].n_cells(),
            CellInit::Value(..) => 0,
        });
        sizes.fold(0, usize::saturating_add)
    };
    let frame = |frame: &Frame| frame.cells.len().saturating_add(channel_cells(frame));
    let largest = system.proctypes.iter().map(|p| frame(&p.frame)).max().unwrap_or(0);
    frame(&system.globals).saturating_add(largest.saturating_mul(system.instances.len().max(1)))
}
