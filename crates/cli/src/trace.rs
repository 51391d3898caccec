//! Runs for people and for spin.

use crate::values::{self, process_name, text};
use resy_engine::search::Replay;
use resy_export::{Trail, TrailLine};
use resy_system::{Interpreter, Move, State, Step, System};
use serde_json::{Map, Value, json};

/// One step on one line, with the values that it changed.
pub fn step_line(interpreter: &Interpreter<'_>, before: &State, step: &Step) -> String {
    let system = interpreter.system();
    let one = |m: Move| {
        let edge = interpreter.edge(before, m);
        let name = process_name(system, before, m.pid);
        format!("{name:<14} {:<18} {}", system.location(edge.source), edge.text)
    };
    let line = match step.partner {
        None => one(step.actor),
        Some(partner) => {
            let edge = interpreter.edge(before, partner);
            let name = process_name(system, before, partner.pid);
            format!("{}  ->  {name} {}", one(step.actor), edge.text)
        }
    };
    // Whose variables they are need not be said twice.
    let own = format!("{}:", process_name(system, before, step.actor.pid));
    let changes: Vec<String> = changes(system, before, step)
        .into_iter()
        .map(|(name, value)| {
            format!("{} = {}", name.strip_prefix(&own).unwrap_or(&name), text(&value))
        })
        .collect();
    if changes.is_empty() { line } else { format!("{line}  {{{}}}", changes.join(", ")) }
}

fn changes(system: &System, before: &State, step: &Step) -> Vec<(String, Value)> {
    let after = step.next.as_ref().map(|(state, _)| state);
    after.map(|after| values::changes(system, before, after)).unwrap_or_default()
}

/// The steps of a run as JSON.
pub fn to_json(interpreter: &Interpreter<'_>, run: &[Replay]) -> Value {
    let system = interpreter.system();
    let one = |before: &State, m: Move| {
        let edge = interpreter.edge(before, m);
        let process = &before.processes()[m.pid];
        json!({
            "pid": m.pid,
            "process": system.proctypes[process.proctype].name,
            "statement": edge.text,
            "location": system.location(edge.source),
        })
    };
    let step = |r: &Replay| {
        let mut step = one(&r.before, r.step.actor);
        if let Some(partner) = r.step.partner {
            step["partner"] = one(&r.before, partner);
        }
        let changes = changes(system, &r.before, &r.step);
        step["changes"] = changes.into_iter().collect::<Map<_, _>>().into();
        step
    };
    run.iter().map(step).collect()
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

/// The state in which a run ends: after its last step, or before it if that failed
/// for good.
pub fn last_state(interpreter: &Interpreter<'_>, run: &[Replay]) -> Option<State> {
    match run.last() {
        None => interpreter.initial().ok(),
        Some(Replay { before, step }) => {
            Some(step.next.as_ref().map_or(before, |(after, _)| after).clone())
        }
    }
}

/// Where a process stands: the line, and the statements there.
pub struct Standing {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// `file:line`.
    pub location: String,
    /// What it could do, were it possible.
    pub statements: Vec<String>,
}

/// Where a process stands in a state.
pub fn standing(system: &System, state: &State, pid: usize) -> Standing {
    let process = &state.processes()[pid];
    let proctype = &system.proctypes[process.proctype];
    let edges = &proctype.edges[process.location];
    let mut statements: Vec<String> = edges.iter().map(|e| e.text.clone()).collect();
    statements.dedup();
    Standing {
        pid,
        process: proctype.name.clone(),
        location: edges.first().map_or_else(|| "-".into(), |e| system.location(e.source)),
        statements,
    }
}

/// The processes that are in no valid end, in a state without steps.
pub fn stuck(system: &System, state: &State) -> Vec<Standing> {
    let processes = state.processes().iter().enumerate();
    let stuck = processes.filter(|(_, p)| !system.proctypes[p.proctype].end_locations[p.location]);
    stuck.map(|(pid, _)| standing(system, state, pid)).collect()
}

/// The values of all variables and channels of a state, one on a line, and where the processes
/// stand.
pub fn state_lines(system: &System, state: &State) -> Vec<String> {
    let values = values::all(system, state).into_iter();
    let values = values.map(|(name, value)| format!("{name} = {}", text(&value)));
    let process = |pid| {
        let at = standing(system, state, pid).location;
        format!("{} at {at}", process_name(system, state, pid))
    };
    values.chain((0..state.processes().len()).map(process)).collect()
}
