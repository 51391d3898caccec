//! Runs as the commands show them: made of the steps that an engine has carried out.

use crate::properties::Property;
use resy_engine::search::Replay;
use resy_export::run::{
    Run, ViolatedProperty, changes_between, process_name, standing, value_text, values_of,
};
use resy_system::{Interpreter, Move, State, Step, System};
use serde_json::Value;

/// The width of a page where nobody knows better.
const COLUMNS: usize = 100;

/// A run of carried-out steps that violates a property, ready to be shown.
pub fn run_of<'a>(
    interpreter: &Interpreter<'a>,
    steps: &'a [Replay],
    property: &Property,
    reason: &str,
) -> Option<Run<'a>> {
    let why = ViolatedProperty {
        property: property.name().to_owned(),
        kind: property.kind().to_owned(),
        reason: reason.to_owned(),
    };
    Run::new(interpreter, steps.iter().map(|r| (&r.before, &r.step)), why)
}

/// The steps of such a run as JSON.
pub fn steps_json(interpreter: &Interpreter<'_>, steps: &[Replay], property: &Property) -> Value {
    run_of(interpreter, steps, property, "").map(|run| run.to_json()).unwrap_or_default()
}

/// Prints a run as a table; `whole` if nothing is to be left out.
pub fn print_table(run: &Run<'_>, whole: bool) {
    print!("{}", if whole { run.whole_table() } else { run.table(columns()) });
}

/// The width of the page: that of the terminal, if there is one.
pub fn columns() -> usize {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0))
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
    // Whose variables they are need not be said twice.
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
