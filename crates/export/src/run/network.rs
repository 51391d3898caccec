//! Runs of networks and of processes in FSP: a trace of actions, beside who takes part.

use super::{Level, SarifFinding, Site, steps_json};
use resy::{Counterexample, Model};
use resy_automata::network::Component;
use resy_automata::product::ProductStep;
use resy_fsp::properties::definition_span;
use serde_json::{Value, json};

/// The run of a network: its actions, one on a line, beside who takes part.
pub fn network_run_lines(model: &Model, counterexample: &Counterexample) -> Vec<String> {
    let Some((_, names)) = counterexample.network_steps() else { return Vec::new() };
    let who = model.fsp().map(|_| participants(model, counterexample)).unwrap_or_default();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(MAX_ACTION);
    let mut lines = Vec::new();
    for (i, name) in names.iter().enumerate() {
        if counterexample.loop_start() == Some(i) {
            lines.push("      for ever:".to_owned());
        }
        let line = match who.get(i).filter(|who| !who.is_empty()) {
            Some(who) => format!("{:>4}  {name:width$}  {}", i + 1, some_names(who)),
            None => format!("{:>4}  {name}", i + 1),
        };
        lines.push(line);
    }
    lines
}

/// The width of the column of actions.
const MAX_ACTION: usize = 40;
/// More participants are counted, not listed.
const MAX_PARTICIPANTS: usize = 4;

fn some_names(names: &[String]) -> String {
    let shown = names.iter().take(MAX_PARTICIPANTS).map(String::as_str);
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_PARTICIPANTS) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// For each step of a run of a network the names of the components that take part.
fn participants(model: &Model, counterexample: &Counterexample) -> Vec<Vec<String>> {
    let Some((network, steps)) = model.network_of_run(counterexample) else { return Vec::new() };
    let takes_part = |step: ProductStep, id, component: &Component| match step {
        ProductStep::Tau(other) => other == id,
        ProductStep::Action(action) => component.lts.alphabet().contains(action),
    };
    let who = |&step: &ProductStep| {
        let components = network.components.iter_enumerated();
        let taking = components.filter(|(id, component)| takes_part(step, *id, component));
        taking.map(|(_, component)| component.name.clone()).collect()
    };
    steps.iter().map(who).collect()
}

/// The run of a network as JSON: the names of its steps, who takes part, and where a loop starts.
pub fn network_run_json(model: &Model, counterexample: &Counterexample) -> Value {
    let mut run = json!({
        "steps": steps_json(model, counterexample),
        "loop_start": counterexample.loop_start(),
    });
    if model.fsp().is_some() {
        run["participants"] = json!(participants(model, counterexample));
    }
    run
}

/// The run of processes in FSP as a finding, at the definition of its property.
pub fn network_finding(model: &Model, counterexample: &Counterexample) -> Option<SarifFinding> {
    let fsp = model.fsp()?;
    let property = counterexample.property();
    let name = match property.name() {
        "deadlock" | "errors" => fsp.composition.name.as_str(),
        name => name,
    };
    let (line, column) =
        definition_span(&fsp.text, name).map_or((1, 1), |span| span.line_column(&fsp.text));
    let site = Site { file: fsp.name.clone(), line: line as u32, column: column as u32 };
    let steps = network_run_lines(model, counterexample);
    Some(SarifFinding {
        rule: property.kind().to_owned(),
        level: Level::Error,
        message: format!("{}: {}", property.name(), counterexample.what().unwrap_or_default()),
        steps: steps.into_iter().map(|step| (site.clone(), step.trim().to_owned())).collect(),
        site,
        is_canonical: None,
    })
}
