//! Steps and states in lines of text, and the run of a counterexample.

use super::{
    Run, ViolatedProperty, changes_between, process_name, standing, value_text, values_of,
};
use resy::{Counterexample, Model};
use resy_system::{Interpreter, Move, State, Step, System};
use serde_json::Value;

/// The run of a counterexample of a program, ready to be shown; `None` for a network.
pub fn run_of<'a>(model: &'a Model, counterexample: &'a Counterexample) -> Option<Run<'a>> {
    let property = counterexample.property();
    let why = ViolatedProperty {
        property: property.name().to_owned(),
        kind: property.kind().to_owned(),
        reason: counterexample.what().unwrap_or_default(),
    };
    let steps = counterexample.program_steps()?;
    let run = Run::new(&model.interpreter()?, steps.iter().map(|r| (&r.before, &r.step)), why)?;
    Some(run.with_lasso(counterexample.lasso()))
}

/// The steps of a counterexample as JSON.
pub fn steps_json(model: &Model, counterexample: &Counterexample) -> Value {
    match counterexample.network_steps() {
        Some((_, names)) => names.iter().map(|name| Value::from(name.as_str())).collect(),
        None => run_of(model, counterexample).map(|run| run.to_json()).unwrap_or_default(),
    }
}

/// The steps of a counterexample of a network, one on a line.
pub fn step_names(counterexample: &Counterexample) -> Vec<String> {
    let names = counterexample.network_steps().map_or(&[][..], |(_, names)| names);
    let mut lines: Vec<String> =
        names.iter().enumerate().map(|(i, name)| format!("{:>4}  {name}", i + 1)).collect();
    if let Some(start) = counterexample.loop_start().filter(|_| !names.is_empty()) {
        lines.insert(start.min(names.len()), "      for ever:".to_owned());
    }
    lines
}

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
    // The actor's own variables need no process name.
    let own = format!("{}:", process_name(system, before, step.actor.pid));
    let after = step.next.as_ref().map(|(after, _)| after);
    let changes = after.map(|after| changes_between(system, before, after)).unwrap_or_default();
    let changes: Vec<String> = changes
        .into_iter()
        .map(|(name, value)| {
            format!("{} = {}", name.strip_prefix(&own).unwrap_or(&name), value_text(&value))
        })
        .collect();
    if changes.is_empty() { line } else { format!("{line}  {{{}}}", changes.join(", ")) }
}

/// The values of all variables and channels of a state, one on a line, and where the processes
/// stand.
pub fn state_lines(system: &System, state: &State) -> Vec<String> {
    let values = values_of(system, state).into_iter();
    let values = values.map(|(name, value)| format!("{name} = {}", value_text(&value)));
    let process = |pid| {
        let at = match standing(system, state, pid).place {
            place if place.line == 0 => "-".to_owned(),
            place => system.location(place),
        };
        format!("{} at {at}", process_name(system, state, pid))
    };
    values.chain((0..state.processes().len()).map(process)).collect()
}
