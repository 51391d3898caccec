//! Any program through the whole front end, and a walk through its states.
//!
//! The text goes to the first NUL; the bytes after it choose the steps.

#![no_main]

use libfuzzer_sys::fuzz_target;
use resy_fuzz::{check_diagnostics, tokens, use_signal_stack};
use resy_promela::parse::parse;
use resy_promela::{Diagnostics, SourceMap, lower};
use resy_system::{CellInit, Control, Frame, Interpreter, Options, State, System, validate};

const MAX_STEPS: usize = 50;
/// Larger states, and more processes, are slow to copy and teach nothing.
const MAX_CELLS: usize = 20_000;
const MAX_PROCESSES: usize = 100;

fuzz_target!(init: use_signal_stack(), |bytes: &[u8]| {
    let end = bytes.iter().position(|&b| b == 0);
    let (text, choices) = bytes.split_at(end.unwrap_or(bytes.len()));
    let text = String::from_utf8_lossy(text);
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let tokens = tokens(&text, &[], &mut map, &mut diags);
    let program = parse(tokens, &mut map, &mut diags);
    // Errors do not stop the lowering of the rest.
    let system = lower(&program, &map, &mut diags);
    check_diagnostics(&map, &diags);
    assert_eq!(system.is_none(), diags.has_errors());
    if let Some(system) = system {
        assert_eq!(validate(&system), Ok(()));
        walk(&system, choices.get(1..).unwrap_or(&[]));
    }
});

/// Follows a path from the first state.
fn walk(system: &System, choices: &[u8]) {
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
            step.violations.iter().for_each(|v| assert!(!v.kind.to_string().is_empty()));
        }
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
