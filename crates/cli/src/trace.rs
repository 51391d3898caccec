//! Runs for people and for spin.

use resy_engine::search::Replay;
use resy_export::{Trail, TrailLine};
use resy_system::{Interpreter, Move, State, Step, System};
use serde_json::{Value, json};

/// The name of a process: its proctype and its pid.
pub fn process_name(system: &System, state: &State, pid: usize) -> String {
    let process = &state.processes()[pid];
    let name = system.proctypes[process.proctype].name.trim_matches(':');
    format!("{name}({pid})")
}

/// One step on one line.
pub fn step_line(interpreter: &Interpreter<'_>, before: &State, step: &Step) -> String {
    let system = interpreter.system();
    let one = |m: Move| {
        let edge = interpreter.edge(before, m);
        let name = process_name(system, before, m.pid);
        format!("{name:<14} {:<18} {}", system.location(edge.source), edge.text)
    };
    match step.partner {
        None => one(step.actor),
        Some(partner) => {
            let edge = interpreter.edge(before, partner);
            let name = process_name(system, before, partner.pid);
            format!("{}  ->  {name} {}", one(step.actor), edge.text)
        }
    }
}

/// A run as JSON.
pub fn to_json(interpreter: &Interpreter<'_>, run: &[Replay]) -> Value {
    let one = |before: &State, m: Move| {
        let edge = interpreter.edge(before, m);
        let process = &before.processes()[m.pid];
        let name = &interpreter.system().proctypes[process.proctype].name;
        json!({
            "pid": m.pid,
            "process": name,
            "statement": edge.text,
            "location": interpreter.system().location(edge.source),
        })
    };
    let steps: Vec<Value> = run
        .iter()
        .map(|r| {
            let mut step = one(&r.before, r.step.actor);
            if let Some(partner) = r.step.partner {
                step["partner"] = one(&r.before, partner);
            }
            step
        })
        .collect();
    json!({ "steps": steps })
}

/// A run as a spin trail.
pub fn to_trail(interpreter: &Interpreter<'_>, run: &[Replay]) -> Trail {
    let mut trail = Trail::default();
    for r in run {
        for m in std::iter::once(r.step.actor).chain(r.step.partner) {
            let statement = interpreter.edge(&r.before, m).id;
            trail.lines.push(TrailLine { pid: m.pid, statement });
        }
    }
    trail
}

/// The values of all variables and channels of a state, one on a line.
pub fn state_lines(system: &System, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    let frame_lines =
        |prefix: &str, frame: &resy_system::Frame, cells: &[i32], out: &mut Vec<String>| {
            for variable in &frame.variables {
                for i in 0..variable.n_cells {
                    let value = cells[(variable.offset + i) as usize];
                    let index = if variable.is_array { format!("[{i}]") } else { String::new() };
                    let text = match variable.cell {
                        resy_system::CellType::Mtype => system
                            .mtype_name(variable.mtype.as_deref(), value)
                            .map_or_else(|| value.to_string(), str::to_string),
                        _ => value.to_string(),
                    };
                    out.push(format!("{prefix}{}{index} = {text}", variable.name));
                }
            }
        };
    frame_lines("", &system.globals, state.globals(system), &mut lines);
    for (i, channel) in state.channels().iter().enumerate() {
        let name = &system.channel_types[channel.ty].name;
        let messages = state.messages(system, i);
        lines.push(format!("channel {} ({name}): {messages:?}", i + 1));
    }
    for (pid, process) in state.processes().iter().enumerate() {
        let proctype = &system.proctypes[process.proctype];
        let name = process_name(system, state, pid);
        let edge = proctype.edges[process.location].first();
        let at = edge.map_or_else(|| "-".into(), |e| system.location(e.source));
        lines.push(format!("{name} at {at}"));
        frame_lines(&format!("  {name}:"), &proctype.frame, state.locals(system, pid), &mut lines);
    }
    lines
}
